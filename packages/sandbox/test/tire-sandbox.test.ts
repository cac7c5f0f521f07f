import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { HttpServer } from "../src/server/http-server.ts";
import startTireSandbox from "../src/tires/server.ts";

const apiKey = "key";
let sandbox: HttpServer;
beforeEach(async () => {
  sandbox = await startTireSandbox({
    host: "127.0.0.1",
    port: 0,
    apiKey,
    imageUrlBase: "http://media.invalid/api/media",
    count: 25,
  });
});
afterEach(() => sandbox.close());

const list = async (query = "", headers: Record<string, string> = { "x-api-key": apiKey }) => {
  const response = await fetch(`${sandbox.url}/v1/tires${query}`, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const page = async (number: number, pageSize = 10) =>
  JSON.parse((await list(`?page=${number}&pageSize=${pageSize}`)).text) as {
    total: number;
    totalPages: number;
    items: { itemNumber: string }[];
  };
const numbers = ({ items }: { items: { itemNumber: string }[] }) => items.map(({ itemNumber }) => itemNumber);
const fault = async (body: object) => {
  const response = await fetch(`${sandbox.url}/sandbox/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return response.status;
};

describe("the tire supplier's sandbox", () => {
  it("lists the same tires by page for who has the key", async () => {
    const pages = [await page(1), await page(2), await page(3), await page(4)];
    expect(pages.map(({ items }) => items.length)).toEqual([10, 10, 5, 0]);
    expect(pages[0]).toMatchObject({ page: 1, pageSize: 10, total: 25, totalPages: 3 });
    expect(new Set(pages.flatMap(numbers)).size).toBe(25);
    expect(numbers(await page(2))).toEqual(numbers(pages[1]!));
    expect(pages[0]!.items[0]).toMatchObject({
      itemNumber: expect.any(String),
      description: expect.any(String),
      brand: expect.any(String),
      size: expect.any(String),
      currency: "USD",
      category: expect.stringMatching(/^(Tires|Wheels)$/),
      quantityOnHand: expect.any(Number),
      images: expect.any(Array),
      discontinued: expect.any(Boolean),
      updatedAt: expect.stringMatching(/Z$/),
    });
    expect((await list("", {})).status).toBe(401);
    for (const query of ["?page=0", "?pageSize=501", "?page=x"]) expect((await list(query)).status).toBe(400);
  });

  it("has each bad day that it is asked for, on the pages and as often as asked", async () => {
    const well = await page(2);
    await fault({ kind: "rate_limited", page: 2, value: 3, times: 1 });
    expect((await list("?page=1&pageSize=10")).status).toBe(200);
    const refused = await list("?page=2&pageSize=10");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3"]);
    expect(await page(2)).toEqual(well);

    await fault({ kind: "error", page: 2, value: 503 });
    expect([(await list("?page=2")).status, (await list("?page=2")).status, (await list("?page=1")).status]).toEqual([
      503, 503, 200,
    ]);
    await fetch(`${sandbox.url}/sandbox/faults`, { method: "DELETE" });

    await fault({ kind: "repeated", page: 2, value: 2 });
    expect(numbers(await page(2))).toEqual([...numbers(await page(1)).slice(8), ...numbers(well).slice(0, 8)]);
    await fault({ kind: "empty", page: 3 });
    expect((await page(3)).items).toEqual([]);
    await fault({ kind: "total", value: 7 });
    expect(await page(1)).toMatchObject({ total: 7, totalPages: 1 });
    await fetch(`${sandbox.url}/sandbox/faults`, { method: "DELETE" });

    const first = numbers(await page(1));
    await fault({ kind: "same_page", page: 3, value: 2, times: 1 });
    expect(await page(3)).toEqual({ ...well, page: 3 });
    await fault({ kind: "same_page", times: 2 });
    expect([numbers(await page(2)), numbers(await page(9))]).toEqual([first, first]);
    await fault({ kind: "vanished", value: 2 });
    await fault({ kind: "discontinued", value: 3 });
    const { total, items } = await page(1);
    expect([total, numbers({ items })]).toEqual([23, [...first.slice(2), ...numbers(well).slice(0, 2)]]);
    expect(items.slice(0, 2)).toMatchObject([{ discontinued: true }, {}]);
    await fault({ kind: "not_json", page: 1 });
    expect(await list("?page=1").then(({ text }) => text.endsWith("}\n"))).toBe(false);
  });

  it("stalls until the caller gives up", async () => {
    await fault({ kind: "stall" });
    await expect(
      fetch(`${sandbox.url}/v1/tires`, { headers: { "x-api-key": apiKey }, signal: AbortSignal.timeout(100) }),
    ).rejects.toThrow();
  });

  it("is switched from its page, and from no other site's", async () => {
    const post = (site: string) =>
      fetch(`${sandbox.url}/sandbox/form/add`, {
        method: "POST",
        redirect: "manual",
        headers: { "sec-fetch-site": site },
        body: new URLSearchParams({ kind: "slow", value: "5", page: "", times: "" }),
      });
    expect((await post("cross-site")).status).toBe(403);
    expect((await post("same-origin")).status).toBe(303);
    expect(await (await fetch(sandbox.url)).text()).toContain("<code>slow</code> 5, every page,");
    expect(await fault({ kind: "flood" })).toBe(400);
    expect(await fault({ kind: "error", page: -1 })).toBe(400);
  });
});
