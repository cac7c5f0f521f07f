import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { Settings } from "../../broker/settings.ts";
import { OUTBOX, type OutboxRow } from "../../packages/durable/src/channels/outbox.ts";
import type { DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import type { HttpServer } from "../../packages/sandbox/src/server/http-server.ts";
import startTireSandbox from "../../packages/sandbox/src/tires/server.ts";
import { getPartsCollection } from "../../services/catalog/collections.ts";
import { createPartWriter } from "../../services/catalog/part-writer.ts";
import { NO_ROWS, SYNC_PAGES, SYNCS, type SyncRecord } from "../../services/catalog/syncs/records.ts";
import type { HeldSync } from "../../services/catalog/syncs/sync-runner.ts";
import { KMT } from "../../services/catalog/suppliers/kmt/kmt.ts";
import { openSupplier } from "../../services/catalog/suppliers/open.ts";
import { createListingSync } from "../../services/catalog/syncs/listing-sync.ts";
import { call } from "../../services/contracts.ts";
import { TASKS } from "../../packages/durable/src/tasks/task.ts";
import { ended } from "./catalog.support.ts";
import { eventually } from "../support/eventually.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { createFaults } from "../support/sandbox-faults.ts";

const TIRES = 230;
const apiKey = "key";
let supplier: HttpServer;
let settings: Settings;
const running: TestBroker[] = [];

beforeEach(async () => {
  supplier = await startTireSandbox({
    host: "127.0.0.1",
    port: 0,
    apiKey,
    imageUrlBase: "http://media.invalid/api/media",
    count: TIRES,
  });
  settings = testSettings({ TIRE_SUPPLIER_URL: supplier.url, TIRE_SUPPLIER_API_KEY: apiKey });
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((system) => system.stop()));
  await supplier.close();
});

async function start(documents?: DocumentStore): Promise<TestBroker> {
  const system = await startTestBroker({ services: ["catalog"], settings, documents });
  running.push(system);
  return system;
}

const { set: fault, allWell } = createFaults(() => supplier);
const begin = async ({ broker }: TestBroker, pageSize = 50) =>
  (await call(broker, "catalog.batchSync", { supplier: "kmt", pageSize })).syncId;
const sync = async (system: TestBroker, pageSize?: number) => ended(system, await begin(system, pageSize));
const active = async ({ broker }: TestBroker) =>
  (await call(broker, "catalog.changes", { vendor: "KMT", after: 0, limit: 1_000 })).parts.filter(
    ({ status }) => status === "active",
  ).length;

