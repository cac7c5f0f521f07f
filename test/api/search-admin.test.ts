import { beforeAll, describe, expect, it, test } from "@jest/globals";
import type { HttpMethod } from "@partline/api-contracts";
import { eventually } from "../support/eventually.ts";
import { ADMIN_TOKEN, startSystem, type Answer } from "../support/system.ts";
import { useStarted } from "../support/use-started.ts";

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

  it("names what is wrong and what is not there", async () => {
    expect(await admin("GET", "/builds/nobody")).toMatchObject({
      status: 404,
      body: { error: { code: "NOT_FOUND", message: "Build nobody not found" } },
    });
    for (const [path, body, name] of [
      ["/reindex", { index: "wheels" }, "index"],
      ["/reindex", { force: "yes" }, "force"],
      ["/rollback", {}, "index"],
    ] as const) {
      const refused = await admin("POST", path, body);
      expect([refused.status, refused.body.error.details[0].field]).toEqual([400, name]);
    }
    expect((await admin("PUT", "/synonyms/german", { lines: [] })).status).toBe(404);
    for (const [path, body, name] of [
      ["/synonyms/de", {}, "lines"],
      ["/synonyms/de", { lines: ["vergaser => carburetor", "alone"] }, "lines[1]"],
    ] as const) {
      const refused = await admin("PUT", path, body);
      expect([refused.status, refused.body.error.details[0].field]).toEqual([400, name]);
    }
  });
});
