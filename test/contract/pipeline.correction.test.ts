import { afterAll, expect, test } from "@jest/globals";
import { OUTBOX } from "../../packages/durable/src/channels/outbox.ts";
import { createTasks } from "../../packages/durable/src/tasks/tasks.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import { openObjectStore, readObject } from "../../packages/durable/src/object-store/open.ts";
import type { ObjectStore } from "../../packages/durable/src/object-store/port.ts";
import { openLocalCopies } from "../../services/pipeline/files/local-copies.ts";
import { createReadings } from "../../services/pipeline/readings.ts";
import { createManualResults } from "../../services/pipeline/results/manual-results.ts";
import { toOverview } from "../../services/pipeline/results/overview.ts";
import { getWorkId, type WorkItem } from "../../services/pipeline/work/work-item.ts";
import { createWorker } from "../../services/pipeline/work/worker.ts";
import type { WorkDeps } from "../../services/pipeline/work/work-deps.ts";
import { createCounts } from "../../services/pipeline/metrics.ts";
import { getManualKey, getManualPrefix } from "../../services/shared/manual-objects.ts";
import { call } from "../../services/contracts.ts";
import { eventually } from "../support/eventually.ts";
import { manualPdf, partOf, readManual, sha256Of } from "../support/manuals.ts";
import { mongoSetting } from "../support/mongo.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

const open: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

test("a correction that fails in the middle leaves the manual as it was, once its files can be written again", async () => {
  const settings = testSettings();
  const content = await manualPdf({ pages: 2, title: "Half corrected" });
  const sha256 = sha256Of(content);
  const system = await startTestBroker({ services: ["pipeline"], settings });
  await readManual(system.broker, content);
  await system.stop();

  const documents = await openDocumentStore(settings);
  const objects = await openObjectStore({ dataDir: settings.dataDir });
  const copies = await openLocalCopies(`${settings.dataDir}/copies`, objects);
  open.push(
    () => documents.close(),
    () => objects.close(),
    () => copies.close(),
  );
  let isFull = true;
  const failing: ObjectStore = {
    ...objects,
    put: (key, ...how) =>
      isFull && key === getManualKey(sha256) ? Promise.reject(new Error("refused")) : objects.put(key, ...how),
  };
  const readings = createReadings(documents, { onChange: () => undefined, onCancelled: () => Promise.resolve() });
  const worker = createWorker({
    documents,
    objects: failing,
    readings,
    failReading: async (id, reason) => void (await readings.fail(id, reason)),
    copies,
    counts: createCounts(),
    embeddingModel: "lexical",
    wake: () => undefined,
  } as WorkDeps);
  const tasks = createTasks({ documents, report: { stuck: () => undefined, ended: () => undefined } });
  tasks.handle("pipeline.work", {
    maxRetries: 2,
    run: (payload, { signal }) => worker.run(payload as WorkItem, signal),
    gaveUp: (payload, error) => worker.onGaveUp(payload as WorkItem, error),
  });
  open.push(() => tasks.stop());
  const files = async (): Promise<Map<string, string>> => {
    const found = new Map<string, string>();
    for await (const { key } of objects.list(getManualPrefix(sha256)))
      if (/\/(parts|findings)|\/manual\.json$/.test(key)) found.set(key, (await readObject(objects, key)).toString());
    return found;
  };
  const results = createManualResults(objects, readings, documents);
  const overview = async () => {
    const reading = await results.reading(sha256);
    const manual = await results.getManual(sha256);
    return toOverview({ reading, manual, contents: { tables: [], images: [] } }, 0, "");
  };

  const [before, shown] = [await files(), await overview()];
  // A number that is a model's is no part's.
  await readings.correct(sha256, { equipment: [partOf(1, 1)], manufacturer: "Stihl" });
  await tasks.start();
  const id = getWorkId({ kind: "assemble", reading: `${sha256}-1` });
  const undo = await eventually(async () => {
    const task = await tasks.find(id);
    return task !== undefined && task.state === "waiting" && task.dueAt.getTime() > Date.now() + 30_000 && task;
  });
  expect(undo.attempts).toBe(0);
  expect(await files()).not.toEqual(before);
  expect((await overview()).correction).toBe("under_way");

  // Given up as well, it is tried again.
  await tasks.retry(id);
  await eventually(async () => {
    const task = await tasks.find(id);
    return task !== undefined && task.state === "waiting" && task.dueAt > undo.dueAt;
  });
  isFull = false;
  await tasks.retry(id);
  await eventually(async () => (await tasks.find(id)) === undefined);
  expect(await files()).toEqual(before);
  expect(await overview()).toEqual({ ...shown, correction: "failed" });
  expect(await documents.collection(OUTBOX).count({ channel: "document.created" })).toBe(2);
  await expect(readings.correct(sha256, { manufacturer: "Stihl" })).resolves.toMatchObject({ manufacturer: "Stihl" });
  await eventually(async () => (await overview()).manufacturer === "Stihl" && (await tasks.find(id)) === undefined);
  expect((await overview()).correction).toBeUndefined();
}, 60_000);

test("rows that several correct at once are all corrected, and hold with models and maker for the next reading", async () => {
  const settings = testSettings(mongoSetting("correction"));
  const { broker, stop } = await startTestBroker({ services: ["pipeline"], transport: "fake", settings });
  open.push(stop);
  const content = await manualPdf({ pages: 12, title: "Corrected by many" });
  const sha256 = sha256Of(content);
  await readManual(broker, content);
  const rowOf = async (page: number) => (await call(broker, "pipeline.pageFindings", { sha256, page })).parts[0]!;
  const correct = async (page: number, description: string, { row } = { row: "" }) =>
    call(broker, "pipeline.correctPart", { sha256, page, row: row || (await rowOf(page)).row, description });
  await Promise.all([1, 2, 3, 11, 12].map((page) => correct(page, `SPRING ${page}`)));
  // Two who saw the same row.
  const seen = await rowOf(4);
  const both = await Promise.allSettled(["FIRST", "SECOND"].map((description) => correct(4, description, seen)));
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(both.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "VERSION_CONFLICT" } });
  const areApplied = async (): Promise<boolean> => {
    const { corrections } = await call(broker, "pipeline.corrections", { sha256 });
    return corrections.length === 6 && corrections.every(({ state }) => state === "applied");
  };
  await eventually(areApplied, 60_000);
  const machine = { equipment: ["BR600"], manufacturer: "Stihl" };
  await eventually(() => call(broker, "pipeline.correct", { sha256, ...machine }).catch(() => false), 30_000);
  // While that is under way.
  await correct(1, "SPRING, COIL");
  await eventually(async () => {
    const { correction, ...manual } = await call(broker, "pipeline.overview", { sha256 });
    return correction === undefined && manual.manufacturer === "Stihl" && (await areApplied());
  }, 60_000);

  await call(broker, "pipeline.remove", { sha256 });
  await eventually(
    () =>
      readManual(broker, content).then(
        () => true,
        () => false,
      ),
    60_000,
  );
  expect(await areApplied()).toBe(true);
  expect(await call(broker, "pipeline.overview", { sha256 })).toMatchObject({ ...machine, counts: { parts: 24 } });
  expect(await rowOf(1)).toMatchObject({ description: "SPRING, COIL", part_number: partOf(1, 1) });
  expect(await rowOf(12)).toMatchObject({ description: "SPRING 12" });
}, 180_000);