describe("a supplier's bad day", () => {
  it("has items whose number cannot be read: the parts that they stand for are not taken for gone", async () => {
    const system = await start();
    await sync(system);
    const activeBefore = await active(system);
    await fault({ kind: "malformed", value: 30 });
    const report = await sync(system);
    expect(report).toMatchObject({ status: "partially_failed", rows: { read: TIRES, refused: 150, discontinued: 0 } });
    expect(report.notes).toEqual([
      "150 of 230 items could not be used",
      "No part was discontinued for not being listed: 45 of its items have no readable item number",
    ]);
    expect(await active(system)).toBe(activeBefore);
    await allWell();
    // Refused, but with numbers that can be read: they are listed, and what is not listed is gone all the same.
    await fault({ kind: "malformed", page: 2, value: 5 });
    await fault({ kind: "vanished", value: 10 });
    const readable = await sync(system);
    expect(readable).toMatchObject({ status: "partially_failed", rows: { refused: 5 } });
    expect(readable.rows.discontinued).toBeGreaterThan(5);
    expect(await active(system)).toBe(activeBefore - readable.rows.discontinued);
  });

  it("has items twice, which push others off: none is taken for gone", async () => {
    const system = await start();
    await sync(system);
    await fault({ kind: "repeated", page: 3, value: 4 });
    const report = await sync(system);
    expect(report).toMatchObject({ status: "partially_failed", rows: { read: TIRES, repeated: 4, discontinued: 0 } });
    expect(report.notes).toEqual([expect.stringContaining("announces 230 items, but its pages have 226")]);
  });

  it("announces items and has none: nothing was had", async () => {
    const system = await start();
    await sync(system);
    await fault({ kind: "empty" });
    const report = await sync(system, 100);
    expect(report).toMatchObject({ status: "failed", rows: { read: 0, discontinued: 0 } });
    expect(report.notes).toEqual([
      "Nothing was read",
      expect.stringContaining("announces 230 items, but its pages have 0"),
    ]);
    expect(await system.documents.collection<OutboxRow>(OUTBOX).find({ channel: "catalog.synced" })).toHaveLength(1);
  });

  it("lies about its total: nothing is missed, and nothing is taken for gone", async () => {
    const system = await start();
    await sync(system);
    await fault({ kind: "total", value: 100 });
    expect(await sync(system)).toMatchObject({
      status: "completed",
      pages: { done: 5, total: 5 },
      rows: { read: TIRES, discontinued: 0 },
    });
    await allWell();
    await fault({ kind: "total", value: 1_000_000 });
    const long = await sync(system);
    expect(long).toMatchObject({ status: "partially_failed", rows: { read: TIRES, discontinued: 0 } });
    expect(long.notes.join("\n")).toMatch(
      /pages were skipped: those before them were empty[^]*No part was discontinued/,
    );
    await allWell();
    await fault({ kind: "vanished", value: 200 });
    const short = await sync(system);
    expect(short).toMatchObject({ status: "partially_failed", rows: { read: TIRES - 200, discontinued: 0 } });
    expect(short.notes).toEqual([expect.stringMatching(/it has 30 parts, but \d+ were active before/)]);
    await allWell();
    await fault({ kind: "empty", page: 2 });
    expect(await sync(system)).toMatchObject({
      status: "partially_failed",
      rows: { read: TIRES - 50, discontinued: 0 },
      notes: [expect.stringContaining("announces 230 items, but its pages have 180")],
    });
  }, 60_000);

  it("has more pages than it says, one of them unreadable: its items are not taken for gone", async () => {
    const system = await start();
    await sync(system);
    await fault({ kind: "total", value: 100 });
    await fault({ kind: "not_json", page: 4 });
    expect(await sync(system)).toMatchObject({
      status: "partially_failed",
      pages: { done: 3, failed: 1 },
      rows: { read: 150, discontinued: 0 },
      errors: [{ page: 4 }],
      notes: ["No part was discontinued for not being listed: 1 of its pages could not be read"],
    });
  });

  it.each([
    [{ kind: "error", value: 503 }, "The tire supplier failed (status 503)"],
    [{ kind: "not_json" }, "The tire supplier gave an answer that cannot be read"],
  ] as const)(
    "takes nothing for gone if the page behind a total that is too low cannot be read: %j",
    async (lost, reason) => {
      const system = await start();
      expect(await sync(system)).toMatchObject({ status: "completed" });
      await fault({ kind: "total", value: 100 });
      await fault({ ...lost, page: 3 });
      expect(await sync(system, 50)).toMatchObject({
        status: "partially_failed",
        rows: { discontinued: 0 },
        pages: { failed: 0 },
        notes: [
          `The end of the listing was not found: ${reason}`,
          "No part was discontinued for not being listed: the end of the listing was not found",
        ],
      });
    },
  );

  it("ends where the supplier says that it has no such page", async () => {
    const system = await start();
    await fault({ kind: "total", value: 100 });
    await fault({ kind: "error", value: 404, page: 3 });
    expect(await sync(system, 50)).toMatchObject({
      status: "completed",
      pages: { done: 2, failed: 0, total: 2 },
      notes: [],
    });
  });
});

