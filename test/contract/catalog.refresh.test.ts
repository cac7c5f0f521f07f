import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import type { Settings } from "../../broker/settings.ts";
import { startDealerSandbox } from "../../sandbox/dealer/server.ts";
import type { HttpServer } from "../../sandbox/server/http-server.ts";
import { priceFile } from "../../sandbox/catalog/price-files.ts";
import { SUPPLIERS } from "../../sandbox/catalog/suppliers.ts";
import { partWriter } from "../../services/catalog/part-writer.ts";
import {
  refresh as refreshWork,
  REFRESH_PAGE,
  type InquiredPart,
  type RefreshDeps,
} from "../../services/catalog/refresh.ts";
import { SYNCS, type SyncRecord } from "../../services/catalog/syncs/collections.ts";
import { syncReader } from "../../services/catalog/syncs/sync-report.ts";
import { createSyncRunner } from "../../services/catalog/syncs/sync-runner.ts";
import { call } from "../../services/contracts.ts";
import { eventually } from "../support/eventually.ts";
import { mongoTestUrl } from "../support/mongo.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

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

const searchStandIn = (_broker: ServiceBroker): ServiceSchema => ({
  name: "search",
  actions: { refresh: () => ({ indexed: 0 }) },
});

async function start(transport?: "local" | "fake"): Promise<TestBroker> {
  const system = await startTestBroker({ services: ["catalog", "dis-router", searchStandIn], transport, settings });
  running.push(system);
  return system;
}

const importFile = ({ broker }: TestBroker, vendor: string, stream: Readable) =>
  call(broker, "catalog.import", { vendor, contentType: "text/csv" }, { stream } as object);
const fill = (system: TestBroker, vendor: string) =>
  importFile(
    system,
    vendor,
    priceFile(
      SUPPLIERS.find((supplier) => supplier.vendor === vendor)!,
      "http://127.0.0.1",
    ),
  );
const ended = ({ broker }: TestBroker, syncId: string) =>
  eventually(async () => {
    const report = await call(broker, "catalog.sync", { syncId });
    return report.status !== "running" && report;
  }, 60_000);
const refresh = async (system: TestBroker, vendor: string) =>
  ended(system, (await call(system.broker, "catalog.refresh", { vendor })).syncId);
/** The service's own refresh, by a process that does not wait as long for the dealer. */
async function refreshHastily(
  system: TestBroker,
  vendor: string,
  over: Partial<RefreshDeps> = {},
  timeoutSeconds?: number,
) {
  const { runner, ended } = hastyProcess(system, over, timeoutSeconds);
  const syncId = await runner.begin("refresh", vendor, { pageSize: REFRESH_PAGE, activeBefore: 0 });
  await ended.finally(() => runner.stop());
  return syncReader(system.documents).report(syncId);
}
/** Such a process, which runs refreshes; `ended` once one has. */
function hastyProcess({ broker, documents }: TestBroker, over: Partial<RefreshDeps>, timeoutSeconds = 60) {
  const work = refreshWork({
    documents,
    writer: partWriter(documents),
    onError: () => undefined,
    refreshSearch: async () => undefined,
    readRecord: syncReader(documents).record,
    inquire: async (parts) => (await call(broker, "dis-router.inquire", { parts, maxAgeSeconds: 0 })).parts,
    patience: { pauseMs: 5, pauses: 2 },
    ...over,
  });
  const ends = Promise.withResolvers<void>();
  const runner = createSyncRunner({
    documents,
    works: { refresh: work, tires: work },
    timeoutSeconds,
    onEnded: () => ends.resolve(),
    onError: (_message, error) => ends.reject(error),
  });
  return { runner, ended: ends.promise };
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
  ageSeconds: 0,
  error: null,
});
const all = async ({ broker }: TestBroker, vendor: string) =>
  (await call(broker, "catalog.changes", { vendor, after: 0, limit: 5_000 })).parts;
