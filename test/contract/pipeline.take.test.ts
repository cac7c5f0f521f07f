import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { OUTBOX } from "../../broker/channels/outbox.ts";
import { openDocumentStore } from "../../mixins/document-store/open.ts";
import type { DocumentStore } from "../../mixins/document-store/port.ts";
import { openObjectStore } from "../../mixins/object-store/open.ts";
import type { ObjectStore } from "../../mixins/object-store/port.ts";
import { call } from "../../services/contracts.ts";
import { JOBS, READINGS, type JobDocument, type ReadingDocument } from "../../services/pipeline/collections.ts";
import { createJobs, newBatchId, newJob, type Jobs } from "../../services/pipeline/jobs/jobs.ts";
import { STALLED_AFTER_MS } from "../../services/pipeline/limits.ts";
import { newCounts } from "../../services/pipeline/metrics.ts";
import { sourceKey, STAGED } from "../../services/pipeline/object-keys.ts";
import { createReadings, type Readings } from "../../services/pipeline/readings.ts";
import { sweep } from "../../services/pipeline/sweep.ts";
import { createStaging } from "../../services/pipeline/uploads/staging.ts";
import type { WorkDeps } from "../../services/pipeline/work/deps.ts";
import { removeManual } from "../../services/pipeline/work/remove-manual.ts";
import { createWorker, type Worker } from "../../services/pipeline/work/worker.ts";
import { eventually } from "../support/eventually.ts";
import { sha256Of } from "../support/manuals.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

const KEY = "incoming/manual.pdf";
const content = Buffer.from("%PDF-1.7 of a manual in a bucket");
const sha256 = sha256Of(content);
let documents: DocumentStore;
let objects: ObjectStore;
let readings: Readings;
let batch: string;

beforeEach(async () => {
  const { dataDir } = testSettings();
  documents = await openDocumentStore({ dataDir });
  objects = await openObjectStore({ dataDir });
  readings = createReadings(documents, { onChange: () => undefined, onCancelled: () => undefined });
  await objects.put(KEY, Readable.from([content]));
  batch = newBatchId();
  await documents.atomically([newJob(batch, [{ name: "manual.pdf", key: KEY }])]);
});
afterEach(async () => {
  objects.close();
  await documents.close();
});

/** A node that fetches files, and reads none. */
function node(parts: Partial<Pick<WorkDeps, "objects" | "readings">> = {}): {
  worker: Worker;
  jobs: Jobs;
  take(): Promise<void>;
} {
  const stores = { objects, readings, ...parts };
  const queue = async (writes: Parameters<WorkDeps["queue"]>[0]): Promise<void> =>
    void (await documents.atomically(writes));
  const worker = createWorker({
    documents,
    ...stores,
    staging: createStaging(stores.objects),
    counts: newCounts(),
    queue,
    wake: () => undefined,
  } as WorkDeps);
  const event = {
    v: 1,
    event_id: "e1",
    channel: "pipeline.work",
    occurred_at: new Date(),
    payload: { kind: "take", batch, file: "f0" },
  } as const;
  return {
    worker,
    jobs: createJobs(documents, readings, (cancelled) => worker.stops.stop(cancelled)),
    take: () => worker.handle(event),
  };
}
const entry = async () => (await documents.collection<JobDocument>(JOBS).findOne({ _id: batch }))!.files.f0!;
const staged = async (): Promise<number> => {
  let count = 0;
  for await (const _ of objects.list(STAGED)) count += 1;
  return count;
};
/** One that was read, and is being removed. */
async function removedManual(): Promise<string> {
  const { _id } = await createStaging(objects).during(Readable.from([content]), (file) =>
    readings.want({ ...file, filename: "a.pdf", equipment: [] }, "batch_1", () => []),
  );
  await documents.collection<ReadingDocument>(READINGS).updateOne({ _id }, { $set: { status: "completed" } });
  await readings.remove(sha256);
  return _id;
}

test("a file whose manual is being removed is taken when that is done, and counts as no failure", async () => {
  const removed = await removedManual();
  let refused = 0;
  const removing: Readings = {
    ...readings,
    want: async (...asked) => {
      try {
        return await readings.want(...asked);
      } catch (error) {
        refused += 1;
        await removeManual({ kind: "remove", reading: removed }, { documents, objects }, new AbortController().signal);
        throw error;
      }
    },
  };
  await node({ readings: removing }).take();
  expect([refused, await entry()]).toEqual([1, { name: "manual.pdf", key: KEY, reading: `${sha256}-2` }]);
  expect(await objects.head(sourceKey(sha256))).toBeDefined();
});

test("a file whose manual is being removed for long is taken later: it keeps no other waiting, and has not failed", async () => {
  const removed = await removedManual();
  const { take } = node();
  await take();
  expect([await entry(), await staged()]).toEqual([{ name: "manual.pdf", key: KEY }, 0]);

  await removeManual({ kind: "remove", reading: removed }, { documents, objects }, new AbortController().signal);
  await documents
    .collection<JobDocument>(JOBS)
    .updateOne({ _id: batch }, { $set: { updatedAt: new Date(Date.now() - STALLED_AFTER_MS - 1) } });
  const before = await documents.collection(OUTBOX).count({});
  await sweep({ documents, objects, readings, staging: createStaging(objects), wake: () => undefined });
  expect((await documents.collection(OUTBOX).count({})) - before).toBe(1);
  await take();
  expect(await entry()).toEqual({ name: "manual.pdf", key: KEY, reading: `${sha256}-2` });
}, 60_000);

test("cancelling a job stops the copy of a file that is under way", async () => {
  let begun = false;
  const endless: ObjectStore = {
    ...objects,
    get: async () => {
      const body = new Readable({ read: () => undefined });
      body.push(content);
      begun = true;
      return { bytes: 1e9, body };
    },
  };
  const { jobs, take } = node({ objects: endless });
  const taking = take();
  await eventually(() => begun);
  expect((await jobs.cancel(batch)).state.status).toBe("cancelled");
  await taking;
  expect([await entry(), await staged(), await readings.find(`${sha256}-1`)]).toEqual([
    { name: "manual.pdf", key: KEY },
    0,
    null,
  ]);
});

test("every node is told of a job that is cancelled", async () => {
  const heard: unknown[] = [];
  const listener = {
    name: "listener",
    events: { "pipeline.cancelled": ({ params }: { params: unknown }) => void heard.push(params) },
  };
  const system = await startTestBroker({ services: ["pipeline", () => listener], transport: "fake", documents });
  try {
    await call(system.broker, "pipeline.cancel", { batch_id: batch });
    await eventually(() => heard.some((params) => (params as { batch?: string }).batch === batch));
  } finally {
    await system.stop();
    documents = await openDocumentStore({ dataDir: testSettings().dataDir });
  }
});
