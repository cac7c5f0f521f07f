import { beforeAll, describe, expect, it, test } from "@jest/globals";
import type { HttpMethod } from "@partline/api-contracts";
import { eventually } from "../support/eventually.ts";
import { ADMIN_TOKEN, startSystem, type Answer } from "../support/system.ts";
import { useStarted } from "../support/use-started.ts";
import { testExamples } from "./examples.ts";

const system = useStarted(() => startSystem({ fillsCatalog: true }));
/** Status of each picture of the home page, at the moment of the start. */
let firstPictures: number[];
beforeAll(async () => {
  const home = await (await fetch(system.url("shop"))).text();
  const pictures = [...home.matchAll(/src="(\/api\/media\/[^"]+)/g)].map(([, path]) => path!.replace("&amp;", "&"));
  firstPictures = await Promise.all(pictures.map(async (path) => (await fetch(system.url("shop") + path)).status));
  // The catalog's first fill is over, and the index has it.
  await eventually(async () => {
    const { body } = await system.request("search", "GET", "/health");
    return body.delta === 0 && body.docCount_es > 4_000;
  }, 60_000);
});

const admin = (method: HttpMethod, path: string, body?: unknown): Promise<Answer> =>
  system.request("gateway", method, `/api/admin/search${path}`, {
    adminToken: ADMIN_TOKEN,
    ...(body === undefined ? {} : { body }),
  });
const ended = (buildId: string): Promise<Answer["body"]> =>
  eventually(async () => {
    const { body } = await admin("GET", `/builds/${buildId}`);
    return body.status !== "running" && body;
  }, 60_000);
const live = async (): Promise<string[]> =>
  (await admin("GET", "/indexes")).body.indexes
    .flatMap((index: { name: string; live: boolean }) => (index.live ? [index.name] : []))
    .sort();

test("on a fresh start the first screens show what the dealer has, and at its price", async () => {
  for (const query of ["limit=20", "limit=20&page=2", "q=carburetor", "q=belt", "q=spark%20plug"]) {
    const { parts } = (await system.request("search", "GET", `/api/search?${query}`)).body;
    const known = parts.filter(({ availability }: { availability: string }) => availability !== "unknown");
    expect([query, known.length / parts.length > 0.5]).toEqual([query, true]);
  }
  const {
    parts: [part],
  } = (await system.request("search", "GET", "/api/search?q=carburetor&minPrice=1&limit=1")).body;
  const { productId, partNumber, title, unitPrice } = part;
  const checkout = await system.request("payment", "POST", "/api/checkout/session", {
    body: { items: [{ productId, partNumber, title, unitPrice, quantity: 1 }] },
  });
  expect(checkout.status).toBe(200);
  // Nobody has searched yet but this test, of which only what was typed counts, and the home page, for its categories.
  expect(
    (await system.request("eventstore", "GET", "/events?event_type=SEARCH_PERFORMED&limit=1000")).body.events.length,
  ).toBeLessThanOrEqual(6 + 7);
});

test("a fresh start has the home page's pictures when it is ready", () => {
  expect(firstPictures).toEqual([200, 200, 200, 200, 200]);
});

describe("/api/admin/search", () => {
  it("keeps no index without a document once the catalog was filled for the first time", async () => {
    const documents = async (): Promise<number[]> =>
      (await admin("GET", "/indexes")).body.indexes.map((index: { documents: number }) => index.documents);
    await eventually(async () => (await documents()).every((count) => count > 0), 60_000);
  });

  it("builds beside the live index, answers from either all the while, and goes back", async () => {
    const before = await live();
    const {
      status: begun,
      body: { buildId },
    } = await admin("POST", "/reindex", {});
    expect(begun).toBe(202);
    expect(await admin("POST", "/reindex", { index: "tires" })).toMatchObject({ status: 202, body: { buildId } });
    expect(await admin("POST", "/reindex", { force: true })).toMatchObject({
      status: 409,
      body: { error: { code: "BUILD_RUNNING", details: { buildId } } },
    });
    let isOver = false;
    const found: number[] = [];
    const searching = (async () => {
      while (!isOver)
        found.push((await system.request("search", "GET", "/api/search?q=15964-8141&limit=1")).body.pagination.total);
    })();
    const build = await ended(buildId);
    isOver = true;
    await searching;
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found).size).toBe(1);
    expect(build).toMatchObject({ status: "published", force: false, reason: null });
    for (const { index, name, sent } of build.indexes) {
      expect(name).toMatch(new RegExp(`^${index}_v\\d{4}_\\d\\d_\\d\\d(_\\d+)?$`));
      expect(sent).toBeGreaterThan(100);
    }
    const after = await live();
    expect(after).toHaveLength(2);
    expect(after).toEqual(expect.arrayContaining(build.indexes.map(({ name }: { name: string }) => name)));

    const [{ index }] = build.indexes;
    const { status, body } = await admin("POST", "/rollback", { index });
    expect([status, body]).toEqual([
      200,
      { index, from: after.find((name) => name.startsWith(index)), to: before.find((name) => name.startsWith(index)) },
    ]);
    const { body: health } = await system.request("search", "GET", "/health");
    expect(health).toMatchObject({ elasticsearch: "ok", mongodb: "ok", delta: 0, status: "ok" });
    expect(Object.values(health.aliasTarget)).toContain(body.to);
  }, 90_000);
});