const fault = (body: object) =>
  fetch(`${dealer.url}/sandbox/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  }).then(({ status }) => expect(status).toBe(200));

const PLACES = [
  ["local", "embedded"],
  ["fake", "embedded"],
  ...(process.env.MONGO_URL ? [["fake", "mongodb"] as const] : []),
] as const;

describe.each(PLACES)(
  "refreshing a vendor's price and stock on a %s transport over the %s store",
  (transport, store) => {
    beforeEach(() => {
      if (store === "mongodb") settings = { ...settings, mongoUrl: mongoTestUrl("refresh") };
    });

    it("learns both of every part, once", async () => {
      const system = await start(transport);
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
  },
);

describe("what the dealer says of single parts", () => {
  it("is kept at once, and written only where it is news", async () => {
    const system = await start("fake");
    await importFile(
      system,
      "KOH",
      Readable.from([Buffer.from("part_number,title,list_price\n24 050 03-S,Filter,5\n24 050 04-S,Filter,6\n")]),
    );
    const said = { vendor: "koh", partNumber: "24-050-03S", price: 640, quantity: 3, available: true };
    const unknown = { ...said, partNumber: "nobody's" };
    expect(await call(system.broker, "catalog.learn", { parts: [said, unknown] })).toEqual({
      written: 1,
      unchanged: 1,
    });
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
    expect(await call(system.broker, "catalog.learn", { parts: [said] })).toEqual({ written: 0, unchanged: 1 });
    expect(
      await call(system.broker, "catalog.learn", {
        parts: [{ ...said, price: null, quantity: null, available: null }],
      }),
    ).toEqual({ written: 0, unchanged: 1 });
    expect((await all(system, "KOH")).length).toBe(2);
    expect(
      await call(system.broker, "catalog.learn", {
        parts: [{ ...said, found: false, price: null, quantity: null, available: null }],
      }),
    ).toEqual({ written: 1, unchanged: 0 });
    expect(await call(system.broker, "catalog.get", { id: "koh-2405003s" })).toMatchObject({
      price: 640,
      availability: "unknown",
    });
    await expect(call(system.broker, "catalog.learn", { parts: [{ ...said, vendor: "KUH" }] })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
  });
});

describe("what the dealer says while the search index is busy", () => {
  it("is what a checkout asks for as soon as it is put down", async () => {
    const asked = Promise.withResolvers<void>();
    const free = Promise.withResolvers<{ indexed: number }>();
    const busySearch = (_broker: ServiceBroker): ServiceSchema => ({
      name: "search",
      actions: { refresh: () => (asked.resolve(), free.promise) },
    });
    const system = await startTestBroker({ services: ["catalog", busySearch], settings });
    running.push(system);
    // The import itself waits for the index.
    const importing = importFile(
      system,
      "KOH",
      Readable.from([Buffer.from("part_number,title,list_price\n24 050 03-S,Filter,5\n")]),
    );
    await asked.promise;
    const said = { vendor: "KOH", partNumber: "24 050 03-S", price: 640, quantity: 3, available: true };
    expect(await call(system.broker, "catalog.learn", { parts: [said] }, { timeout: 700 })).toEqual({
      written: 1,
      unchanged: 0,
    });
    expect(
      (await call(system.broker, "catalog.price", { items: [{ productId: "koh-2405003s", partNumber: "" }] })).items[0],
    ).toMatchObject({ price: 640 });
    free.resolve({ indexed: 0 });
    expect(await importing).toMatchObject({ written: 1 });
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
    const said = (partNumber: string, found: boolean): InquiredPart => ({
      vendor: "KOH",
      partNumber,
      found,
      price: null,
      available: found || null,
      quantity: found ? 12 : null,
      live: true,
      ageSeconds: 0,
      error: null,
    });
    let refreshes = 0;
    const refreshSearch = async (): Promise<undefined> => void (refreshes += 1);
    await refreshHastily(system, "KOH", {
      refreshSearch,
      inquire: async (parts) => parts.map(({ partNumber }) => said(partNumber, partNumber !== "K-3")),
    });
    expect((await all(system, "KOH")).map(({ availability }) => availability).sort()).toEqual([
      "in_stock",
      "in_stock",
      "unknown",
    ]);
    const inquire: RefreshDeps["inquire"] = async (parts) =>
      parts.map(({ partNumber }) => said(partNumber, partNumber === "K-2"));
    const report = await refreshHastily(system, "KOH", { refreshSearch, inquire });
    expect(report).toMatchObject({
      status: "completed",
      rows: { read: 3, written: 0, unchanged: 1, notFound: 2, failed: 0 },
    });
    expect(refreshes).toBe(2);
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
      notes: ["The dealer inventory system answered for no part"],
    });
    expect(report.failed).toHaveLength(160);
    expect(report.failed[0]).toEqual({
      partNumber: before.map(({ partNumber }) => partNumber).sort()[0],
      reason: expect.stringMatching(/unavailable|circuit_open|timed_out/),
    });
    expect(await all(system, "VNT")).toEqual(before);
  }, 60_000);

  it("fails, and ends, where nobody can ask the dealer", async () => {
    const system = await startTestBroker({ services: ["catalog", searchStandIn], settings });
    running.push(system);
    await fill(system, "VNT");
    expect(await refreshHastily(system, "VNT")).toMatchObject({
      status: "failed",
      rows: { read: 160, failed: 160 },
      finishedAt: expect.any(Date),
    });
  });

  it.each([
    ["opens the circuit", { kind: "error", value: 500, times: 5 }],
    ["is busy", { kind: "rate_limited", value: 6, times: 1 }],
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
    const first = hastyProcess(system, {
      inquire: async (parts) => {
        if (asked.length >= 2 * REFRESH_PAGE) return (isAtThird.resolve(), answer.promise);
        asked.push(...parts.map(({ partNumber }) => partNumber));
        return parts.map(inStock);
      },
    });
    const syncId = await first.runner.begin("refresh", "VNT", { pageSize: REFRESH_PAGE, activeBefore: 0 });
    await isAtThird.promise;
    await first.runner.stop();
    answer.resolve([]);
    await system.documents
      .collection<SyncRecord>(SYNCS)
      .updateOne({ _id: syncId }, { $set: { holder: "dead", heldUntil: new Date(0), ...record } });
    expect(await syncReader(system.documents).report(syncId)).toMatchObject({
      status: "running",
      pages: { done: 2 },
      rows: { read: 100, written: 100 },
    });
    return syncId;
  };
  const goOn = async (system: TestBroker, asked: string[], over: Partial<RefreshDeps> = {}) => {
    const { runner, ended } = hastyProcess(system, {
      inquire: async (parts) => (asked.push(...parts.map(({ partNumber }) => partNumber)), parts.map(inStock)),
      ...over,
    });
    runner.start();
    await ended.finally(() => runner.stop());
  };

  it("that its process leaves in the middle goes on in another behind the last part that was asked about, and none counts twice", async () => {
    const system = await start();
    const asked: string[] = [];
    const syncId = await leftInTheMiddle(system, asked);
    await goOn(system, asked);
    expect(await syncReader(system.documents).report(syncId)).toMatchObject({
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
    let refreshes = 0;
    const syncId = await leftInTheMiddle(system, asked, { deadline: new Date() });
    await goOn(system, asked, { refreshSearch: async () => void (refreshes += 1) });
    expect(await syncReader(system.documents).report(syncId)).toMatchObject({
      status: "partially_failed",
      pages: { done: 2 },
      rows: { read: 100, written: 100, failed: 0 },
      notes: ["Its time was over before every part was asked about"],
    });
    expect([asked.length, refreshes]).toEqual([100, 1]);
    expect((await all(system, "VNT")).filter(({ sources }) => sources.includes("dis"))).toHaveLength(100);
  });

  it("keeps the rest where the dealer's word of some parts cannot be used, and tells which", async () => {
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
      message: expect.stringContaining("tire supplier's listing"),
    });
    await refused("FER").toMatchObject({
      code: "NOT_FOUND",
      message: "Vendor FER not found: the code is no longer used",
    });
  });
});