describe("one sync in the cluster", () => {
  it("runs at a time: who asks for a second gets the first", async () => {
    const first = await start();
    const second = await start(first.documents);
    await fault({ kind: "stall", page: 2, times: 1 });
    const ids = await Promise.all([begin(first), begin(second), begin(first), begin(second)]);
    expect(new Set(ids).size).toBe(1);
    const progress = await eventually(async () => {
      const report = await call(second.broker, "catalog.sync", { syncId: ids[0] });
      return report.pages.done >= 4 && report;
    });
    expect(progress).toMatchObject({ status: "running", pages: { done: 4, total: 5 }, finishedAt: null });
    expect(await begin(second)).toBe(ids[0]);
  });

  it("whose task an operator drops stops, and is reported as failed when the next one begins", async () => {
    const system = await start();
    await fault({ kind: "stall", page: 3 });
    const syncId = await begin(system);
    await eventually(async () => (await call(system.broker, "catalog.sync", { syncId })).pages.done >= 4);
    expect(await system.tasks.drop(`catalog.sync:${syncId}`)).toBe(true);
    await allWell();
    const next = await sync(system);
    expect(next.syncId).not.toBe(syncId);
    expect(next).toMatchObject({ status: "completed", pages: { done: 5 } });
    expect(await call(system.broker, "catalog.sync", { syncId })).toMatchObject({
      status: "failed",
      pages: { done: 4 },
      notes: ["Its task was dropped"],
    });
    const ends = await system.documents.collection<OutboxRow>(OUTBOX).find({ channel: "sync.ended" });
    expect(ends.map(({ payload }) => payload)).toContainEqual({ vendor: "KMT", syncId, status: "failed" });
  });

  it("writes nothing any more for who has lost it", async () => {
    const { documents } = await start();
    const startedAt = new Date();
    const record: SyncRecord = {
      _id: "sync_1",
      kind: "tires",
      vendor: "KMT",
      running: "KMT",
      status: "running",
      startedAt,
      deadline: new Date(Date.now() + 60_000),
      pageSize: 50,
      pages: { done: 0, failed: 0 },
      rows: NO_ROWS,
      discontinued: 0,
      activeBefore: 0,
      notes: [],
      expiresAt: new Date(Date.now() + 60_000),
    };
    await documents.collection<SyncRecord>(SYNCS).insertOne(record);
    const unreachable = (): never => {
      throw new Error("It got as far as the end");
    };
    const work = createListingSync({
      documents,
      writer: createPartWriter(documents),
      suppliers: [openSupplier(KMT, { url: supplier.url, apiKey, slug: "kmt" }, { turn: async () => undefined })],
      readRecord: async () => record,
      createSyncedEvent: unreachable,
    });
    const lost: HeldSync = {
      record,
      signal: new AbortController().signal,
      updateProgress: (update) => [
        {
          collection: TASKS,
          require: true,
          updateOne: {
            filter: { _id: "catalog.sync:sync_1", holder: "me" },
            update: { $set: { heldUntil: startedAt } },
          },
        },
        { collection: SYNCS, updateOne: { filter: { _id: record._id }, update } },
      ],
    };
    await expect(work(lost)).rejects.toMatchObject({ code: "CONDITION_FAILED" });
    expect(await documents.collection<SyncRecord>(SYNCS).findOne({ _id: "sync_1" })).toEqual(record);
    expect(await documents.collection(getPartsCollection("KMT")).count({})).toBe(0);
    expect(await documents.collection(SYNC_PAGES).count({})).toBe(0);
  });

  it("is over when its time is", async () => {
    settings = testSettings({
      TIRE_SUPPLIER_URL: supplier.url,
      TIRE_SUPPLIER_API_KEY: apiKey,
      SYNC_TIMEOUT_SECONDS: "2",
    });
    const system = await start();
    await fault({ kind: "slow", value: 700 });
    const report = await sync(system, 20);
    expect(report.status).toBe("partially_failed");
    expect(report.pages.done).toBeLessThan(12);
    expect(report.notes[0]).toMatch(/^The time limit was reached/);
    expect(report.rows.discontinued).toBe(0);
  });

  it("is over when its time is, though no page is left that the supplier says it has: none of those behind them is taken for gone", async () => {
    const whole = await start();
    expect(await sync(whole)).toMatchObject({ status: "completed" });
    settings = testSettings({
      TIRE_SUPPLIER_URL: supplier.url,
      TIRE_SUPPLIER_API_KEY: apiKey,
      SYNC_TIMEOUT_SECONDS: "1",
    });
    const system = await start(whole.documents);
    await fault({ kind: "total", value: 15 });
    const report = await sync(system, 15);
    expect(report).toMatchObject({ status: "partially_failed", rows: { discontinued: 0 } });
    expect(report.rows.read).toBeLessThan(TIRES);
    // What was asked for last was behind the pages that it says it has, and may have been behind one more.
    expect(report.notes.at(-1)).toMatch(
      /^No part was discontinued for not being listed: (?:the end of the listing was not found|1 of its pages could not be read)$/,
    );
  });
});

