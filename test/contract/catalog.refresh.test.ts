import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { OUTBOX, type OutboxRow } from "../../packages/durable/src/channels/outbox.ts";
import type { Settings } from "../../broker/settings.ts";
import { startDealerSandbox } from "../../packages/sandbox/src/dealer/server.ts";
import type { HttpServer } from "../../packages/sandbox/src/server/http-server.ts";
import { priceFile } from "../../packages/sandbox/src/catalog/price-files.ts";
import { createPartWriter } from "../../services/catalog/part-writer.ts";
import {
  createRefresh as refreshWork,
  REFRESH_PAGE,
  type InquiredPart,
  type RefreshDeps,
} from "../../services/catalog/refresh.ts";
import { createSyncReader, type SyncRecord } from "../../services/catalog/syncs/records.ts";
import { call, outbox, type Events } from "../../services/contracts.ts";
import { consumerService } from "../support/consumer-service.ts";
import { eventually } from "../support/eventually.ts";
import { leaveByDeath, startSyncProcess, ended } from "./catalog.support.ts";
import { mongoSetting } from "../support/mongo.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { createFaults } from "../support/sandbox-faults.ts";

const DEALER = { apiKey: "dis key", dealerId: "dealer 1" };
let dealer: HttpServer;
let settings: Settings;
const running: TestBroker[] = [];
beforeEach(async () => {
  dealer = await startDealerSandbox({ host: "127.0.0.1", port: 0, dealer: DEALER });
  settings = testSettings({ DIS_URL: dealer.url, DIS_API_KEY: DEALER.apiKey, DIS_DEALER_ID: DEALER.dealerId });
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((system) => system.stop()));
  await dealer.close();
});

async function start(transport?: "local" | "fake"): Promise<TestBroker> {
  const system = await startTestBroker({ services: ["catalog", "dis-router"], transport, settings });
  running.push(system);
  return system;
}

const importFile = ({ broker }: TestBroker, vendor: string, stream: Readable) =>
  call(broker, "catalog.import", { vendor, contentType: "text/csv" }, { stream });
const fill = (system: TestBroker, vendor: string) => importFile(system, vendor, Readable.from([priceFile(vendor)]));
const refresh = async (system: TestBroker, vendor: string) =>
  ended(system, (await call(system.broker, "catalog.refresh", { vendor })).syncId);
/** The service's own refresh, by a process that does not wait as long for the dealer. */
async function refreshHastily(
  system: TestBroker,
  vendor: string,
  over: Partial<RefreshDeps> = {},
  timeoutSeconds?: number,
) {
  const { runner, tasks, ended: isOver } = await hastyProcess(system, over, timeoutSeconds);
  const syncId = await runner.begin("refresh", vendor, { pageSize: REFRESH_PAGE, activeBefore: 0 });
  await isOver.finally(() => tasks.stop());
  return createSyncReader(system.documents).report(syncId);
}
/** Such a process, which runs refreshes in place of the system's; `ended` once one has. */
async function hastyProcess(
  { broker, documents, tasks: systems }: TestBroker,
  over: Partial<RefreshDeps>,
  timeoutSeconds = 60,
) {
  await systems.stop();
  const work = refreshWork({
    documents,
    writer: createPartWriter(documents),
    onError: () => undefined,
    readRecord: createSyncReader(documents).record,
    inquire: async (parts) => (await call(broker, "dis-router.inquire", { parts, maxAgeSeconds: 0 })).parts,
    retry: { pauseMs: 5, pauses: 2 },
    ...over,
  });
  return startSyncProcess(documents, work, timeoutSeconds);
}
/** As the dealer says it of a part that it has. */
const inStock = ({ vendor, partNumber }: { vendor: string; partNumber: string }): InquiredPart => ({
  vendor,
  partNumber,
  found: true,
  price: null,
  available: true,
  quantity: 12,
  live: true,
  saidAt: new Date(),
  ageSeconds: 0,
  error: null,
});
const all = async ({ broker }: TestBroker, vendor: string) =>
  (await call(broker, "catalog.changes", { vendor, after: 0, limit: 5_000 })).parts;
const { set: fault } = createFaults(() => dealer);

