import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { runCommand } from "../../bin/repl/command.ts";
import { sync } from "../../bin/repl/sync.ts";
import { scrape } from "@partline/moleculer-kit";
import type { TaskHandler, TaskRun } from "../../packages/durable/src/tasks/port.ts";
import { TASKS, type TaskDocument } from "../../packages/durable/src/tasks/task.ts";
import { createTasks } from "../../packages/durable/src/tasks/tasks.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import type { DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { startDealerSandbox, type InquiryFact } from "../../packages/sandbox/src/dealer/server.ts";
import type { HttpServer } from "../../packages/sandbox/src/server/http-server.ts";
import startTireSandbox from "../../packages/sandbox/src/tires/server.ts";
import { getPartsCollection } from "../../services/catalog/collections.ts";
import { createPartReader } from "../../services/catalog/part-reader.ts";
import { createPartWriter } from "../../services/catalog/part-writer.ts";
import type { PartDocument } from "../../services/catalog/part.ts";
import { type InquiredPart, createSeenRefresh } from "../../services/catalog/refresh.ts";
import { SEEN_PARTS, type SeenPart, createSeenParts } from "../../services/catalog/seen-parts.ts";
import { SYNCS, type SyncRecord } from "../../services/catalog/syncs/records.ts";
import { createTimetable, computeNextRun } from "../../services/catalog/timetable.ts";
import { call } from "../../services/contracts.ts";
import { eventually } from "../support/eventually.ts";
import { mongoTestUrl } from "../support/mongo.ts";
import { startTestBroker, type TestBroker, type TestBrokerOptions } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { createFaults } from "../support/sandbox-faults.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const DEALER = { apiKey: "dis key", dealerId: "dealer 1" };
const TIRES_KEY = "key";
let dealer: HttpServer;
let tires: HttpServer;
let documents: DocumentStore;
const running: TestBroker[] = [];

beforeEach(async () => {
  dealer = await startDealerSandbox({ host: "127.0.0.1", port: 0, dealer: DEALER });
  tires = await startTireSandbox({
    host: "127.0.0.1",
    port: 0,
    apiKey: TIRES_KEY,
    imageUrlBase: "http://media.invalid/api/media",
    count: 120,
  });
  const mongoUrl = process.env.MONGO_URL ? mongoTestUrl("timetable") : undefined;
  documents = await openDocumentStore({ dataDir: testSettings().dataDir, mongoUrl });
});
afterEach(async () => {
  await stopAll();
  await documents.close();
  await Promise.all([dealer.close(), tires.close()]);
});
const stopAll = () => Promise.all(running.splice(0).map((system) => system.stop()));

async function start(
  env: Record<string, string> = {},
  { services = ["catalog", "dis-router"], transport }: Partial<TestBrokerOptions> = {},
): Promise<TestBroker> {
  const settings = testSettings({
    DIS_URL: dealer.url,
    DIS_API_KEY: DEALER.apiKey,
    DIS_DEALER_ID: DEALER.dealerId,
    TIRE_SUPPLIER_URL: tires.url,
    TIRE_SUPPLIER_API_KEY: TIRES_KEY,
    ...env,
  });
  const system = await startTestBroker({ services, transport, settings, documents });
  running.push(system);
  return system;
}

const jobs = async ({ broker }: TestBroker) =>
  Object.fromEntries((await call(broker, "catalog.timetable", {})).jobs.map(({ job, ...of }) => [job, of]));
const syncs = () => documents.collection<SyncRecord>(SYNCS).find({}, { sort: { startedAt: 1 } });
const tasks = () => documents.collection<TaskDocument>(TASKS);
const seenParts = () => documents.collection<SeenPart>(SEEN_PARTS);
const koh = () => documents.collection<PartDocument>(getPartsCollection("KOH"));
const inquiries = async () =>
  ((await (await fetch(`${dealer.url}/sandbox/inquiries`)).json()) as { inquiries: InquiryFact[] }).inquiries;
const { set: fault, allWell } = createFaults(() => dealer);

