import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { limitRest, limitSilence, readBody } from "../src/body.ts";
import type { EdgeRequest } from "../src/edge-request.ts";
import { createEdgeServer, type EdgeServer } from "../src/server.ts";
import { MOST_IN_MEMORY, MOST_UNANSWERED, computeMaxInMemory } from "../src/unanswered.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { freePorts } from "../../../test/support/ports.ts";

/** What a body is given here to arrive, or to go on arriving. */
const LIMIT_MS = 200;

let server: EdgeServer;
let port: number;
/** Requests that were handed over and not answered, and the most of them there were. */
const inFlight = { now: 0, most: 0 };
let handed: string[] = [];
/** Answers that the paths `/held/…` wait for. */
let held: ServerResponse[] = [];

async function startServer(): Promise<void> {
  port = await freePorts(1);
  server = createEdgeServer({
    host: "127.0.0.1",
    port,
    setting: "TEST_PORT",
    handler: (req, res) => void answer(req, res),
  });
  await server.listen();
}

beforeAll(startServer);
afterAll(() => server.drain(5_000));
beforeEach(() => {
  inFlight.most = 0;
  handed = [];
  held = [];
});

/** `/WAY/NUMBER`: the number comes back in a header. */
async function answer(req: EdgeRequest, res: ServerResponse): Promise<void> {
  const [, way, number] = req.url!.split("/");
  handed.push(number!);
  inFlight.now += 1;
  inFlight.most = Math.max(inFlight.most, inFlight.now);
  let isOver = false;
  const over = (): void => {
    if (!isOver) inFlight.now -= 1;
    isOver = true;
  };
  res.on("finish", over).on("close", over);
  res.setHeader("X-Number", number!);
  if (way === "held") {
    held.push(res);
    return;
  }
  if (way === "later") await wait(2);
  if (way === "streamed") limitSilence(req, LIMIT_MS);
  if (way === "counted") {
    let chunks = 0;
    await once(
      req.on("data", () => (chunks += 1)),
      "end",
    );
    res.setHeader("X-Chunks", chunks);
  }
  if (way === "whole") await readBody(req, { bytes: 100_000, milliseconds: LIMIT_MS });
  if (way === "refused") limitRest(req, LIMIT_MS);
  // A body that nobody reads is the other ways' part.
  if (["reads", "streamed"].includes(way!))
    for await (const chunk of req) res.setHeader("X-Bytes", (chunk as Buffer).length);
  res.end(way === "large" ? "x".repeat(100_000) : way);
}

interface Sent {
  way: "now" | "later" | "reads" | "large";
  kind: "get" | "head" | "post" | "chunked" | "expecting";
  body: string;
}

function write({ way, kind, body }: Sent, number: number): string {
  const head = (method: string, ...headers: string[]): string =>
    [`${method} /${way}/${number} HTTP/1.1`, "Host: a", ...headers, "", ""].join("\r\n");
  switch (kind) {
    case "get":
      return head("GET");
    case "head":
      return head("HEAD");
    case "post":
      return head("POST", `Content-Length: ${body.length}`) + body;
    case "expecting":
      return head("POST", "Expect: 100-continue", `Content-Length: ${body.length}`) + body;
    case "chunked":
      return `${head("POST", "Transfer-Encoding: chunked")}${body === "" ? "" : `${body.length.toString(16)}\r\n${body}\r\n`}0\r\n\r\n`;
  }
}

const numbersIn = (answers: string): number[] =>
  [...answers.matchAll(/^X-Number: (\d+)\r$/gm)].map(([, number]) => Number(number));

/** Sends the bytes in pieces and gives all answers, when the last request (which closes the connection) is answered. */
async function talk(bytes: string, pieces: readonly number[]): Promise<string> {
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  let answers = "";
  socket.on("data", (chunk: Buffer) => (answers += chunk.toString("latin1")));
  const closed = once(socket, "close");
  let from = 0;
  for (const length of [...pieces, bytes.length]) {
    if (from >= bytes.length) break;
    socket.write(bytes.slice(from, from + length));
    from += length;
    await new Promise(setImmediate);
  }
  await closed;
  return answers;
}