describe("refreshing a vendor's price and stock", () => {
  beforeEach(() => {
    settings = { ...settings, mongoUrl: mongoSetting("refresh").MONGO_URL };
  });

  it("learns both of every part, once", async () => {
    const system = await start("fake");
    await fill(system, "WDS");
    const before = new Map((await all(system, "WDS")).map((part) => [part.id, part]));
    expect(await refresh(system, "wds")).toMatchObject({
      kind: "refresh",
      vendor: "WDS",
      status: "completed",
      pages: { done: 4, total: 4 },
      rows: { read: 200, written: 200, unchanged: 0, notFound: 0, failed: 0 },
      failed: [],
    });
    const after = await all(system, "WDS");
    expect(
      after.every(
        ({ stock, sources, availability }) =>
          stock !== undefined && sources.includes("dis") && availability !== "unknown",
      ),
    ).toBe(true);
    const moved = after.filter(({ id, price }) => price !== before.get(id)!.price);
    expect(moved.length).toBeGreaterThan(5);
    expect(moved.length).toBeLessThan(60);

    expect(await refresh(system, "WDS")).toMatchObject({ rows: { read: 200, written: 0, unchanged: 200 } });
    expect(await all(system, "WDS")).toEqual(after);
    // The file says what it said: it takes no price of the dealer's back.
    await fill(system, "WDS");
    expect(await all(system, "WDS")).toEqual(after);
  });
});

