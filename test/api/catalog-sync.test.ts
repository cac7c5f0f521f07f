import { describe, expect, it } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { ADMIN_TOKEN, startSystem, type Answer } from "../support/system.ts";
import { useStarted } from "../support/use-started.ts";

const system = useStarted(() => startSystem());

const post = (path: string, body?: object, adminToken: string | null = ADMIN_TOKEN): Promise<Answer> =>
  system.request("catalog", "POST", path, {
    ...(body ? { body } : {}),
    ...(adminToken === null ? {} : { adminToken }),
  });
const report = (syncId: string) =>
  system.request("catalog", "GET", `/catalog/syncs/${syncId}`, { adminToken: ADMIN_TOKEN });
const ended = async ({ status, body }: Answer) => {
  expect([status, body]).toEqual([202, { syncId: expect.stringMatching(/^sync_/) }]);
  return eventually(async () => {
    const answer = await report(body.syncId);
    return answer.body.status !== "running" && answer.body;
  }, 60_000);
};
const fault = (body: object) =>
  fetch(`${system.sandboxUrl("tires")}/sandbox/faults`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

describe("syncing the tire supplier's listing", () => {
  it("takes one page at once", async () => {
    const { status, body } = await post("/catalog/kmt/sync", { page: 2, pageSize: 50 });
    expect([status, body]).toEqual([
      200,
      {
        page: 2,
        pageSize: 50,
        total: 420,
        totalPages: 9,
        read: 50,
        written: expect.any(Number),
        unchanged: expect.any(Number),
        repeated: 0,
        refused: [],
        refusedTotal: 0,
      },
    ]);
    expect(body.written + body.unchanged).toBe(50);
    expect((await post("/catalog/KMT/sync")).body).toMatchObject({ page: 1, pageSize: 100, read: 100 });
  });

  it("takes the whole of it, and what changed is found and sold", async () => {
    const tiresGone = async (): Promise<number> =>
      (await system.request("search", "GET", "/api/search?category=tires&limit=1&status=discontinued")).body.pagination
        .total;
    const before = await tiresGone();
    await fault({ kind: "discontinued", value: 40 });
    const body = await ended(await post("/catalog/kmt/batch-sync", { pageSize: 60 }));
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
    await eventually(async () => (await tiresGone()) > before);
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

  it("runs once at a time", async () => {
    await fault({ kind: "slow", value: 200 });
    const answers = await Promise.all(Array.from({ length: 5 }, () => post("/catalog/kmt/batch-sync")));
    expect(new Set(answers.map(({ body }) => body.syncId)).size).toBe(1);
    expect((await report(answers[0]!.body.syncId)).body.status).toBe("running");
    await fetch(`${system.sandboxUrl("tires")}/sandbox/faults`, { method: "DELETE" });
    await ended(answers[0]!);
  }, 90_000);

  it("has an incident while it fails in part", async () => {
    const incidents = async () =>
      (
        await system.request("health-analytics", "GET", "/api/health-analytics/incidents", { adminToken: ADMIN_TOKEN })
      ).body.incidents.filter(({ subject }: { subject: string }) => subject === "KMT");
    await fault({ kind: "not_json", page: 2, times: 1 });
    expect((await ended(await post("/catalog/kmt/batch-sync", { pageSize: 100 }))).status).toBe("partially_failed");
    await eventually(async () => (await incidents()).length === 1, 30_000);
    expect((await ended(await post("/catalog/kmt/batch-sync"))).status).toBe("completed");
  }, 60_000);

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

describe("refreshing price and stock of a dealer's vendor", () => {
  it("asks about every part and reports the result", async () => {
    const body = await ended(await post("/catalog/refresh/vnt"));
    expect(body).toMatchObject({
      kind: "refresh",
      vendor: "VNT",
      status: "completed",
      pages: { done: 4, total: 4 },
      rows: { read: 160, failed: 0 },
    });
    // Those that the first screens show may have been asked about at the start.
    expect(body.rows.written + body.rows.unchanged).toBe(160);
    expect(body.rows.written).toBeGreaterThan(100);
    const { body: listed } = await system.request("catalog", "GET", "/parts/vnt?pageSize=100");
    for (const part of listed.parts)
      expect([part.sources, part.stock.quantityOnHand >= 0]).toEqual([["price_file", "dis"], true]);
    expect((await ended(await post("/catalog/refresh/VNT"))).rows).toMatchObject({
      read: 160,
      written: 0,
      unchanged: 160,
    });
  }, 90_000);

  it.each([
    ["lan", 400, "Land Pride (LAN) is priced by its price files"],
    ["rav", 400, "RAV"],
    ["kmt", 400, "KMT"],
    ["fer", 404, "no longer used"],
    ["zzz", 404, "zzz"],
  ])("refuses %s with the reason", async (vendor, status, words) => {
    const answer = await post(`/catalog/refresh/${vendor}`);
    expect(answer.status).toBe(status);
    expect(answer.body.error.message).toContain(words);
  });
});
