import { afterEach, describe, expect, test } from "@jest/globals";
import { OUTBOX } from "../../broker/channels/outbox.ts";
import { openDocumentStore } from "../../mixins/document-store/open.ts";
import { call } from "../../services/contracts.ts";
import { eventually } from "../support/eventually.ts";
import { removeStreams, testNamespace } from "../support/jetstream.ts";
import { endedJob, manualPdf, sha256Of, upload } from "../support/manuals.ts";
import { endlessForms, saying, writtenPdf } from "../support/pdf.ts";
import { removeTestBucket, s3TestLocation } from "../support/s3.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function start(options: Parameters<typeof startTestBroker>[0]): Promise<TestBroker> {
  const system = await startTestBroker(options);
  open.push(() => system.stop());
  return system;
}
const send = (system: TestBroker, content: Buffer) => upload(system.broker, [{ name: "file", filename: "manual.pdf", content }]);

/** Of twelve pages, the third never ends. */
const hanging = (title: string): Buffer => writtenPdf(Array.from({ length: 12 }, (_, index) => (index === 2 ? "/F0 Do" : saying(`${title}, sheet ${index + 1}`))), { forms: endlessForms() });

test("a page that hangs fails alone, and the file tells which one", async () => {
  const system = await start({ services: ["pipeline"] });
  const content = hanging("Alone");
  const job = await endedJob(system.broker, (await send(system, content)).batch_id, 90_000);
  expect(job).toMatchObject({ status: "partially_failed", progress: { percent: 100, pages: { done: 12, total: 12 } }, files: [{ status: "partially_failed", pages: 12 }] });
  // Which of its limits it meets first is a matter of how fast the machine is.
  expect(job.files[0]!.error).toMatch(/^Page 3: It took (longer than 30 s|more than 300 MB of memory)$/);
  const { pages } = await call(system.broker, "pipeline.manualPages", { sha256: sha256Of(content) });
  expect(pages.map(({ page }) => page)).toEqual([1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect(await system.documents.collection(OUTBOX).count({ _id: `manual_${sha256Of(content)}` })).toBe(1);
}, 120_000);

test("a job that is cancelled gives back the threads that its pages hold", async () => {
  const system = await start({ services: ["pipeline"] });
  const sent = [await send(system, hanging("One")), await send(system, hanging("Two"))];
  for (const { batch_id } of sent) await eventually(async () => (await call(system.broker, "pipeline.job", { batch_id })).status === "processing", 20_000);
  const since = performance.now();
  for (const { batch_id } of sent) await call(system.broker, "pipeline.cancel", { batch_id });
  const small = await manualPdf({ pages: 1, title: "Behind them" });
  expect((await endedJob(system.broker, (await send(system, small)).batch_id)).status).toBe("completed");
  // A page is taken for hung after 30 s.
  expect(performance.now() - since).toBeLessThan(25_000);
}, 90_000);

const transports = ["stored", ...(process.env.NATS_URL ? ["jetstream"] : [])];
describe.each(transports)("Two nodes (%s)", (transport) => {
  test("read one manual together, each page once", async () => {
    const namespace = testNamespace();
    const nats = transport === "jetstream" ? { NATS_URL: process.env.NATS_URL!, NATS_NAMESPACE: namespace } : undefined;
    if (nats) open.push(() => removeStreams(nats.NATS_URL, namespace));
    const settings = testSettings(nats);
    const documents = await openDocumentStore({ dataDir: settings.dataDir });
    open.push(() => documents.close());
    const [one, other] = [await start({ services: ["pipeline"], settings, documents }), await start({ services: ["pipeline"], settings, documents })];
    const content = await manualPdf({ pages: 125, title: `Together ${transport}` });
    const [sent, again] = await Promise.all([send(one, content), send(other, content)]);
    expect(again.job_id).toBe(sent.job_id);
    for (const { batch_id } of [sent, again]) expect((await endedJob(other.broker, batch_id, 90_000)).files[0]).toMatchObject({ status: "completed", pages: 125, parts: 250 });
    expect(await documents.collection(OUTBOX).count({ _id: `manual_${sha256Of(content)}` })).toBe(1);
    expect(await one.channels.deadLetters()).toEqual([]);
  }, 120_000);
});

(process.env.S3_ENDPOINT ? test : test.skip)("an object store that goes away in the middle costs time alone", async () => {
  const location = s3TestLocation();
  const proxy = await startTcpProxy(location.endpoint);
  open.push(() => proxy.close(), () => removeTestBucket(location));
  const system = await start({
    services: ["pipeline"],
    settings: testSettings({ S3_ENDPOINT: proxy.url, S3_BUCKET: location.bucket, S3_ACCESS_KEY_ID: location.accessKeyId, S3_SECRET_ACCESS_KEY: location.secretAccessKey }),
  });
  const content = await manualPdf({ pages: 90, title: "Away" });
  const { batch_id } = await send(system, content);
  await eventually(async () => (await call(system.broker, "pipeline.job", { batch_id })).progress.pages.done > 0, 30_000);
  await proxy.cut();
  await expect(call(system.broker, "pipeline.ready", {})).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await expect(send(system, await manualPdf({ pages: 1, title: "Meanwhile" }))).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect((await call(system.broker, "pipeline.job", { batch_id })).status).toBe("processing");
  await proxy.restore();
  expect((await endedJob(system.broker, batch_id, 90_000)).files[0]).toMatchObject({ status: "completed", pages: 90, parts: 180 });
}, 150_000);
