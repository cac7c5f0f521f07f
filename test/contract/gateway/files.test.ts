import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { PIECE_BYTES } from "../../../broker/contract/file.ts";
import { eventually } from "../../support/eventually.ts";
import { startEdge } from "./edge-client.ts";
import { pictureBytes, pictures } from "./shop-contract.ts";
import { useStarted } from "../../support/use-started.ts";

const LONG = PIECE_BYTES * 5 + 123;

describe("a route that answers a file", () => {
  const edge = useStarted(() => startEdge(["payment", "gateway"], { transport: "fake" }));
  beforeEach(() => {
    pictures.edition = undefined;
    pictures.pieces = 0;
  });

  /** Bytes as they come: the shared client reads text. */
  const get = async (target: string, headers: Record<string, string> = {}, method = "GET") => {
    const response = await fetch(`http://127.0.0.1:${edge.port("payment")}${target}`, { method, headers });
    return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
  };
  const header = (answer: { headers: Headers }, ...names: string[]) => names.map((name) => answer.headers.get(name));

  test.each([0, 1, 1_000, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, LONG])(
    "of %d bytes is whole",
    async (bytes) => {
      const answer = await get(`/api/pictures/${bytes}`);
      expect(answer.status).toBe(200);
      expect(answer.body.equals(pictureBytes(0, bytes - 1))).toBe(true);
      expect(
        header(
          answer,
          "content-type",
          "content-length",
          "etag",
          "cache-control",
          "vary",
          "accept-ranges",
          "x-content-type-options",
        ),
      ).toEqual([
        "image/png",
        String(bytes),
        `"first-${bytes}"`,
        "public, max-age=60",
        "Accept, Origin",
        "bytes",
        "nosniff",
      ]);
      expect(answer.headers.get("x-request-id")).toMatch(/./);
    },
  );

  test("HEAD answers the same headers and sends nothing, and reads nothing", async () => {
    const answer = await get(`/api/pictures/${LONG}`, {}, "HEAD");
    expect([answer.status, answer.body.length, pictures.pieces]).toEqual([200, 0, 0]);
    expect(header(answer, "content-length", "etag", "content-type")).toEqual([
      String(LONG),
      `"first-${LONG}"`,
      "image/png",
    ]);
  });

  test.each([
    ["bytes=0-9", 0, 9],
    ["bytes=10-", 10, 2_999],
    ["bytes=-5", 2_995, 2_999],
    ["bytes=-9999", 0, 2_999],
    ["bytes=2999-5000", 2_999, 2_999],
    ["BYTES= 3 - 4", 3, 4],
  ])("the range %s is answered", async (range, from, to) => {
    const answer = await get("/api/pictures/3000", { Range: range });
    expect(answer.status).toBe(206);
    expect(answer.body.equals(pictureBytes(from, to))).toBe(true);
    expect(header(answer, "content-range", "content-length")).toEqual([
      `bytes ${from}-${to}/3000`,
      String(to - from + 1),
    ]);
  });

  test("a long range comes in pieces, of which nothing before it is read", async () => {
    const from = PIECE_BYTES * 3 - 7;
    const answer = await get(`/api/pictures/${LONG}`, { Range: `bytes=${from}-` });
    expect(answer.body.equals(pictureBytes(from, LONG - 1))).toBe(true);
    expect(pictures.pieces).toBe(3);
  });

  test.each(["bytes=3000-", "bytes=9999-10000", "bytes=-0"])("the range %s is 416 with the length", async (range) => {
    const answer = await get("/api/pictures/3000", { Range: range });
    expect(answer.status).toBe(416);
    expect(JSON.parse(answer.body.toString())).toMatchObject({
      success: false,
      error: { code: "RANGE_NOT_SATISFIABLE" },
    });
    expect(header(answer, "content-range", "cache-control")).toEqual(["bytes */3000", "no-store"]);
  });

  test.each(["bytes=5-3", "bytes=0-1,5-9", "lines=1-2", "bytes=a-b", "bytes=-", "bytes=99999999999999999999-"])(
    "what is no single range of bytes (%s) gets the whole file",
    async (range) => {
      const answer = await get("/api/pictures/3000", { Range: range });
      expect([answer.status, answer.body.length]).toEqual([200, 3_000]);
    },
  );

  test.each(['"first-3000"', 'W/"first-3000"', '"other", "first-3000"', "*"])(
    "If-None-Match %s is 304 without a body",
    async (tags) => {
      const answer = await get("/api/pictures/3000", { "If-None-Match": tags, Range: "bytes=0-3" });
      expect([answer.status, answer.body.length, pictures.pieces]).toEqual([304, 0, 0]);
      expect(header(answer, "etag", "cache-control", "vary", "content-length")).toEqual([
        '"first-3000"',
        "public, max-age=60",
        "Accept, Origin",
        null,
      ]);
    },
  );

  test.each([
    ['"other"', 412],
    ['W/"first-3000"', 412],
    ['"first-3000"', 206],
    ['"other", "first-3000"', 206],
    ["*", 206],
  ])("If-Match %s is %i", async (tags, status) => {
    const answer = await get("/api/pictures/3000", { "If-Match": tags, Range: "bytes=0-3" });
    expect([answer.status, pictures.pieces]).toEqual([status, status === 206 ? 1 : 0]);
    if (status === 412)
      expect(JSON.parse(answer.body.toString())).toMatchObject({
        success: false,
        error: { code: "PRECONDITION_FAILED" },
      });
  });

  test("another tag gets the file; a range counts only while If-Range is the tag", async () => {
    expect((await get("/api/pictures/3000", { "If-None-Match": '"other"' })).status).toBe(200);
    expect((await get("/api/pictures/3000", { Range: "bytes=0-3", "If-Range": '"first-3000"' })).status).toBe(206);
    for (const stale of ['"other"', 'W/"first-3000"', "Sat, 01 Jan 2028 00:00:00 GMT"]) {
      expect((await get("/api/pictures/3000", { Range: "bytes=0-3", "If-Range": stale })).status).toBe(200);
    }
  });

  test("what the gateway hands over cannot be given in the query", async () => {
    const whole = await get("/api/pictures/3000");
    expect((await get("/api/pictures/3000?file=x")).body).toEqual(whole.body);
    const strict = await get("/api/pictures/3000?file=x", { Prefer: "respond-async, handling=strict" });
    expect(strict.status).toBe(400);
    expect(strict.body.toString()).toContain("'file'");
  });

  test("a client that goes away is read for no further", async () => {
    const bytes = PIECE_BYTES * 400;
    const client = request({ port: edge.port("payment"), path: `/api/pictures/${bytes}`, agent: false });
    client.on("error", () => undefined);
    client.end();
    const [incoming] = (await once(client, "response")) as [NodeJS.ReadableStream & { destroy(): void }];
    await once(incoming, "readable");
    incoming.destroy();
    let before = -1;
    await eventually(async () => {
      const still = pictures.pieces === before;
      before = pictures.pieces;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return still;
    });
    expect(pictures.pieces).toBeLessThan(100);
    expect((await get("/api/pictures/10")).status).toBe(200);
  });

  test("a client that reads nothing has no more read for it than fits on the way", async () => {
    const socket = connect(edge.port("payment"), "127.0.0.1");
    await once(socket, "connect");
    socket.pause();
    socket.write(`GET /api/pictures/${PIECE_BYTES * 400} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await eventually(() => pictures.pieces > 0);
    let before = -1;
    await eventually(async () => {
      const still = pictures.pieces === before;
      before = pictures.pieces;
      await new Promise((resolve) => setTimeout(resolve, 200));
      return still;
    });
    expect(pictures.pieces).toBeLessThan(60);
    socket.destroy();
  });

  test("a file that changes while it is read is cut off, never mixed", async () => {
    const client = request({ port: edge.port("payment"), path: `/api/pictures/${PIECE_BYTES * 400}`, agent: false });
    client.end();
    const [incoming] = (await once(client, "response")) as [NodeJS.ReadableStream];
    pictures.edition = "second";
    let bytes = 0;
    const reading = (async () => {
      for await (const chunk of incoming) bytes += (chunk as Buffer).length;
    })();
    await expect(reading).rejects.toThrow("aborted");
    expect(bytes).toBeLessThan(PIECE_BYTES * 400);
    // It was not the client that left.
    await eventually(async () => {
      const { text } = await edge.ask("payment", "GET", "/metrics", {
        headers: { "x-admin-token": "test-admin-token" },
      });
      return /^http_server_request_duration_seconds_count\{.*pictures.*status="409"/m.test(text);
    });
  });

  test("is described with its types, its conditions and its ranges", async () => {
    const { json } = await edge.ask("payment", "GET", "/openapi.json");
    const { parameters, responses } = json.paths["/api/pictures/{bytes}"].get;
    expect(parameters.map(({ name }: { name: string }) => name)).toEqual([
      "bytes",
      "edition",
      "If-Match",
      "If-None-Match",
      "Range",
      "If-Range",
    ]);
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(["200", "206", "304", "400", "412", "416"]));
    expect(responses["200"].content).toEqual({ "image/png": {}, "image/webp": {} });
    expect(responses["304"]).not.toHaveProperty("content");
  });
});
