import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { useSystem } from "../support/shared-system.ts";
import type { SystemClient } from "../support/system.ts";

let system: SystemClient;
let end: (() => Promise<void>) | undefined;
beforeAll(async () => {
  ({ system, end } = await useSystem());
});
afterAll(() => end?.());

test("a shopper who is back from the hosted page gets a page of ours while no storefront is set", async () => {
  for (const path of ["/checkout/success?session_id=cs_test_x", "/checkout/cancel"]) {
    const answer = await system.request("gateway", "GET", path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toContain("text/html");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    for (const [, asset] of answer.text.matchAll(/(?:href|src)="([^"]+)"/g)) {
      expect((await system.request("gateway", "GET", asset!)).status).toBe(200);
    }
  }
});

test("the pages are the gateway's alone", async () => {
  expect((await system.request("payment", "GET", "/checkout/success")).status).toBe(404);
});