describe("what the dealer says of single parts", () => {
  const said = { vendor: "KOH", partNumber: "24-050-03S", found: true, price: 640, quantity: 3, available: true };
  type Word = Events["dealer.answered"]["parts"][number];
  const hear = async (system: TestBroker, ...words: Omit<Word, "saidAt">[]) => {
    const parts = words.map((word) => ({ saidAt: new Date().toISOString(), ...word }));
    await system.documents.atomically([outbox("dealer.answered", { parts })]);
    system.channels.wake();
    await eventually(async () => {
      const { outbox: waiting, pending, dead } = await system.channels.depth();
      return waiting + pending + dead === 0;
    });
  };
  const revision = async (system: TestBroker) =>
    (await call(system.broker, "catalog.revisions", {})).vendors.map(({ revision }) => revision);

  it("is heard, written only where it is news, and announced to those who follow the catalog", async () => {
    const system = await start("fake");
    await importFile(
      system,
      "KOH",
      Readable.from([Buffer.from("part_number,title,list_price\n24 050 03-S,Filter,5\n24 050 04-S,Filter,6\n")]),
    );
    const told = () => system.documents.collection<OutboxRow>(OUTBOX).count({ channel: "catalog.changed" });
    const before = await told();
    await hear(system, said, { ...said, partNumber: "nobody's" }, { ...said, vendor: "KUH" });
    expect(await call(system.broker, "catalog.get", { id: "koh-2405003s" })).toMatchObject({
      price: 640,
      availability: "low_stock",
      stock: { quantityOnHand: 3 },
      sources: ["price_file", "dis"],
    });
    const price = await call(system.broker, "catalog.price", {
      items: [{ productId: "koh-2405003s", partNumber: "" }],
    });
    expect(price.items[0]).toMatchObject({ found: true, price: 640 });
    expect([await revision(system), await told()]).toEqual([[3], before + 1]);
    await hear(system, said, { ...said, price: null, quantity: null, available: null });
    expect([await revision(system), await told()]).toEqual([[3], before + 1]);
    await hear(system, { ...said, found: false, price: null, quantity: null, available: null });
    expect(await call(system.broker, "catalog.get", { id: "koh-2405003s" })).toMatchObject({
      price: 640,
      availability: "unknown",
    });
    expect((await all(system, "KOH")).length).toBe(2);
  });

  it("is what a checkout asks for while the search index is busy with an import", async () => {
    const [asked, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const busySearch = consumerService("search", {
      "catalog.changed": {
        group: "search",
        handler: () => {
          asked.resolve();
          return taken.promise;
        },
      },
    });
    const system = await startTestBroker({ services: ["catalog", busySearch], settings });
    running.push(system);
    const imported = await importFile(
      system,
      "KOH",
      Readable.from([Buffer.from("part_number,title,list_price\n24 050 03-S,Filter,5\n")]),
    );
    await asked.promise;
    const heard = hear(system, said);
    const items = [{ productId: "koh-2405003s", partNumber: "" }];
    await eventually(async () => (await call(system.broker, "catalog.price", { items })).items[0]?.price === 640);
    taken.resolve();
    await heard;
    expect(imported).toMatchObject({ written: 1 });
  });

  it("is not announced for a caller that asks for the catalog itself", async () => {
    const system = await start();
    await fill(system, "VNT");
    expect(await refresh(system, "VNT")).toMatchObject({ rows: { written: 160 } });
    expect(await system.documents.collection<OutboxRow>(OUTBOX).count({ channel: "dealer.answered" })).toBe(0);
  });
});

describe("a refresh", () => {
  it("counts what the dealer does not know, and leaves it alone", async () => {
    const system = await start();
    await importFile(system, "KOH", Readable.from([Buffer.from("part_number,title,list_price\n99-NOBODY-1,Part,5\n")]));
    const before = await all(system, "KOH");
    expect(await refresh(system, "KOH")).toMatchObject({
      status: "completed",
      rows: { read: 1, notFound: 1, written: 0 },
    });
    expect(await all(system, "KOH")).toEqual(before);
    expect(await refresh(system, "KIN")).toMatchObject({
      status: "completed",
      pages: { done: 0, total: 0 },
      rows: { read: 0 },
    });
  });

  it("takes away the stock of a part that the dealer does not have any more, counted as not found alone, and has search take it in", async () => {
    const system = await start();
    await importFile(
      system,
      "KOH",
      Readable.from(["part_number,title,list_price\nK-1,Part,5\nK-2,Part,6\nK-3,Part,7\n"]),
    );
    const answerInquiry = (part: Parameters<typeof inStock>[0], found: boolean): InquiredPart =>
      found ? inStock(part) : { ...inStock(part), found, available: null, quantity: null };
    const announced = () => system.documents.collection<OutboxRow>(OUTBOX).count({ channel: "catalog.changed" });
    const before = await announced();
    await refreshHastily(system, "KOH", {
      inquire: async (parts) => parts.map((part) => answerInquiry(part, part.partNumber !== "K-3")),
    });
    expect((await all(system, "KOH")).map(({ availability }) => availability).sort()).toEqual([
      "in_stock",
      "in_stock",
      "unknown",
    ]);
    const inquire: RefreshDeps["inquire"] = async (parts) =>
      parts.map((part) => answerInquiry(part, part.partNumber === "K-2"));
    const report = await refreshHastily(system, "KOH", { inquire });
    expect(report).toMatchObject({
      status: "completed",
      rows: { read: 3, written: 0, unchanged: 1, notFound: 2, failed: 0 },
    });
    expect((await announced()) - before).toBe(2);
    const gone = await call(system.broker, "catalog.get", { id: "koh-k1" });
    expect(gone).toMatchObject({ availability: "unknown", price: 500 });
    expect(gone).not.toHaveProperty("stock");
    expect(await call(system.broker, "catalog.get", { id: "koh-k2" })).toMatchObject({
      availability: "in_stock",
      stock: { quantityOnHand: 12 },
    });
    // Known as it is, it is not written again.
    expect(await refreshHastily(system, "KOH", { inquire })).toMatchObject({
      rows: { written: 0, unchanged: 1, notFound: 2 },
    });
  });

  it("keeps what is known while the dealer is down, and says what is missing", async () => {
    const system = await start();
    await fill(system, "VNT");
    const before = await all(system, "VNT");
    await dealer.close();
    const report = await refreshHastily(system, "VNT");
    expect(report).toMatchObject({
      status: "failed",
      rows: { read: 160, failed: 160, written: 0 },
      notes: ["The dealer inventory system did not answer for any part"],
    });
    expect(report.failed).toHaveLength(160);
    expect(report.failed[0]?.code).toBe(report.failed[0]?.reason);
    expect(report.failed[0]).toMatchObject({
      partNumber: before.map(({ partNumber }) => partNumber).sort()[0],
      reason: expect.stringMatching(/unavailable|circuit_open|timed_out/),
    });
    expect(await all(system, "VNT")).toEqual(before);
  }, 60_000);

  it.each([
    ["opens the circuit", { kind: "error", value: 500, times: 5 }],
    ["is busy", { kind: "rate_limited", value: 2, times: 1 }],
  ])(
    "waits for a dealer that %s, and misses no part",
    async (_, blip) => {
      const system = await start();
      await fill(system, "VNT");
      await fault(blip);
      expect(await refresh(system, "VNT")).toMatchObject({
        status: "completed",
        pages: { done: 4 },
        rows: { read: 160, written: 160, failed: 0 },
        failed: [],
      });
    },
    60_000,
  );

  it("gives up a page that it has waited for, waits less for the next, and goes on when the dealer answers", async () => {
    const system = await start();
    await fill(system, "VNT");
    let asked = 0;
    const report = await refreshHastily(system, "VNT", {
      // The first page three times, the second twice; the third is asked for a second time.
      inquire: async (parts) =>
        (asked += 1) <= 6
          ? Promise.reject(new Error("gone"))
          : (await call(system.broker, "dis-router.inquire", { parts, maxAgeSeconds: 0 })).parts,
    });
    expect(report).toMatchObject({
      status: "partially_failed",
      pages: { done: 4 },
      rows: { read: 160, written: 60, failed: 100 },
    });
    expect(report.failed).toHaveLength(100);
    expect(asked).toBe(8);
  });

  /** A refresh of 160 parts of which a process has asked about the first hundred, as kill -9 leaves it. */
  const leftInTheMiddle = async (system: TestBroker, asked: string[], record: Partial<SyncRecord> = {}) => {
    await fill(system, "VNT");
    const isAtThird = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<InquiredPart[]>();
    const first = await hastyProcess(system, {
      inquire: async (parts) => {
        if (asked.length >= 2 * REFRESH_PAGE) return (isAtThird.resolve(), answer.promise);
        asked.push(...parts.map(({ partNumber }) => partNumber));
        return parts.map(inStock);
      },
    });
    const syncId = await first.runner.begin("refresh", "VNT", { pageSize: REFRESH_PAGE, activeBefore: 0 });
    await isAtThird.promise;
    await first.tasks.stop();
    answer.resolve([]);
    await leaveByDeath(system.documents, syncId, new Date(0), record);
    expect(await createSyncReader(system.documents).report(syncId)).toMatchObject({
      status: "running",
      pages: { done: 2 },
      rows: { read: 100, written: 100 },
    });
    return syncId;
  };
  const goOn = async (system: TestBroker, asked: string[], over: Partial<RefreshDeps> = {}) => {
    const { tasks, ended: isOver } = await hastyProcess(system, {
      inquire: async (parts) => (asked.push(...parts.map(({ partNumber }) => partNumber)), parts.map(inStock)),
      ...over,
    });
    await isOver.finally(() => tasks.stop());
  };

  it("that its process leaves in the middle goes on in another behind the last part that was asked about, and none counts twice", async () => {
    const system = await start();
    const asked: string[] = [];
    const syncId = await leftInTheMiddle(system, asked);
    await goOn(system, asked);
    expect(await createSyncReader(system.documents).report(syncId)).toMatchObject({
      status: "completed",
      pages: { done: 4 },
      rows: { read: 160, written: 160, unchanged: 0, failed: 0 },
      failed: [],
      notes: [],
    });
    expect(asked).toHaveLength(160);
    expect(new Set(asked).size).toBe(160);
  });

  it("is over when its time is: what was learnt by then is kept and can be found, and the report says that parts are missing", async () => {
    const system = await start();
    const asked: string[] = [];
    const announced = () => system.documents.collection<OutboxRow>(OUTBOX).count({ channel: "catalog.changed" });
    const syncId = await leftInTheMiddle(system, asked, { deadline: new Date() });
    const before = await announced();
    await goOn(system, asked, {});
    expect(await createSyncReader(system.documents).report(syncId)).toMatchObject({
      status: "partially_failed",
      pages: { done: 2 },
      rows: { read: 100, written: 100, failed: 0 },
      notes: ["The time limit was reached before every part was checked"],
    });
    expect([asked.length, (await announced()) - before]).toEqual([100, 1]);
    expect((await all(system, "VNT")).filter(({ sources }) => sources.includes("dis"))).toHaveLength(100);
  });

  it("keeps the rest where the dealer's word of some parts cannot be used, and names those", async () => {
    const system = await start();
    await fill(system, "VNT");
    await fault({ kind: "malformed", value: 1 });
    const report = await refresh(system, "VNT");
    expect(report).toMatchObject({
      status: "partially_failed",
      rows: { read: 160, failed: 4, written: 156 },
      notes: [],
    });
    const parts = await all(system, "VNT");
    expect(report.failed.map(({ reason }) => reason)).toEqual(Array(4).fill("unreadable"));
    for (const { partNumber } of report.failed)
      expect(parts.find((part) => part.partNumber === partNumber)).toMatchObject({
        availability: "unknown",
        sources: ["price_file"],
      });
  });

  it("of one vendor runs once at a time, those of others beside it", async () => {
    const system = await start();
    await Promise.all(["VNT", "WDS"].map((vendor) => fill(system, vendor)));
    const ids = await Promise.all(
      ["VNT", "WDS", "VNT", "WDS"].map(
        async (vendor) => (await call(system.broker, "catalog.refresh", { vendor })).syncId,
      ),
    );
    expect(new Set(ids).size).toBe(2);
    expect(
      (await Promise.all(ids.slice(0, 2).map((id) => ended(system, id)))).map(({ vendor, status }) => [vendor, status]),
    ).toEqual([
      ["VNT", "completed"],
      ["WDS", "completed"],
    ]);
  });

  it("of a vendor that the dealer does not price is refused with what does", async () => {
    const system = await start();
    const refused = (vendor: string) => expect(call(system.broker, "catalog.refresh", { vendor })).rejects;
    await refused("KUH").toMatchObject({
      code: "VALIDATION_FAILED",
      message: "Kuhn (KUH) is priced by its price files, not through the dealer inventory system",
    });
    await refused("RAV").toMatchObject({ code: "VALIDATION_FAILED" });
    await refused("KMT").toMatchObject({
      code: "VALIDATION_FAILED",
      message: expect.stringContaining("supplier's listing"),
    });
    await refused("FER").toMatchObject({
      code: "NOT_FOUND",
      message: "Vendor FER not found: the code is no longer used",
    });
  });
});
