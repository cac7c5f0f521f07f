import { describe, expect, test } from "@jest/globals";
import { startEdge } from "./edge-client.ts";
import { useStarted } from "../../support/use-started.ts";

const SHOP = "https://shop.example";
const CONSOLE = "http://127.0.0.1:5173";

const edge = useStarted(() =>
  startEdge(["payment", "gateway", "shop"], {
    env: { IDENTITY_AUTHORIZED_PARTIES: `${SHOP},client_2b7`, CORS_ORIGINS: CONSOLE, RATE_LIMIT: "1000/60" },
  }),
);

const from = (origin: string, headers: Record<string, string> = {}) => ({ headers: { origin, ...headers } });
const preflight = (origin: string, method: string, headers = "authorization,x-session-id") =>
  from(origin, { "access-control-request-method": method, "access-control-request-headers": headers });
const corsHeaders = (headers: object): string[] =>
  Object.keys(headers).filter((name) => name.startsWith("access-control-"));

describe("a page of another origin", () => {
  test.each([SHOP, CONSOLE])("of %s reads the answer and the headers that it needs", async (origin) => {
    const reply = await edge.ask("gateway", "GET", "/api/things/abc", from(origin));
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({ "access-control-allow-origin": origin, vary: "Origin" });
    expect(reply.headers["access-control-expose-headers"]!.split(", ")).toEqual(
      expect.arrayContaining([
        ...["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"],
        ...["Retry-After", "X-Request-Id", "ETag"],
      ]),
    );
    expect(reply.headers).not.toHaveProperty("access-control-allow-credentials");
  });

  test.each([
    ["GET", "/api/nowhere", 404],
    ["GET", "/api/mine", 401],
    ["GET", "/api/things?limit=0", 400],
    ["DELETE", "/api/things", 405],
    ["GET", "/health/live", 200],
  ])("reads what %s %s is answered, %p", async (method, path, status) => {
    const reply = await edge.ask("gateway", method, path, from(SHOP));
    expect([reply.status, reply.headers["access-control-allow-origin"]]).toEqual([status, SHOP]);
  });

  test.each([
    ...["https://shop.exampl", "https://shop.example.evil.net", "https://shop.example:444", "http://shop.example"],
    ...["https://xshop.example", "https://shop.example/", "HTTPS://SHOP.EXAMPLE", "null", "*", "client_2b7"],
    ...["http://127.0.0.1:5174", "http://127.0.0.1:517", `${SHOP}, ${CONSOLE}`, "undefined", "", "__proto__"],
  ])("of %p reads nothing, nor may it send a request", async (origin) => {
    const reply = await edge.ask("gateway", "GET", "/api/things/abc", from(origin));
    expect([reply.status, reply.headers.vary, corsHeaders(reply.headers)]).toEqual([200, "Origin", []]);
    const asked = await edge.ask("gateway", "OPTIONS", "/api/things/abc", preflight(origin, "POST"));
    expect([asked.status, asked.headers.vary, corsHeaders(asked.headers)]).toEqual([204, "Origin", []]);
  });

  test("learns once in two hours that it may send a DELETE with a session and a token", async () => {
    const reply = await edge.ask(
      "gateway",
      "OPTIONS",
      "/api/things/abc",
      preflight(SHOP, "DELETE", "authorization,x-session-id"),
    );
    expect([reply.status, reply.text]).toEqual([204, ""]);
    expect(reply.headers).toMatchObject({
      "access-control-allow-origin": SHOP,
      "access-control-allow-methods": "GET, HEAD, POST, OPTIONS",
      "access-control-max-age": "7200",
    });
    const allowed = reply.headers["access-control-allow-headers"]!.toLowerCase().split(", ");
    expect(allowed).toEqual(
      expect.arrayContaining(["authorization", "x-session-id", "content-type", "mcp-protocol-version"]),
    );
    expect(allowed).not.toContain("*");
  });

  test("is asked for at no cost of its requests", async () => {
    const left = async () =>
      Number((await edge.ask("gateway", "GET", "/api/things/abc", from(SHOP))).headers["ratelimit-remaining"]);
    const before = await left();
    for (let n = 0; n < 5; n += 1) await edge.ask("gateway", "OPTIONS", "/api/things/abc", preflight(SHOP, "POST"));
    expect(await left()).toBe(before - 1);
    await edge.ask("gateway", "OPTIONS", "/api/things/abc", preflight("https://evil.example", "POST"));
    expect(await left()).toBe(before - 3);
  });

  test("reads a file, whose Vary keeps what the file varies by", async () => {
    const reply = await edge.ask("payment", "GET", "/api/pictures/10", from(SHOP));
    expect(reply.headers).toMatchObject({ "access-control-allow-origin": SHOP, vary: "Accept, Origin" });
  });

  test("reads a page of the shop, whose Vary keeps what the page varies by", async () => {
    const reply = await edge.ask("shop", "GET", "/sign-in-failed", from(SHOP));
    expect(reply.headers).toMatchObject({
      "access-control-allow-origin": SHOP,
      vary: "Accept-Encoding, Accept-Language, Cookie, Origin",
    });
  });
});

test("without an origin in the settings, no page of another origin is answered", async () => {
  const closed = await startEdge(["gateway"], { env: { IDENTITY_AUTHORIZED_PARTIES: "client_2b7" } });
  try {
    for (const origin of ["https://shop.example", "client_2b7", "null"]) {
      const reply = await closed.ask("gateway", "GET", "/api/things/abc", from(origin));
      expect([reply.headers.vary, corsHeaders(reply.headers)]).toEqual([undefined, []]);
    }
  } finally {
    await closed.stop();
  }
});