describe("syncing the tire supplier's listing", () => {
  const post = (path: string, body?: object): Promise<Answer> =>
    system.request("catalog", "POST", path, { ...(body ? { body } : {}), adminToken: ADMIN_TOKEN });
  const report = (syncId: string) =>
    system.request("catalog", "GET", `/catalog/syncs/${syncId}`, { adminToken: ADMIN_TOKEN });
  const endedSync = async ({ status, body }: Answer) => {
    expect([status, body]).toEqual([202, { syncId: expect.stringMatching(/^sync_/) }]);
    return eventually(async () => {
      const answer = await report(body.syncId);
      return answer.body.status !== "running" && answer.body;
    }, 60_000);
  };

  it("takes the whole of it, and what changed is found and sold", async () => {
    const countTiresGone = async (): Promise<number> =>
      (await system.request("search", "GET", "/api/search?category=tires&limit=1&status=discontinued")).body.pagination
        .total;
    const countBefore = await countTiresGone();
    await fetch(`${system.sandboxUrl("tires")}/sandbox/faults`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ kind: "discontinued", value: 40 }),
    });
    const body = await endedSync(await post("/catalog/kmt/batch-sync", { pageSize: 60 }));
    expect(body).toMatchObject({
      kind: "tires",
      vendor: "KMT",
      status: "completed",
      pages: { done: 7, failed: 0, total: 7 },
      errors: [],
      refused: [],
      failed: [],
      rate: expect.any(Number),
      rows: { read: 420, refused: 0, repeated: 0, discontinued: 0 },
      startedAt: expect.stringMatching(/Z$/),
      finishedAt: expect.stringMatching(/Z$/),
    });
    // Another search process keeps a page without words for five seconds (decision 0024).
    await eventually(async () => (await countTiresGone()) > countBefore);
    const { body: listed } = await system.request("catalog", "GET", "/parts/kmt?pageSize=100");
    expect(listed.pagination.total).toBe(420);
    expect(new Set(listed.parts.map(({ availability }: { availability: string }) => availability))).toEqual(
      new Set(["in_stock", "low_stock", "out_of_stock"]),
    );
    const recorded = await eventually(async () => {
      const {
        body: { events },
      } = await system.request("eventstore", "GET", "/events?aggregate_id=vendor_KMT");
      return events.find(({ data }: { data: { syncId: string } }) => data.syncId === body.syncId);
    });
    const { written, unchanged, refused, discontinued } = body.rows;
    expect(recorded).toMatchObject({
      aggregate_type: "vendor",
      event_type: "CATALOG_SYNCED",
      data: { vendor: "KMT", written, unchanged, refused, discontinued },
    });
  }, 90_000);

  it("is listed, and the supplier's path segment's", async () => {
    expect((await report("sync_x")).status).toBe(404);
    const {
      status,
      body: { syncs, pagination },
    } = await system.request("catalog", "GET", "/catalog/syncs?vendor=kmt&pageSize=2", { adminToken: ADMIN_TOKEN });
    expect([status, pagination.pageSize, syncs[0].vendor, "refused" in syncs[0]]).toEqual([200, 2, "KMT", false]);
    const unusable = await system.request("catalog", "GET", "/catalog/syncs?status=lost", { adminToken: ADMIN_TOKEN });
    expect([unusable.status, unusable.body.error.code]).toEqual([400, "VALIDATION_FAILED"]);
    const {
      body: { error },
    } = await system.request("catalog", "GET", "/parts/B%26S");
    expect(error).toMatchObject({
      code: "NOT_FOUND",
      message: "Vendor B&S not found: the code of Briggs & Stratton is BNS",
    });
    expect((await post("/catalog/tires-r-us/sync")).body.error).toMatchObject({
      code: "NOT_FOUND",
      message: "Supplier tires-r-us not found",
    });
    expect((await post("/catalog/kmt/sync", { pageSize: 501 })).status).toBe(400);
    expect((await post("/catalog/kmt/batch-sync", { pages: 3 })).body.error.code).toBe("VALIDATION_FAILED");
    expect((await system.request("catalog", "GET", "/catalog/kmt/sync", { adminToken: ADMIN_TOKEN })).status).toBe(405);
  });
});

// The last of this file: they change what can be changed.
describe("a system that sold for a while", () => testExamples(system));
