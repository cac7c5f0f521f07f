import { connect } from "node:net";
import { describe, expect, it } from "@jest/globals";
import { useSystem } from "../support/use-started.ts";
import { ADMIN_TOKEN } from "../support/system.ts";

const system = useSystem();

const portOf = (entry: "payment" | "catalog"): number => Number(new URL(system.url(entry)).port);

/** Sends bytes as they are, and gives the answers when the other end has closed the connection. */
function talk(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answers = "";
    const socket = connect(portOf("payment"), "127.0.0.1", () => socket.write(bytes));
    socket.on("data", (chunk: Buffer) => (answers += chunk.toString()));
    socket.on("close", () => resolve(answers)).on("error", reject);
  });
}

const get = (target: string, ...headers: string[]): string =>
  [`GET ${target} HTTP/1.1`, "Host: x", ...headers, "Connection: close", "", ""].join("\r\n");

describe("A client that writes its own HTTP", () => {
  it.each([
    ["no HTTP at all", "NOT HTTP AT ALL\r\n\r\n"],
    ["no Host", "GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n"],
    ["two Hosts", "GET /health/live HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n"],
    [
      "a length and chunks",
      "POST /api/cart HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
    ["two lengths", "POST /api/cart HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n{}{}"],
    ["a folded header", get("/health/live", "X-Request-Id: a\r\n Set-Cookie: x=1")],
    ["60 kB of headers", get("/health/live", `X-Long: ${"a".repeat(60_000)}`)],
  ])("gets one answer from the catalogue for %s", async (_what, bytes) => {
    const answers = await talk(bytes);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
    expect(answers).toMatch(/X-Request-Id: [0-9a-f-]{36}/i);
    expect(JSON.parse(answers.split("\r\n\r\n")[1]!)).toMatchObject({
      success: false,
      error: { code: "VALIDATION_FAILED" },
    });
    expect(answers).not.toMatch(/set-cookie/i);
  });

  it("is answered in HTTP/1.0 without a Host, and with an unknown Expect", async () => {
    expect(await talk("GET /health/live HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 /);
    expect(await talk(get("/health/live", "Expect: the-unexpected"))).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each([
    "/api",
    "/api/cart/x//",
    "/api/cart/x/more",
    "//api/cart/x",
    "/api//cart/x",
    "/api/../api/orders/by-session/x",
    "/api/%2e%2e/health",
    "/api/cart/%00",
    "/api/cart/%ff",
    "/api/cart/a;b=c",
    "/api/cart/..%2f..%2fhealth",
    "/docs/../package.json",
    "/docs/%2e%2e/package.json",
    "/~node/health",
    "/API/cart/x",
    "*",
    "http://elsewhere/api/health",
  ])("finds nothing at %s", async (target) => {
    const answer = await talk(get(target));
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain('"code":"NOT_FOUND"');
  });

  it("gets its answers in order when it sends many requests at once", async () => {
    const body = "POST /api/cart HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
    const answers = await talk(`${body}GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n${body}${get("/health/live")}`);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400", "HTTP/1.1 404", "HTTP/1.1 400", "HTTP/1.1 200"]);
  });
});

it("a price file that is packed is refused before a byte of it is read", async () => {
  const packed = await system.request("catalog", "POST", "/catalog/import/har", {
    rawBody: "part_number,title\n1,a\n",
    adminToken: ADMIN_TOKEN,
    headers: { "Content-Type": "text/csv", "Content-Encoding": "gzip" },
  });
  expect([packed.status, packed.body.error.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
});
