import { describe, expect, test } from "@jest/globals";
import type { Middleware, ServiceBroker } from "moleculer";
import { eventually } from "../../support/eventually.ts";
import { startEdge } from "./edge-client.ts";
import { shopService } from "./shop-contract.ts";
import { useStarted } from "../../support/use-started.ts";

describe("an entry point", () => {
  const edge = useStarted(() => startEdge(["payment", "gateway"], { transport: "fake" }));

  test("answers with the envelope and the documented status", async () => {
    const reply = await edge.ask("payment", "POST", "/api/things/abc", { body: { amount: 5 } });
    expect(reply.status).toBe(201);
    expect(reply.json).toEqual({
      success: true,
      data: { params: { id: "abc", amount: 5, mode: "all" }, atIsDate: false, polluted: false },
    });
    expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(reply.headers).toMatchObject({ "x-content-type-options": "nosniff", "cache-control": "no-store" });
    expect(reply.headers).not.toHaveProperty("x-powered-by");
    expect(reply.headers).not.toHaveProperty("access-control-allow-origin");
  });

  test("answers the plain result where the contract says so, with defaults filled in", async () => {
    const reply = await edge.ask("payment", "GET", "/api/things");
    expect(reply.json).toEqual({ params: { limit: 20 }, sinceIsDate: false });
  });

  test("gives the action the types of the contract, from a query and from a body", async () => {
    const query = await edge.ask(
      "payment",
      "GET",
      "/api/things?limit=5&tag=a&tag=b&exact=true&since=2026-01-31T10:00:00%2B01:00&sort=price",
    );
    expect(query.json).toEqual({
      params: { limit: 5, tag: ["a", "b"], exact: true, since: "2026-01-31T09:00:00.000Z", sort: "price" },
      sinceIsDate: true,
    });
    const body = await edge.ask("payment", "POST", "/api/things/abc", { body: { at: "2026-01-31" } });
    expect(body.json.data).toMatchObject({ atIsDate: true, params: { at: "2026-01-31T00:00:00.000Z" } });
  });

  test("serves a static path before a parametric one, and the path alone decides", async () => {
    expect((await edge.ask("payment", "PUT", "/api/things/special")).json.data).toEqual({
      special: true,
      client: "127.0.0.1",
    });
    const other = await edge.ask("payment", "GET", "/api/things/special");
    expect(other.status).toBe(405);
    expect(other.headers.allow).toBe("PUT, OPTIONS");
  });

  test("takes a slash at the end as none", async () => {
    for (const path of ["/api/things/?limit=5", "/health/live/", "/docs/"])
      expect([path, (await edge.ask("payment", "GET", path)).status]).toEqual([path, 200]);
  });

  test("answers a null result with null, never with an empty body", async () => {
    const reply = await edge.ask("payment", "GET", "/api/nothing");
    expect([reply.status, reply.json]).toEqual([200, { success: true, data: null }]);
  });

  test("serves HEAD on a GET: the same headers, no body", async () => {
    const get = await edge.ask("payment", "GET", "/api/things/abc");
    const head = await edge.ask("payment", "HEAD", "/api/things/abc");
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(Number(head.headers["content-length"])).toBe(get.text.length);
  });

  test("a wrong method is 405 with Allow, on the documented pages too", async () => {
    const reply = await edge.ask("payment", "DELETE", "/api/things/abc");
    expect([reply.status, reply.headers.allow]).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
    expect(reply.json).toEqual({ success: false, error: { code: "METHOD_NOT_ALLOWED", message: expect.any(String) } });
    const health = await edge.ask("payment", "POST", "/health", { body: {} });
    expect([health.status, health.headers.allow]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect((await edge.ask("payment", "TRACE", "/api/things")).status).toBe(405);
  });

  test("OPTIONS names the methods and calls nothing, for any method it asks about", async () => {
    const reply = await edge.ask("payment", "OPTIONS", "/api/things/abc", {
      headers: { origin: "https://shop.example", "access-control-request-method": "POST" },
    });
    expect([reply.status, reply.text, reply.headers.allow]).toEqual([204, "", "GET, HEAD, POST, OPTIONS"]);
    expect(reply.headers).not.toHaveProperty("access-control-allow-origin");
    expect((await edge.ask("payment", "OPTIONS", "/api/unknown")).status).toBe(404);
  });

  test("an action without a route cannot be reached by any path, nor can the broker's own", async () => {
    for (const path of [
      "/shop/secret",
      "/shop.secret",
      "/api/shop/secret",
      "/~node/list",
      "/$node.list",
      "/http-payment/rest",
      "/api/list-aliases",
    ]) {
      expect((await edge.ask("payment", "GET", path)).status).toBe(404);
    }
  });

  test("a proxy's absolute form reaches the same route", async () => {
    expect((await edge.ask("payment", "GET", "http://shop.example/api/things?limit=3")).json.params).toEqual({
      limit: 3,
    });
  });

  test("the gateway knows nothing of what is kept off it", async () => {
    for (const method of ["GET", "HEAD", "PUT", "POST", "DELETE", "PATCH", "OPTIONS"]) {
      expect((await edge.ask("gateway", method, "/api/direct")).status).toBe(404);
      expect((await edge.ask("gateway", method, "/api/things/sync")).status).toBe(404);
      expect((await edge.ask("gateway", method, "/webhooks/shop")).status).toBe(404);
    }
    expect((await edge.ask("payment", "PUT", "/api/things/sync")).status).toBe(200);
    expect((await edge.ask("gateway", "GET", "/api/things/abc")).status).toBe(200);
  });

  test("a webhook gets the exact text that was sent, and only the headers that it names", async () => {
    const body = '{ "n": 1.50,  "name": "Grüße \\u00e9 ✓" }\n';
    const reply = await edge.ask("payment", "POST", "/webhooks/shop?ignored=1", {
      body,
      headers: { "content-type": "application/json; charset=utf-8", "x-signature": "t=1,v1=abc", "x-other": "no" },
    });
    expect(reply.json).toEqual({ body, headers: { "x-signature": "t=1,v1=abc" } });
  });

  test("a stream reaches the action beside its path and query", async () => {
    const reply = await edge.ask("payment", "POST", "/api/load/bns?dry=true", {
      body: Buffer.alloc(3_000_000, "a"),
      headers: { "content-type": "text/csv; charset=utf-8" },
    });
    expect(reply.json).toEqual({
      params: { vendor: "bns", dry: true, contentType: "text/csv; charset=utf-8" },
      bytes: 3_000_000,
    });
    const refused = await edge.ask("payment", "POST", "/api/load/bns", {
      body: "{}",
      headers: { "content-type": "application/json" },
    });
    expect([refused.status, refused.json.error.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
  });

  test.each([
    ["abc-1.2_3", true],
    ["a".repeat(128), true],
    ["a".repeat(129), false],
    ["spaced out", false],
    ["<script>", false],
    ["", false],
  ])("takes the request id %p from outside: %p", async (given, taken) => {
    const reply = await edge.ask("payment", "GET", "/api/things/abc", {
      headers: { "x-request-id": given, "x-correlation-id": "other" },
    });
    const answered = reply.headers["x-request-id"];
    expect(answered).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
    expect(answered === given).toBe(taken);
    expect(reply.json.data.requestId).toBe(answered);
  });
});

test("a request is one action call, that of its route", async () => {
  const called: [action: string, caller: string | null][] = [];
  const note: Middleware = {
    name: "Note",
    localAction: (next, { name }) =>
      function (ctx) {
        called.push([name ?? "", ctx.caller]);
        return next.call(this, ctx);
      },
  };
  const noted = (broker: ServiceBroker) => {
    broker.middlewares.add(note);
    return shopService();
  };
  const edge = await startEdge(["payment"], { services: [noted] });
  try {
    await eventually(async () => (await edge.ask("payment", "GET", "/health/ready")).status === 200);
    called.length = 0;
    for (const [method, path, status] of [
      ["GET", "/api/things/abc", 200],
      ["POST", "/api/things/abc", 201],
      ["GET", "/api/late", 504],
      ["GET", "/api/things?limit=0", 400],
      ["GET", "/api/mine", 401],
      ["GET", "/api/no/such/path", 404],
    ] as const)
      expect((await edge.ask("payment", method, path)).status).toBe(status);
    // What is refused at the door calls nothing.
    expect(called).toEqual([
      ["shop.get", "http-payment"],
      ["shop.make", "http-payment"],
      ["shop.late", "http-payment"],
      ["shop.list", "http-payment"],
    ]);
  } finally {
    await edge.stop();
  }
});
