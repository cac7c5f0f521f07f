import { afterEach, describe, expect, test } from "@jest/globals";
import { stopNode } from "../../bin/stop-node.ts";
import { OUTBOX } from "../../packages/durable/src/channels/outbox.ts";
import { scrape } from "@partline/moleculer-kit";
import { getRuntime } from "../../broker/runtime.ts";
import { TASKS, type TaskDocument } from "../../packages/durable/src/tasks/task.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import { openObjectStore } from "../../packages/durable/src/object-store/open.ts";
import { call } from "../../services/contracts.ts";
import { READINGS, type ReadingDocument } from "../../services/pipeline/collections.ts";
import { LEFTOVERS_AFTER_MS } from "../../services/pipeline/limits.ts";
import { childrenRunning, freezeTheBusy } from "../support/children.ts";
import { eventually } from "../support/eventually.ts";
import { allOf, endedJob, readKept, manualPdf, readManual, sha256Of, upload } from "../support/manuals.ts";
import { endlessForms, saying, writtenPdf } from "../support/pdf.ts";
import { mongoTestUrl } from "../support/mongo.ts";
import { removeTestBucket, s3Settings, s3TestLocation } from "../support/s3.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function start(options: Parameters<typeof startTestBroker>[0]): Promise<TestBroker> {
  const system = await startTestBroker(options);
  open.push(() => system.stop());
  return system;
}
const send = (system: TestBroker, content: Buffer) =>
  upload(system.broker, [{ name: "file", filename: "manual.pdf", content }]);

/** By its metrics. */
async function pagesReadBy({ broker }: TestBroker): Promise<number> {
  return Number(/^partline_pipeline_pages_read_total (\d+)$/m.exec(await scrape(broker))?.[1]);
}

/** Of twelve pages, the third never ends. */
const hanging = (title: string): Buffer =>
  writtenPdf(
    Array.from({ length: 12 }, (_, index) => (index === 2 ? "/F0 Do" : saying(`${title}, sheet ${index + 1}`))),
    { forms: endlessForms() },
  );

