import { describe, expect, it } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { ADMIN_TOKEN, startSystem, type Answer } from "../support/system.ts";
import { useStarted } from "../support/use-started.ts";

const system = useStarted(() => startSystem());

const post = (path: string, body?: object): Promise<Answer> =>
  system.request("catalog", "POST", path, { ...(body ? { body } : {}), adminToken: ADMIN_TOKEN });
const report = (syncId: string) =>
  system.request("catalog", "GET", `/catalog/syncs/${syncId}`, { adminToken: ADMIN_TOKEN });
const ended = async ({ status, body }: Answer) => {
  expect([status, body]).toEqual([202, { syncId: expect.stringMatching(/^sync_/) }]);
  return eventually(async () => {
    const answer = await report(body.syncId);
    return answer.body.status !== "running" && answer.body;
  }, 60_000);
};

describe("syncing the tire supplier's listing", () => {
  it("takes the whole of it, and what changed is found and sold", async () => {
    const tiresGone = async (): Promise<number> =>
      (await system.request("search", "GET", "/api/search?category=tires&limit=1&status=discontinued")).body.pagination
        .total;
    const before = await tiresGone();
    await fetch(`${system.sandboxUrl("tires")}/sandbox/faults`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ kind: "discontinued", value: 40 }),
    });
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
