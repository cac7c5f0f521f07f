import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import type { DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { createJobs, createBatchId, createJob } from "../../services/pipeline/jobs/jobs.ts";
import { createReadings } from "../../services/pipeline/readings.ts";
import { sha256Of } from "../support/manuals.ts";
import { testSettings } from "../support/test-settings.ts";

let documents: DocumentStore;
beforeAll(async () => {
  documents = await openDocumentStore({ dataDir: testSettings().dataDir });
});
afterAll(() => documents.close());

test("a list of jobs reads the files of one at a time, and lets others in between", async () => {
  const readings = createReadings(documents, { onChange: () => undefined, onCancelled: () => Promise.resolve() });
  for (let job = 1; job <= 3; job += 1) {
    const sha256 = sha256Of(Buffer.from(`manual ${job}`));
    const file = { sha256, filename: `${job}.pdf`, equipment: [], place: () => Promise.resolve() };
    const batch = createBatchId();
    await readings.want(file, batch, (reading) => [createJob(batch, [{ name: file.filename, reading }])]);
  }
  let turn = 0;
  let turning = setImmediate(function next() {
    turn += 1;
    turning = setImmediate(next);
  });
  const turns: number[] = [];
  const watched = {
    ...readings,
    findAll: (ids: readonly string[]) => {
      turns.push(turn);
      return readings.findAll(ids);
    },
  };
  const { jobs } = await createJobs(documents, watched, () => Promise.resolve()).list(1, 20);
  clearImmediate(turning);
  expect(jobs.map(({ state }) => state.files.map(({ name, status }) => [name, status])).toSorted()).toEqual(
    ["1.pdf", "2.pdf", "3.pdf"].map((name) => [[name, "queued"]]),
  );
  expect([turns.length, new Set(turns).size]).toEqual([3, 3]);
});