describe("the syncs that there were", () => {
  it("are listed newest first, by vendor and by status, without their lists", async () => {
    const system = await start();
    const whole = await sync(system);
    await fault({ kind: "malformed", page: 1, value: 2 });
    await fault({ kind: "error", page: 2, value: 503, times: 1 });
    const warn = jest.spyOn(system.broker.logger, "warn");
    const broken = await sync(system);
    const told = {
      sync: broken.syncId,
      kind: "tires",
      vendor: "KMT",
      outcome: "partially_failed",
      notes: broken.notes,
    };
    expect(warn.mock.calls).toEqual([[told, expect.stringContaining("did not complete")]]);
    const list = (query: object = {}) => call(system.broker, "catalog.syncs", query);
    const { refused, failed, errors, ...summary } = broken;
    expect([refused.length, failed, errors]).toEqual([2, [], []]);
    const all = await list();
    expect(all).toMatchObject({
      syncs: [{ syncId: broken.syncId }, { syncId: whole.syncId, status: "completed" }],
      pagination: { page: 1, pageSize: 20, total: 2, totalPages: 1 },
    });
    expect(all.syncs[0]).toEqual(summary);
    expect(await list({ page: 2, pageSize: 1 })).toMatchObject({
      syncs: [{ syncId: whole.syncId }],
      pagination: { page: 2, pageSize: 1, total: 2, totalPages: 2 },
    });
    const ids = async (query: object) => (await list(query)).syncs.map(({ syncId }) => syncId);
    expect(await ids({ status: "partially_failed" })).toEqual([broken.syncId]);
    expect(await ids({ vendor: "kmt", status: "completed" })).toEqual([whole.syncId]);
    expect([await ids({ vendor: "bns" }), await ids({ status: "running" })]).toEqual([[], []]);
    await expect(list({ vendor: "zzz" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("one page of the listing", () => {
  it("is synced by itself, under the supplier's path segment alone", async () => {
    const system = await start();
    expect(await call(system.broker, "catalog.syncPage", { supplier: "KMT", page: 2, pageSize: 100 })).toEqual({
      page: 2,
      pageSize: 100,
      total: TIRES,
      totalPages: 3,
      read: 100,
      written: 100,
      unchanged: 0,
      repeated: 0,
      refused: [],
      refusedTotal: 0,
    });
    const announced = await system.documents
      .collection<OutboxRow>(OUTBOX)
      .find({ channel: { $in: ["catalog.changed", "catalog.synced"] } });
    expect(announced.map(({ channel }) => channel)).toEqual(["catalog.changed"]);
    for (const action of ["catalog.syncPage", "catalog.batchSync"] as const) {
      await expect(call(system.broker, action, { supplier: "other" })).rejects.toMatchObject({
        code: "NOT_FOUND",
        message: "Supplier other not found",
      });
    }
    settings = testSettings({
      TIRE_SUPPLIER_URL: supplier.url,
      TIRE_SUPPLIER_API_KEY: apiKey,
      TIRE_SUPPLIER_SLUG: "acme-tires",
    });
    const other = await start();
    expect(await call(other.broker, "catalog.syncPage", { supplier: "acme-tires", pageSize: 10 })).toMatchObject({
      written: 10,
    });
    const { parts } = await call(other.broker, "catalog.parts", { vendor: "KMT" });
    expect(parts[0]).toMatchObject({ manufacturer: { code: "KMT" } });
    await expect(call(other.broker, "catalog.syncPage", { supplier: "kmt" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(call(system.broker, "catalog.sync", { syncId: "sync_none" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});
