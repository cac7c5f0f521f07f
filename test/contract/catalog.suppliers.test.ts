/** @jest-environment-options {"hasOwnModules": true} */
import "../support/harrow/list.ts";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { OUTBOX, type OutboxRow } from "../../packages/durable/src/channels/outbox.ts";
import { scrape } from "@partline/moleculer-kit";
import type { Settings } from "../../broker/settings.ts";
import type { RequestFact, StartSupplierSandbox } from "../../packages/sandbox/src/listing/server.ts";
import type { HttpServer } from "../../packages/sandbox/src/server/http-server.ts";
import { readItem } from "../../services/catalog/suppliers/read-item.ts";
import { SUPPLIERS } from "../../services/catalog/suppliers/list.ts";
import { call } from "../../services/contracts.ts";
import { leaveByDeath, ended } from "./catalog.support.ts";
import { eventually } from "../support/eventually.ts";
import { mongoSetting } from "../support/mongo.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { createFaults } from "../support/sandbox-faults.ts";

const COUNT = 100;
const PAGE = 30;
const PAGES = 4;
const KEY = "key";
/** Of suppliers that the product does not have. */
const STAND_INS: Readonly<Record<string, string>> = { harrow: "../support/harrow/server.ts" };

describe.each(SUPPLIERS.map((supplier) => [supplier.name, supplier] as const))("the supplier %s", (_name, supplier) => {
  const { code, id, kind, numberField, settings: declared } = supplier;
  const setting = (what: string): string => `${id.toUpperCase()}_${what}`;
  const slug = code.toLowerCase();
  let sandbox: HttpServer;
  let settings: Settings;
  const running: TestBroker[] = [];

  beforeEach(async () => {
    const { default: start } = (await import(
      STAND_INS[id] ?? `../../packages/sandbox/src/${declared.sandbox.name}/server.ts`
    )) as {
      default: StartSupplierSandbox;
    };
    const imageUrlBase = "http://media.invalid/api/media";
    sandbox = await start({ host: "127.0.0.1", port: 0, apiKey: KEY, imageUrlBase, count: COUNT });
    settings = testSettings({ [setting("URL")]: sandbox.url, [setting("API_KEY")]: KEY });
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((system) => system.stop()));
    await sandbox.close();
  });

  const start = async (more: object = {}): Promise<TestBroker> => {
    const system = await startTestBroker({ services: ["catalog"], settings, ...more });
    running.push(system);
    return system;
  };
  const { set: fault, allWell } = createFaults(() => sandbox);
  const pagesAsked = async (): Promise<number[]> => {
    const { requests } = (await (await fetch(`${sandbox.url}/sandbox/requests`)).json()) as {
      requests: RequestFact[];
    };
    return requests.map(({ page }) => page).sort();
  };
  const begin = async ({ broker }: TestBroker) =>
    (await call(broker, "catalog.batchSync", { supplier: slug, pageSize: PAGE })).syncId;
  const sync = async (system: TestBroker) => ended(system, await begin(system));
  const events = ({ documents }: TestBroker, channel: string) =>
    documents.collection<OutboxRow>(OUTBOX).find({ channel });

  it("has each of its parts written once, under its code, and again only when one changes", async () => {
    settings = { ...settings, mongoUrl: mongoSetting("suppliers").MONGO_URL };
    const system = await start({ transport: "fake" });
    const report = await sync(system);
    expect(report).toMatchObject({
      kind,
      vendor: code,
      status: "completed",
      pages: { done: PAGES, failed: 0, total: PAGES },
      rows: { read: COUNT, written: COUNT, refused: 0, repeated: 0 },
      notes: [],
    });
    expect(report.rate).toBeGreaterThan(0);
    expect(await pagesAsked()).toEqual([1, 2, 3, 4]);
    expect(await sync(system)).toMatchObject({ status: "completed", rows: { written: 0, unchanged: COUNT } });
    // What changed nothing is announced as synced alone.
    expect(await events(system, "catalog.changed")).toHaveLength(1);
    const { parts, pagination } = await call(system.broker, "catalog.parts", { vendor: code, pageSize: 100 });
    expect(pagination.total).toBe(COUNT);
    for (const part of parts) expect([part.manufacturer.code, part.sources]).toEqual([code, [id]]);
    expect(parts.some(({ price, stock }) => price !== undefined && stock !== undefined)).toBe(true);
    await fault({ kind: "discontinued", value: 5 });
    const { rows } = await sync(system);
    expect(rows.written).toBeGreaterThan(0);
    expect([rows.written + rows.unchanged, rows.written <= 5]).toEqual([COUNT, true]);
    const counts = { unchanged: 0, discontinued: 0, refused: 0 };
    expect(await events(system, "catalog.synced")).toMatchObject([
      { payload: { vendor: code, syncId: report.syncId, written: COUNT, ...counts } },
      {},
      {},
    ]);
  });

  it("is asked again for a page that failed or was refused for being too many", async () => {
    const system = await start();
    await fault({ kind: "rate_limited", page: 1, value: 1, times: 1 });
    await fault({ kind: "error", page: 2, value: 503, times: 2 });
    expect(await sync(system)).toMatchObject({ status: "completed", pages: { failed: 0 }, rows: { written: COUNT } });
    expect(await pagesAsked()).toEqual([1, 1, 2, 2, 2, 3, 4]);
  }, 60_000);

  it("loses only the items of a page that could not be read, and nothing is taken for gone", async () => {
    const system = await start();
    await sync(system);
    await fault({ kind: "not_json", page: 2 });
    await fault({ kind: "vanished", value: 10 });
    const report = await sync(system);
    expect(report).toMatchObject({
      status: "partially_failed",
      pages: { failed: 1 },
      rows: { discontinued: 0 },
      errors: [{ page: 2, reason: `The ${supplier.title} gave an answer that cannot be read` }],
    });
    expect(report.notes).toContain("No part was discontinued for not being listed: 1 of its pages could not be read");
    expect((await events(system, "sync.ended")).at(-1)).toMatchObject({
      payload: { vendor: code, status: "partially_failed" },
    });
    const metrics = (await scrape(system.broker)).split("\n");
    expect(metrics).toContain(
      `partline_catalog_syncs_total{kind="${kind}",vendor="${code}",outcome="partially_failed"} 1`,
    );
    expect(metrics).toContain(`partline_provider_failures_total{provider="${id}",reason="unreadable"} 1`);
  });

  it("has unusable items reported by page and place, and skipped", async () => {
    const system = await start();
    await fault({ kind: "malformed", page: 2, value: 2 });
    const report = await sync(system);
    expect(report).toMatchObject({
      status: "partially_failed",
      rows: { read: COUNT, refused: 2, written: COUNT - 2 },
      refused: [
        { page: 2, item: 1 },
        { page: 2, item: 2 },
      ],
    });
    for (const { reason } of report.refused) expect(reason).toMatch(/: the field '\w+' must be /);
  });

  it("has parts discontinued that a whole listing does not have any more, and takes them back", async () => {
    const system = await start();
    const active = async () =>
      (await call(system.broker, "catalog.changes", { vendor: code, after: 0, limit: 1_000 })).parts.filter(
        ({ status }) => status === "active",
      ).length;
    // A part that the supplier never listed is not taken for gone.
    const ownId = `${code.toLowerCase()}-own1`;
    const stream = Readable.from(["part_number,title\nOWN-1,One of our own\n"]);
    await call(system.broker, "catalog.import", { vendor: code, contentType: "text/csv" }, { stream });
    await sync(system);
    const activeBefore = await active();
    await fault({ kind: "vanished", value: 10 });
    const { status, rows, notes } = await sync(system);
    expect([status, rows.discontinued > 5]).toEqual(["completed", true]);
    expect(notes).toEqual([`${rows.discontinued} parts were discontinued: they are no longer listed`]);
    expect(await active()).toBe(activeBefore - rows.discontinued);
    expect(await call(system.broker, "catalog.get", { id: ownId })).toMatchObject({ status: "active" });
    await allWell();
    expect((await sync(system)).rows.written).toBe(rows.discontinued);
    expect(await active()).toBe(activeBefore);
  });

  it("that repeats its pages for ever is not asked for ever", async () => {
    const system = await start();
    await fault({ kind: "same_page" });
    await fault({ kind: "total", value: 1_000_000 });
    expect(await sync(system)).toMatchObject({ status: "partially_failed", rows: { written: PAGE, discontinued: 0 } });
    expect((await pagesAsked()).length).toBeLessThan(20);
  }, 60_000);

  it("is gone on with where a process died, and no page that is done is asked for again", async () => {
    const first = await start();
    await fault({ kind: "stall", page: 3 });
    const syncId = await begin(first);
    await eventually(async () => (await call(first.broker, "catalog.sync", { syncId })).pages.done >= 2);
    await eventually(async () => (await pagesAsked()).includes(3));
    await first.tasks.stop();
    await first.broker.stop();
    await allWell();
    // As kill -9 leaves it: the only process of an embedded store does not wait for a lease.
    await leaveByDeath(first.documents, syncId, new Date(Date.now() + 60_000));
    const second = await start({ documents: first.documents });
    expect(await ended(second, syncId)).toMatchObject({
      status: "completed",
      pages: { done: PAGES, failed: 0 },
      rows: { read: COUNT, written: COUNT, unchanged: 0 },
    });
    expect((await pagesAsked()).filter((page) => page < 3)).toEqual([1, 2]);
  }, 60_000);

  it("refuses a wrong key, and the sync says so", async () => {
    settings = testSettings({ [setting("URL")]: sandbox.url, [setting("API_KEY")]: "wrong" });
    const system = await start();
    expect(await sync(system)).toMatchObject({
      status: "failed",
      notes: [`Nothing was read: The ${supplier.title} refused the request (status 401)`],
    });
    expect(await events(system, "catalog.synced")).toEqual([]);
    expect(await events(system, "sync.ended")).toMatchObject([{ payload: { vendor: code, status: "failed" } }]);
    const page = call(system.broker, "catalog.syncPage", { supplier: slug });
    await expect(page).rejects.toMatchObject({ code: "PROVIDER_ERROR" });
  });

  it("needs its address and key where it is not stood in for", async () => {
    const production = { NODE_ENV: "production", [setting("URL")]: "https://supplier.example" };
    expect(() => testSettings(production)).toThrow(`${setting("API_KEY")} is not set`);
    expect(() => testSettings({ ...production, [setting("URL")]: "sandbox" })).toThrow(
      `${setting("URL")} is the sandbox, which does not run in production`,
    );
    expect(testSettings({ [setting("URL")]: "sandbox" }).suppliers[code]?.sandbox?.name).toBe(declared.sandbox.name);
    if (declared.unset === "sandbox") {
      expect(() => testSettings({ ...production, [setting("URL")]: "" })).toThrow(`${setting("URL")} is not set`);
      expect(testSettings().suppliers[code]?.sandbox).toBeDefined();
      return;
    }
    expect(testSettings().suppliers[code]).toBeUndefined();
    expect(() => testSettings({ [setting("API_KEY")]: KEY })).toThrow(`${setting("URL")} is not set`);
    settings = testSettings();
    await expect(begin(await start())).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("is synced by no process whose settings lack it", async () => {
    const first = await start();
    await fault({ kind: "stall" });
    const syncId = await begin(first);
    await eventually(async () => (await pagesAsked()).length > 0);
    await first.tasks.stop();
    await first.broker.stop();
    settings = { ...settings, suppliers: {} };
    expect(await ended(await start({ documents: first.documents }), syncId)).toMatchObject({
      status: "failed",
      notes: ["This process has no address for the supplier in its settings"],
    });
  });

  it("is read or refused item by item, for any content", () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ [numberField]: fc.string() })), (item) => {
        const { news, refusal } = readItem(supplier, item);
        expect((news === undefined) !== (refusal === undefined)).toBe(true);
      }),
    );
  });
});
