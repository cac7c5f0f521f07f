import { describe, expect, test } from "@jest/globals";
import { ENTRY_POINTS, isApp } from "../../broker/contract/define.ts";
import { useSystem } from "../support/use-started.ts";
import { ADMIN_TOKEN } from "../support/system.ts";

const system = useSystem();

describe.each(ENTRY_POINTS)("the %s entry point", (entry) => {
  test("reports its health, and what it serves", async () => {
    const health = await system.request(entry, "GET", "/health");
    expect([health.status, health.body.status]).toEqual([200, "ok"]);
    expect(Object.keys(health.body.dependencies)).toEqual(expect.arrayContaining(["broker", "documents"]));
    expect((await system.request(entry, "GET", "/health/ready")).status).toBe(200);
    expect((await system.request(entry, "GET", "/health/live")).status).toBe(200);
    const description = await system.request(entry, "GET", "/openapi.json");
    expect([description.status, description.body.openapi]).toEqual([200, "3.1.1"]);
    const docs = await system.request(entry, "GET", "/docs");
    expect([docs.status, docs.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  });

  test("answers what it does not serve with the error envelope and a request id", async () => {
    const answer = await system.request(entry, "GET", "/no/such/path", {
      headers: { "X-Request-Id": "from-outside-1" },
    });
    expect(answer.headers.get("x-request-id")).toBe("from-outside-1");
    // An app answers with a page; the console's asks who it is first.
    if (isApp(entry)) expect(answer.status).toBe(entry === "console" ? 401 : 404);
    else expect([answer.status, answer.body.error.code]).toEqual([404, "NOT_FOUND"]);
  });
});

describe("the public gateway", () => {
  const cartId = `cart_${Date.now()}_gatewaytest`;
  const items = [{ productId: "p-1", partNumber: "1", title: "Belt", quantity: 2, unitPrice: 12.5 }];

  test.each(["/api/cart/sync", "/api/cart/clear", "/api/cart/user/user_1", "/api/cart/items", "/api/cart/items/p-1"])(
    "and the payment address do not know %s, by any method",
    async (path) => {
      for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const) {
        expect([method, (await system.request("gateway", method, path)).status]).toEqual([method, 404]);
        if (method !== "OPTIONS") expect([404, 405]).toContain((await system.request("payment", method, path)).status);
      }
    },
  );

  test("does not know the caller's own cart, but saves, reads and deletes carts by id", async () => {
    expect((await system.request("gateway", "GET", "/api/cart", { sessionId: "session-0001" })).status).toBe(404);
    expect((await system.request("cart", "GET", "/api/cart", { sessionId: "session-0001" })).status).toBe(200);
    const saved = await system.request("gateway", "POST", "/api/cart", { body: { cartId, items } });
    expect([saved.status, saved.body.data.subtotal]).toEqual([201, 25]);
    expect((await system.request("payment", "GET", `/api/cart/${cartId}`)).body.data.items).toHaveLength(1);
    expect((await system.request("gateway", "DELETE", `/api/cart/${cartId}`)).body).toEqual({
      success: true,
      data: { deleted: true },
    });
    const wrong = await system.request("gateway", "PUT", `/api/cart/${cartId}`, { body: {} });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "DELETE, GET, HEAD, OPTIONS"]);
  });

  test("describes the events, for programs and for people", async () => {
    const document = await system.request("gateway", "GET", "/asyncapi.json");
    expect(document.body).toMatchObject({ asyncapi: expect.stringMatching(/^3\./) });
    expect(Object.keys(document.body.channels)).toEqual(expect.arrayContaining(["order.created", "webhooks"]));
    const page = await system.request("gateway", "GET", "/asyncapi");
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('<section id="order.created">')]);
    expect((await system.request("cart", "GET", "/asyncapi.json")).status).toBe(404);
  });

  test("has no webhooks, and shows its metrics to admins alone", async () => {
    for (const path of ["/webhooks/stripe", "/webhooks/clerk", "/webhooks/easypost"]) {
      expect((await system.request("gateway", "POST", path, { body: {} })).status).toBe(404);
      expect((await system.request("payment", "GET", path)).status).toBe(405);
    }
    expect((await system.request("gateway", "GET", "/metrics")).status).toBe(401);
    const metrics = await system.request("gateway", "GET", "/metrics", { adminToken: ADMIN_TOKEN });
    expect(metrics.text).toMatch(
      /http_server_request_duration_seconds_count\{entry="gateway",method="POST",route="\/api\/cart",status="201"\} [1-9]/,
    );
    expect(metrics.text).not.toContain(cartId);
  });
});
