import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type Tasks, createTasks } from "../../packages/durable/src/tasks/tasks.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import type { DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { openObjectStore } from "../../packages/durable/src/object-store/open.ts";
import type { ObjectStore } from "../../packages/durable/src/object-store/port.ts";
import { type JobDocument, JOBS, type ReadingDocument, READINGS } from "../../services/pipeline/collections.ts";
import { createJobs, createBatchId, createJob } from "../../services/pipeline/jobs/jobs.ts";
import { removeManual } from "../../services/pipeline/leftovers.ts";
import { getSourceKey, STAGED } from "../../services/pipeline/object-keys.ts";
import { createReadings, type Readings } from "../../services/pipeline/readings.ts";
import { createStaging } from "../../services/pipeline/uploads/staging.ts";
import { getWorkId, type WorkItem, enqueueWork } from "../../services/pipeline/work/work-item.ts";
import { createWorker } from "../../services/pipeline/work/worker.ts";
import type { WorkDeps } from "../../services/pipeline/work/work-deps.ts";
import { createCounts } from "../../services/pipeline/metrics.ts";
import { eventually } from "../support/eventually.ts";
import { sha256Of } from "../support/manuals.ts";
import { testSettings } from "../support/test-settings.ts";

const KEY = "incoming/manual.pdf";
const content = Buffer.from("%PDF-1.7 of a manual in a bucket");
const sha256 = sha256Of(content);
let documents: DocumentStore;
let objects: ObjectStore;
let readings: Readings;
let batch: string;
const started: Tasks[] = [];

beforeEach(async () => {
  const { dataDir } = testSettings();
  documents = await openDocumentStore({ dataDir });
  objects = await openObjectStore({ dataDir });
  readings = createReadings(documents, { onChange: () => undefined, onCancelled: () => Promise.resolve() });
  await objects.put(KEY, Readable.from([content]));
  batch = createBatchId();
  await documents.atomically([createJob(batch, [{ name: "manual.pdf", key: KEY }])]);
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((tasks) => tasks.stop()));
  objects.close();
  await documents.close();
});

/** A node that fetches files, and reads none; its tasks are stopped after the test. */
function node(get = objects.get.bind(objects), leaseMs?: number) {
  const worker = createWorker({
    documents,
    objects: { ...objects, get },
    readings,
    staging: createStaging(objects),
    counts: createCounts(),
    queue: async (writes) => void (await documents.atomically(writes)),
    wake: () => undefined,
  } as WorkDeps);
  const tasks = createTasks({
    documents,
    report: { stuck: () => undefined, ended: () => undefined },
    ...(leaseMs === undefined ? {} : { leaseMs }),
  });
  tasks.handle("pipeline.work", {
    run: async (payload, { signal }) => {
      if (payload.kind === "take") await worker.run(payload as WorkItem, signal);
    },
  });
  started.push(tasks);
  return {
    tasks,
    jobs: createJobs(documents, readings, async (work) => void (await tasks.drop(...work.map(getWorkId)))),
    take: async (): Promise<void> => {
      await documents.atomically([enqueueWork(item())]);
      await tasks.start();
    },
  };
}
const item = (): WorkItem => ({ kind: "take", batch, file: "f0" });
const entry = async () => (await documents.collection<JobDocument>(JOBS).findOne({ _id: batch }))!.files.f0!;
const staged = async (): Promise<number> => {
  let count = 0;
  for await (const _ of objects.list(STAGED)) count += 1;
  return count;
};
/** One that was read, and is being removed. */
async function removedManual(): Promise<string> {
  const { _id } = await createStaging(objects).useStaged(Readable.from([content]), (file) =>
    readings.want({ ...file, filename: "a.pdf", equipment: [] }, "batch_1", () => []),
  );
  await documents.collection<ReadingDocument>(READINGS).updateOne({ _id }, { $set: { status: "completed" } });
  await readings.remove(sha256);
  return _id;
}

test("a file whose manual is being removed is taken later: it keeps no other waiting, and has not failed", async () => {
  const removed = await removedManual();
  const { tasks, take } = node();
  await take();
  const later = await eventually(async () => {
    const task = await tasks.find(getWorkId(item()));
    return task !== undefined && task.dueAt > new Date() && task.state === "waiting" && task;
  });
  expect([later.attempts, later.reason]).toEqual([0, undefined]);
  expect([await entry(), await staged()]).toEqual([{ name: "manual.pdf", key: KEY }, 0]);

  await removeManual(removed, { documents, objects }, { confirm: () => Promise.resolve() });
  await tasks.retry(later.id);
  await eventually(async () => (await tasks.find(later.id)) === undefined);
  expect(await entry()).toEqual({ name: "manual.pdf", key: KEY, reading: `${sha256}-2` });
  expect(await objects.head(getSourceKey(sha256))).toBeDefined();
});

test.each(["the same node", "another node"])(
  "cancelling a job on %s stops the copy of a file that is under way",
  async (on) => {
    let body: Readable | undefined;
    const endless: ObjectStore["get"] = () => {
      body = new Readable({ read: () => undefined });
      body.push(content);
      return Promise.resolve({ bytes: 1e9, body });
    };
    const copying = node(endless, 300);
    await copying.take();
    await eventually(() => body !== undefined);
    const { jobs } = on === "another node" ? node() : copying;
    expect((await jobs.cancel(batch)).state.status).toBe("cancelled");
    await eventually(async () => body!.destroyed && (await staged()) === 0);
    expect([await entry(), await readings.find(`${sha256}-1`), await copying.tasks.list({ limit: 1 })]).toEqual([
      { name: "manual.pdf", key: KEY },
      null,
      [],
    ]);
  },
);