test("a process that is stopped hands on at once what it reads, each time; the next one reads the file, of which a page that hangs fails alone", async () => {
  open.push(freezeTheBusy("manual-reader/src/pdf/process.ts"));
  const settings = testSettings();
  const content = hanging("Handed on");
  let batch: string | undefined;
  for (let stop = 1; stop <= 4; stop += 1) {
    const { broker, documents } = await startTestBroker({ services: ["pipeline"], settings });
    batch ??= (await upload(broker, [{ name: "file", filename: "manual.pdf", content }])).batch_id;
    const first = `pipeline.work:${sha256Of(content)}-1-r0`;
    await eventually(async () => {
      const task = await documents.collection<TaskDocument>(TASKS).findOne({ _id: first });
      return task !== null && task.holder !== "" && task.attempts === 1;
    }, 30_000);
    const since = performance.now();
    await stopNode({ broker, runtime: getRuntime(broker) });
    // A page is taken for hung after 30 s.
    expect(performance.now() - since).toBeLessThan(20_000);
  }
  const system = await start({ services: ["pipeline"], settings });
  const job = await endedJob(system.broker, batch!, 90_000);
  expect(job).toMatchObject({
    status: "partially_failed",
    progress: { percent: 100, pages: { done: 12, total: 12 } },
    files: [{ status: "partially_failed", pages: 12 }],
  });
  // Which of its limits it meets first is a matter of how fast the machine is.
  expect(job.files[0]!.error).toMatch(/^Page 3: It took (longer than 30 s|more than 300 MB of memory)$/);
  const pages = await readKept(system.settings, (kept) => allOf(kept.readPages(sha256Of(content))));
  expect(pages.map(({ page }) => page)).toEqual([1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect(await system.documents.collection(OUTBOX).count({ _id: `manual_${sha256Of(content)}` })).toBe(1);
  // The task ends after its job.
  await eventually(async () => (await system.tasks.list({ limit: 1 })).length === 0);

  // Somebody writes down what is on the page.
  const place = { sha256: sha256Of(content), page: 3 };
  const { pages: listed } = await call(system.broker, "pipeline.pages", { sha256: place.sha256 });
  expect(listed[0]).toMatchObject({ page: 3, check: "unreadable", error: expect.stringMatching(/^It took/) });
  expect(["timeout", "memory"]).toContain(listed[0]!.error_code);
  await call(system.broker, "pipeline.addPart", { ...place, part_number: "21-9930", description: "CLIP", quantity: 2 });
  const isThere = { part_number: "21-9930", description: "CLIP", quantity: 2, page: 3 };
  expect((await call(system.broker, "pipeline.pageFindings", place)).parts).toMatchObject([isThere]);
  await eventually(async () => {
    const { corrections } = await call(system.broker, "pipeline.corrections", { sha256: place.sha256 });
    return corrections[0]?.state === "applied";
  }, 60_000);
  const { parts } = await call(system.broker, "pipeline.jobParts", { batch_id: batch!, pageSize: 100 });
  expect(parts.filter(({ page }) => page === 3)).toMatchObject([isThere]);
}, 240_000);

test("a job that is cancelled gives back the threads that its pages hold", async () => {
  const system = await start({ services: ["pipeline"] });
  const sent = [await send(system, hanging("One")), await send(system, hanging("Two"))];
  for (const { batch_id } of sent)
    await eventually(async () => (await call(system.broker, "pipeline.job", { batch_id })).status === "processing");
  const since = performance.now();
  for (const { batch_id } of sent) await call(system.broker, "pipeline.cancel", { batch_id });
  const small = await manualPdf({ pages: 1, title: "Behind them" });
  expect((await endedJob(system.broker, (await send(system, small)).batch_id)).status).toBe("completed");
  // A page is taken for hung after 30 s.
  expect(performance.now() - since).toBeLessThan(25_000);
}, 90_000);

test("a job whose processes are killed one after another is read whole", async () => {
  const system = await start({ services: ["pipeline"] });
  const { batch_id } = await send(system, await manualPdf({ pages: 60, title: "Killed" }));
  const pagesDone = async (): Promise<number> =>
    (await call(system.broker, "pipeline.job", { batch_id })).progress.pages.done;
  const killed = new Set<number>();
  const kill = (file: string): boolean => {
    const running = childrenRunning(file).filter((pid) => !killed.has(pid));
    for (const pid of running) {
      process.kill(pid, "SIGKILL");
      killed.add(pid);
    }
    return running.length > 0;
  };
  for (const pages of [0, 10, 30]) {
    await eventually(async () => (await pagesDone()) >= pages, 30_000);
    await eventually(() => kill("manual-reader/src/pdf/process.ts"));
  }
  await eventually(() => kill("assembly/process.ts"), 60_000);
  const {
    status,
    files: [file],
  } = await endedJob(system.broker, batch_id);
  expect([status, file]).toEqual([
    "completed",
    expect.objectContaining({ status: "completed", pages: 60, parts: 120 }),
  ]);
  expect(file!.error).toBeUndefined();
  expect((await system.tasks.depth()).dead).toBe(0);
}, 120_000);

test("what is left of a file that failed goes later, of one that is read stays, and the file can be sent again", async () => {
  const settings = testSettings();
  const documents = await openDocumentStore({ dataDir: settings.dataDir });
  const objects = await openObjectStore({ dataDir: settings.dataDir });
  open.push(() => documents.close());
  const bad = Buffer.from("%PDF-1.7\nnothing else");
  const good = await manualPdf({ pages: 2, title: "Stays" });
  const keys = async (content: Buffer): Promise<number> => {
    let count = 0;
    for await (const _ of objects.list(`manuals/${sha256Of(content)}/`)) count += 1;
    return count;
  };
  const first = await startTestBroker({ services: ["pipeline"], settings, documents });
  expect((await readManual(first.broker, bad)).status).toBe("failed");
  expect((await readManual(first.broker, good)).status).toBe("completed");
  await first.stop();
  const kept = await keys(good);
  expect([await keys(bad), kept > 5]).toEqual([1, true]);
  await documents
    .collection<ReadingDocument>(READINGS)
    .updateMany({}, { $set: { updatedAt: new Date(Date.now() - LEFTOVERS_AFTER_MS - 1) } });
  const again = await start({ services: ["pipeline"], settings, documents });
  await eventually(async () => (await keys(bad)) === 0);
  expect(await keys(good)).toBe(kept);
  const job = await readManual(again.broker, bad);
  expect([job.status, job.files[0]!.error]).toEqual(["failed", expect.stringContaining("damaged")]);
  objects.close();
});

// Two nodes have one MongoDB; an embedded store stands in for it where there is none.
const stores = [process.env.MONGO_URL ? "mongodb" : "embedded"];
describe.each(stores)("Two nodes (%s)", (backend) => {
  test("are sent one manual fifty times at once, and read it together, each page once", async () => {
    const settings = testSettings(backend === "mongodb" ? { MONGO_URL: mongoTestUrl("two") } : {});
    const documents = await openDocumentStore({ dataDir: settings.dataDir, mongoUrl: settings.mongoUrl });
    open.push(() => documents.close());
    const [one, other] = [
      await start({ services: ["pipeline"], settings, documents }),
      await start({ services: ["pipeline"], settings, documents }),
    ];
    const content = await manualPdf({ pages: 65, title: `Together ${backend}` });
    // A store that has too much to do says so, and has taken nothing.
    const untilTaken = (system: TestBroker) => eventually(() => send(system, content), 60_000);
    const sent = await Promise.all(Array.from({ length: 50 }, (_, index) => untilTaken(index % 2 === 0 ? one : other)));
    expect(new Set(sent.map(({ job_id }) => job_id))).toEqual(new Set([`${sha256Of(content)}-1`]));
    for (const { batch_id } of sent)
      expect((await endedJob(other.broker, batch_id, 90_000)).files[0]).toMatchObject({
        status: "completed",
        pages: 65,
        parts: 130,
      });
    const shares = [await pagesReadBy(one), await pagesReadBy(other)];
    expect(shares[0]! + shares[1]!).toBe(65);
    // An embedded store is one process's: who has queued a piece of work is the first to take it.
    if (backend === "mongodb") expect(Math.min(...shares)).toBeGreaterThan(0);
    expect(await documents.collection(OUTBOX).count({ _id: `manual_${sha256Of(content)}` })).toBe(1);
    expect((await one.tasks.depth()).dead).toBe(0);
  }, 120_000);
});

(process.env.S3_ENDPOINT ? test : test.skip)(
  "an object store that goes away in the middle costs time alone",
  async () => {
    const location = s3TestLocation();
    const proxy = await startTcpProxy(location.endpoint);
    open.push(
      () => proxy.close(),
      () => removeTestBucket(location),
    );
    const system = await start({
      services: ["pipeline"],
      settings: testSettings(s3Settings({ ...location, endpoint: proxy.url })),
    });
    const content = await manualPdf({ pages: 60, title: "Away" });
    const { batch_id } = await send(system, content);
    await eventually(
      async () => (await call(system.broker, "pipeline.job", { batch_id })).progress.pages.done > 0,
      30_000,
    );
    await proxy.cut();
    await expect(call(system.broker, "pipeline.ready", {})).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await expect(send(system, await manualPdf({ pages: 1, title: "Meanwhile" }))).rejects.toMatchObject({
      code: "UNAVAILABLE",
    });
    expect((await call(system.broker, "pipeline.job", { batch_id })).status).toBe("processing");
    await proxy.restore();
    expect((await endedJob(system.broker, batch_id, 90_000)).files[0]).toMatchObject({
      status: "completed",
      pages: 60,
      parts: 120,
    });
  },
  150_000,
);