const last = (number: number): string => `GET /now/${number} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;

describe("The requests that a connection sends without waiting", () => {
  test("are all answered once and in order, and no more than sixteen are in flight", async () => {
    const sent = fc.record<Sent>({
      way: fc.constantFrom("now", "later", "reads", "large"),
      kind: fc.constantFrom("get", "head", "post", "chunked", "expecting"),
      // Bodies that look like heads and ends of heads.
      body: fc.oneof(
        fc.constantFrom("", "\r\n\r\n", "\n", "\r\n\r\nGET /now/999 HTTP/1.1\r\n\r\n"),
        fc.nat(20_000).map((length) => "b\r\n".repeat(length / 3)),
      ),
    });
    const pieces = fc.array(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 41, max: 5_000 })), {
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(sent, { maxLength: 80, size: "max" }), pieces, async (requests, lengths) => {
        inFlight.most = 0;
        const answers = await talk(requests.map(write).join("") + last(requests.length), lengths);
        expect(numbersIn(answers)).toEqual([...requests.keys(), requests.length]);
        expect(inFlight.most).toBeLessThanOrEqual(MOST_UNANSWERED);
        await eventually(() => inFlight.now === 0);
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  test("pass a body on as it was read, for any ends of its pieces", async () => {
    for (const body of ["\r\n-".repeat(300_000), "\r\n\r".repeat(300_000), "-\r".repeat(450_000)]) {
      const head = `POST /counted/0 HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
      const answers = await talk(head + body, []);
      expect(Number(/X-Chunks: (\d+)/.exec(answers)?.[1])).toBeLessThan(1_000);
    }
  });

  test("wait behind the sixteenth, however many came in one write, and go on one for one", async () => {
    const socket = connect(port, "127.0.0.1");
    socket
      .resume()
      .write(Array.from({ length: 3_000 }, (_, number) => `GET /held/${number} HTTP/1.1\r\n\r\n`).join(""));
    await eventually(() => held.length === MOST_UNANSWERED);
    await wait(50);
    expect(held).toHaveLength(MOST_UNANSWERED);
    for (let answered = 0; answered < 100; answered += 1) {
      held[answered]!.end();
      await eventually(() => held.length === MOST_UNANSWERED + answered + 1);
    }
    expect(handed).toEqual(Array.from({ length: MOST_UNANSWERED + 100 }, (_, number) => String(number)));
    socket.destroy();
    // What is not read does not show that the client is gone: the next answer does.
    held[100]!.destroy();
    await eventually(() => inFlight.now === 0);
  });

  test("may take a quarter of the heap, and 500 MB at most", () => {
    expect(computeMaxInMemory(256 * 1024 ** 2) * 24 * 1024).toBeLessThanOrEqual(64 * 1024 ** 2);
    expect(computeMaxInMemory(256 * 1024 ** 2)).toBeGreaterThan(2_000);
    expect(computeMaxInMemory(64 * 1024 ** 3) * 24 * 1024).toBeLessThan(500 * 1_000_000);
  });

  test("are cut off where there are too many on all connections, and the others are answered", async () => {
    const first = connect(port, "127.0.0.1");
    first.resume().write(Array.from({ length: 20 }, (_, number) => `GET /held/${number} HTTP/1.1\r\n\r\n`).join(""));
    await eventually(() => held.length === MOST_UNANSWERED);
    let cut = 0;
    for (let connections = 0; connections < MOST_IN_MEMORY / 1_000; connections += 1) {
      const socket = connect(port, "127.0.0.1").resume();
      socket.on("error", () => undefined).on("close", () => (cut += 1));
      socket.write("GET /held/99 HTTP/1.1\r\n\r\n".repeat(2_500));
    }
    await eventually(() => cut > 0);
    expect(numbersIn(await talk(last(7), []))).toEqual([7]);
    for (const res of held.slice(0, MOST_UNANSWERED)) res.end();
    await eventually(() => ["16", "17", "18", "19"].every((number) => handed.includes(number)));
    await server.drain(1);
    await eventually(() => inFlight.now === 0);
    await startServer();
  });

  test.each(["streamed", "whole", "refused"])(
    "do not make a body late that waits behind them for their answers (%s)",
    async (way) => {
      const socket = connect(port, "127.0.0.1").setNoDelay(true);
      let answers = "";
      socket.on("data", (chunk: Buffer) => (answers += chunk.toString("latin1")));
      const closed = once(socket, "close");
      socket.write(
        Array.from({ length: 16 }, (_, number) => `GET /held/${number} HTTP/1.1\r\nHost: a\r\n\r\n`).join(""),
      );
      await eventually(() => held.length === 16);
      const body = "x".repeat(90_000);
      socket.write(`POST /${way}/16 HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}${last(17)}`);
      await wait(2.5 * LIMIT_MS);
      for (const res of held) res.end();
      await closed;
      expect(numbersIn(answers)).toEqual([...Array(18).keys()]);
    },
  );

  test("are given up with a client that leaves while all wait", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.write("GET /held/0 HTTP/1.1\r\nHost: a\r\n\r\n".repeat(MOST_UNANSWERED));
    await eventually(() => held.length === MOST_UNANSWERED);
    socket.destroy();
    await eventually(() => inFlight.now === 0);
  });
});

describe("A client whose request is malformed", () => {
  const MALFORMED = [
    ["nothing that is HTTP", "nonsense\r\n\r\n"],
    ["too long a head", `GET / HTTP/1.1\r\nX: ${"x".repeat(60_000)}`],
  ] as const;

  test.each(MALFORMED)("reads its answer although it sends on, after %s", async (_what, bytes) => {
    const socket = connect({ port, host: "127.0.0.1" });
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
    socket.write(bytes);
    // More than the buffers between both ends hold: it is still sending when its answer is on its way.
    socket.end(Buffer.alloc(32 * 1024 * 1024));
    await once(socket, "close");
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
  });

  test("is cut off within seconds where it keeps its end open", async () => {
    const cutOff = MALFORMED.map(async ([, bytes]) => {
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      let text = "";
      socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
      // Where the other end is gone, and not only silent, a write is answered by a reset.
      const reset = new Promise((resolve) => socket.on("error", resolve));
      socket.write(bytes);
      const writing = setInterval(() => socket.write("x"), 5);
      await reset;
      clearInterval(writing);
      return text;
    });
    for (const text of await Promise.all(cutOff)) expect(text).toMatch(/^HTTP\/1\.1 400 /);
  });
});