/** Two parts at prices that the dealer's differ from: 250.95 and 41.49. */
async function sell({ broker }: TestBroker, dollars = 5) {
  const file = `part_number,title,list_price\n24 651 30-S,Filter,${dollars}\n32 291 30-S,Filter,6\n`;
  await call(broker, "catalog.import", { vendor: "koh", contentType: "text/csv" }, { stream: Readable.from([file]) });
}
const [SEEN, OTHER] = ["koh-2465130s", "koh-3229130s"];
const price = async ({ broker }: TestBroker, confirmed: boolean, id = SEEN) =>
  (await call(broker, "catalog.price", { items: [{ productId: id, partNumber: "" }], confirmed })).items[0]!.price;

describe("The timetable", () => {
  it("runs a job when its period is over, in one process of the cluster, and says when it succeeded", async () => {
    const begun = Date.now();
    const system = await start({ TIRE_SYNC_EVERY: "1s" }, { services: ["catalog", "catalog"], transport: "fake" });
    await eventually(async () => (await syncs()).filter(({ status }) => status === "completed").length >= 2, 30_000);
    const [first, second] = await syncs();
    expect(first!.startedAt.getTime()).toBeGreaterThanOrEqual(begun + 900);
    expect(second!.startedAt.getTime()).toBeGreaterThanOrEqual(first!.finishedAt!.getTime());
    const { KMT, dealer: refresh } = await jobs(system);
    expect(KMT).toMatchObject({ everySeconds: 1, paused: false, succeededAt: expect.any(Date) });
    expect(refresh).toMatchObject({ everySeconds: 3_600, succeededAt: null });
  });

  it("keeps its times over restarts, follows its settings, and drops what is off", async () => {
    const { KMT } = await jobs(await start());
    const until = KMT!.nextAt!.getTime() - Date.now();
    expect(until).toBeGreaterThan(5.3 * HOUR_MS);
    expect(until).toBeLessThan(6.7 * HOUR_MS);
    await stopAll();
    expect((await jobs(await start())).KMT).toEqual(KMT);
    await stopAll();
    const often = (await jobs(await start({ TIRE_SYNC_EVERY: "30m" }))).KMT!;
    expect(often.nextAt!.getTime() - Date.now()).toBeLessThan(34 * 60_000);
    await stopAll();
    const off = await start({ TIRE_SYNC_EVERY: "off", DIS_REFRESH_EVERY: "0" });
    expect(await jobs(off)).toEqual({});
    expect(await tasks().count({ kind: "catalog.timed" })).toBe(0);
    await expect(call(off.broker, "catalog.pauseJob", { job: "KMT" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await syncs()).toEqual([]);
  });

  it("takes up a run whose process died, and then waits a period again", async () => {
    await start();
    await stopAll();
    const past = new Date(Date.now() - HOUR_MS);
    await tasks().updateOne(
      { _id: "catalog.timed:KMT" },
      { $set: { dueAt: past, holder: "dead", heldUntil: new Date(Date.now() + 1_000) } },
    );
    const system = await start();
    const done = await eventually(async () => {
      const { KMT } = await jobs(system);
      return KMT!.succeededAt ? KMT! : undefined;
    }, 30_000);
    expect(done.nextAt!.getTime()).toBeGreaterThan(Date.now() + 5 * HOUR_MS);
    expect(await syncs()).toHaveLength(1);
    const figures = await scrape(system.broker);
    expect(figures).toContain('partline_catalog_job_interval_seconds{task="KMT"} 21600');
    expect(figures).toContain(
      `partline_catalog_last_success_timestamp_seconds{task="KMT"} ${done.succeededAt!.getTime() / 1_000}`,
    );
  });

  it("is paused until it is resumed, also across restarts, and then runs at once", async () => {
    const repl = async ({ broker }: TestBroker, ...words: string[]) => {
      const answer = await runCommand(sync, broker, words);
      return typeof answer === "string" ? answer : answer.rows;
    };
    const paused = ["KMT", "1", "", "paused"];
    const first = await start({ TIRE_SYNC_EVERY: "1s" });
    expect(await repl(first, "pause", "kmt")).toEqual([paused]);
    expect(await repl(first, "pause", "nosuch")).toBe("NOT_FOUND: Job nosuch not found");
    await stopAll();
    const system = await start({ TIRE_SYNC_EVERY: "1s" });
    expect(await repl(system, "timetable")).toEqual([paused, ["dealer", "3600", "", expect.stringMatching(/^20/)]]);
    expect(await tasks().count({ _id: "catalog.timed:KMT" })).toBe(0);
    expect(await repl(system, "resume", "KMT")).toEqual([["KMT", "1", "", expect.stringMatching(/^20/)]]);
    await eventually(async () => (await syncs()).length > 0);
  });

  it("goes on where the time of a run was over, and then begins again", async () => {
    const froms: (string | undefined)[] = [];
    const run = async (_task: TaskRun, from?: string) => (froms.push(from) === 1 ? "b" : true);
    const report = { stuck: () => undefined, ended: () => undefined };
    const own = createTasks({ documents, report });
    const timetable = createTimetable({ documents, tasks: own, jobs: [{ name: "dealer", everyMs: 10, run }] });
    own.handle("catalog.timed", timetable.handler as unknown as TaskHandler);
    await timetable.start();
    await own.start();
    await eventually(() => froms.length >= 3);
    await own.stop();
    expect(froms.slice(0, 3)).toEqual([undefined, "b", undefined]);
  });

  it("comes a tenth of the period earlier or later", () => {
    expect([0, 0.5, 1].map((random) => computeNextRun(1_000, 0, random).getTime())).toEqual([900, 1_000, 1_100]);
  });
});

describe("The refresh of what was seen", () => {
  it("asks the dealer about parts that somebody asked for, and about no others", async () => {
    const system = await start();
    await sell(system);
    await call(system.broker, "catalog.get", { id: SEEN! });
    await call(system.broker, "catalog.parts", { vendor: "koh" });
    const { expiresAt } = await eventually(async () => (await seenParts().findOne({ _id: SEEN! })) ?? undefined);
    expect(expiresAt.getTime() - Date.now()).toBeGreaterThan(29.9 * DAY_MS);
    await call(system.broker, "catalog.resumeJob", { job: "dealer" });
    await eventually(async () => (await jobs(system)).dealer!.succeededAt !== null);
    expect(await koh().find({}, { sort: { _id: 1 } })).toMatchObject([{ price: 25_095 }, { price: 600 }]);
    expect(await inquiries()).toMatchObject([{ asked: 1, answered: 1 }]);
    // It is not seen by being refreshed.
    const left = await eventually(async () => {
      const seen = await seenParts().findOne({ _id: SEEN! });
      return seen?.toldAt && seen;
    });
    expect(left.expiresAt).toEqual(expiresAt);
    expect(await seenParts().count({})).toBe(1);
  });

  it("goes on where a run was left, and is no success while the dealer does not answer", async () => {
    const system = await start();
    await sell(system);
    const seen = createSeenParts(documents, () => undefined);
    seen.markSeen([SEEN!, OTHER!]);
    await seen.stop();
    const asked: string[][] = [];
    let error: InquiredPart["error"] = null;
    let timeoutSeconds = 60;
    const refresh = (...run: Parameters<ReturnType<typeof createSeenRefresh>>) =>
      createSeenRefresh({
        documents,
        reader: createPartReader(documents),
        writer: createPartWriter(documents),
        seen,
        timeoutSeconds,
        onError: () => undefined,
        retry: { pauseMs: 1, pauses: 1 },
        inquire: async (parts) => {
          asked.push(parts.map(({ partNumber }) => partNumber));
          const said = {
            found: true,
            price: 700,
            available: null,
            quantity: null,
            live: true,
            saidAt: new Date(),
            ageSeconds: 0,
          };
          return parts.map((part) => ({ ...part, ...said, error }));
        },
      })(...run);
    const run = (progress?: Record<string, unknown>, from?: string) => {
      const held: TaskRun["held"] = () => ({
        collection: TASKS,
        updateOne: { filter: { _id: "none" }, update: { $set: { reason: "" } } },
      });
      const { signal } = new AbortController();
      return refresh({ signal, confirm: async () => undefined, failures: 0, progress, held }, from);
    };
    expect(await run({ after: SEEN! })).toBe(true);
    expect(await run(undefined, SEEN)).toBe(true);
    expect(asked).toEqual([["32 291 30-S"], ["32 291 30-S"]]);
    timeoutSeconds = 0;
    expect(await run(undefined, SEEN)).toBe(SEEN);
    timeoutSeconds = 60;
    expect(await koh().find({}, { sort: { _id: 1 } })).toMatchObject([{ price: 500 }, { price: 700 }]);
    error = "unavailable";
    expect(await run()).toBe(false);
    error = null;
    expect(await run()).toBe(true);
    await seenParts().deleteMany({});
    expect(await run()).toBe(true);
  });
});

describe("The price of a checkout", () => {
  const age = (ms: number) => koh().updateMany({}, { $set: { updatedAt: new Date(Date.now() - ms) } });

  it("is confirmed by the dealer once when it is older than PRICE_MAX_AGE", async () => {
    const system = await start();
    await sell(system);
    expect(await price(system, true)).toBe(500);
    await age(2 * DAY_MS);
    expect(await price(system, false)).toBe(500);
    expect(await inquiries()).toEqual([]);
    expect(await price(system, true)).toBe(25_095);
    expect(await inquiries()).toMatchObject([{ asked: 1, answered: 1 }]);
    await eventually(async () => (await seenParts().findOne({ _id: SEEN! }))?.toldAt);
    await age(2 * DAY_MS);
    expect(await price(system, true)).toBe(25_095);
    expect(await inquiries()).toHaveLength(1);
    await koh().updateMany({}, { $set: { status: "discontinued" } });
    expect(await price(system, true, OTHER)).toBe(600);
    expect(await inquiries()).toHaveLength(1);
  });

  it("is the catalog's within a second where the dealer does not answer, and the log says so", async () => {
    const system = await start();
    await sell(system);
    await age(2 * DAY_MS);
    await fault({ kind: "slow", value: 8_000 });
    const begun = performance.now();
    expect(await price(system, true)).toBe(500);
    expect(performance.now() - begun).toBeLessThan(7_000);
    expect(system.warnings.filter((warning) => warning.includes("Old prices of a checkout count"))).toHaveLength(1);
  });

  it("is the dealer's if a shopper was shown another than the catalog's, also after a recent answer", async () => {
    const system = await start({ PRICE_MAX_AGE: "off", STOCK_POLICY: "sell,KOH=up_to_stock" });
    await sell(system);
    const parts = [{ vendor: "KOH", partNumber: "24 651 30-S" }];
    const [live] = (
      await call(system.broker, "dis-router.inquire", { parts, announce: false, maxAgeSeconds: 60, deadlineMs: 5_000 })
    ).parts;
    expect(live).toMatchObject({ live: true, price: 25_095, quantity: expect.any(Number) });
    const items = [{ productId: SEEN!, partNumber: "", shown: 25_095 }];
    const priced = await call(system.broker, "catalog.price", { items, confirmed: true });
    expect(priced.items).toMatchObject([{ price: 25_095 }]);
    expect(await koh().findOne({ _id: SEEN! })).toMatchObject({ stock: { quantityOnHand: live!.quantity } });
    expect(await inquiries()).toHaveLength(1);
    // The stock of a part that is sold up to it alone is asked for too.
    expect(await price(system, true, OTHER)).not.toBe(600);
    expect(await inquiries()).toHaveLength(2);
    await call(system.broker, "catalog.price", { items, confirmed: true });
    expect(await inquiries()).toHaveLength(2);
  });

  it("is what the dealer says now, where a price file came after its answer that a shopper was shown", async () => {
    const system = await start({ PRICE_MAX_AGE: "off" });
    await sell(system);
    const parts = [{ vendor: "KOH", partNumber: "24 651 30-S" }];
    await call(system.broker, "dis-router.inquire", { parts });
    await eventually(async () => (await koh().findOne({ _id: SEEN! }))?.price === 25_095);
    await sell(system, 186);
    const asked = async (shown: number) =>
      (
        await call(system.broker, "catalog.price", {
          items: [{ productId: SEEN!, partNumber: "", shown }],
          confirmed: true,
        })
      ).items[0]!.price;
    expect([await asked(18_600), (await inquiries()).length]).toEqual([18_600, 1]);
    await fault({ kind: "error", value: 503 });
    expect(await asked(25_095)).toBe(18_600);
    await allWell();
    expect(await asked(25_095)).toBe(25_095);
  });

  it("is asked for by nobody with PRICE_MAX_AGE=off", async () => {
    const system = await start({ PRICE_MAX_AGE: "off" });
    await sell(system);
    await age(900 * DAY_MS);
    expect(await price(system, true)).toBe(500);
    expect(await inquiries()).toEqual([]);
  });
});
