import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { useSystem } from "../support/shared-system.ts";
import { ADMIN_TOKEN, type SystemClient } from "../support/system.ts";

let system: SystemClient;
let end: (() => Promise<void>) | undefined;
beforeAll(async () => {
  ({ system, end } = await useSystem());
});
afterAll(() => end?.());

async function slugPath(): Promise<string> {
  const { parts } = (await system.request("search", "GET", "/api/search?q=15964-8141&limit=1")).body;
  return `/parts/${parts[0].slug}`;
}

test("an address that no part has is 404, and its page says so", async () => {
  const path = await slugPath();
  const page = await system.request("gateway", "GET", path);
  expect([page.status, page.headers.get("etag")]).toEqual([200, expect.any(String)]);
  for (const missing of [
    "/parts/none-such",
    "/parts/kaw-000000",
    path.replace("/parts/", "/parts/another-"),
    "/parts/%",
    "/parts/%E0%A4%A",
  ]) {
    const answer = await system.request("gateway", "GET", missing, {
      headers: { "If-None-Match": page.headers.get("etag")! },
    });
    expect([missing, answer.status, answer.text, answer.headers.get("etag")]).toEqual([missing, 404, page.text, null]);
  }
});

test("the page of a link that is forged is 404, and says so itself", async () => {
  for (const token of ["abc", "e30.e30.eA", "x".repeat(3_000)]) {
    const answer = await system.request("gateway", "GET", `/orders/${token}`);
    expect([token.slice(0, 20), answer.status, answer.headers.get("content-type")]).toEqual([
      token.slice(0, 20),
      404,
      expect.stringContaining("text/html"),
    ]);
    expect(answer.text).toContain("/orders/order.js");
  }
});

test("a shopper who is back from the hosted page, or follows a store link, gets a page of ours while no storefront is set", async () => {
  for (const path of ["/checkout/success?session_id=cs_test_x", "/checkout/cancel", await slugPath()]) {
    const answer = await system.request("gateway", "GET", path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toContain("text/html");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    for (const [, asset] of answer.text.matchAll(/(?:href|src)="([^"]+)"/g)) {
      expect((await system.request("gateway", "GET", asset!)).status).toBe(200);
    }
  }
});

test("the desk's store links lead to a page, and are counted as one path", async () => {
  const asked = await system.request("gateway", "POST", "/api/ai/query", {
    body: { query: "Is 15964-8141 in stock?", include_store_link: true },
  });
  const link = /"store_link":"([^"]+)"/.exec(asked.text)?.[1];
  expect(link).toBeDefined();
  const { pathname } = new URL(link!);
  expect([pathname.startsWith("/parts/"), (await system.request("gateway", "GET", pathname)).status]).toEqual([
    true,
    200,
  ]);
  for (const path of ["/parts/", "/parts", "/parts/a/b"])
    expect((await system.request("gateway", "GET", path)).status).toBe(404);
  const metrics = (await system.request("gateway", "GET", "/metrics", { adminToken: ADMIN_TOKEN })).text;
  expect(metrics).toContain('route="/parts/{slug}"');
  expect(metrics).not.toContain(pathname);
});

test("the pages are the gateway's alone", async () => {
  expect((await system.request("payment", "GET", "/checkout/success")).status).toBe(404);
});
