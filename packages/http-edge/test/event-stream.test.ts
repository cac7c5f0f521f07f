import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { ServerResponse } from "node:http";
import { PassThrough, Writable } from "node:stream";
import { createEventStreams, type EventPage, type EventStreams } from "../src/event-stream.ts";
import { EdgeRequest } from "../src/edge-request.ts";

const EMPTY: EventPage = { events: [], after: 0 };

/**
 * A response as far as a stream writes to one; `room` is how many characters the client takes before it must be waited
 * for.
 */
function response(room = 1e6): { res: ServerResponse; text: () => string } {
  const stream = new PassThrough({ highWaterMark: room });
  const res = Object.assign(stream, { writeHead: () => res }) as unknown as ServerResponse;
  return { res, text: () => String(stream.readableLength === 0 ? "" : stream.read()) };
}

function request(): EdgeRequest {
  const req = new EdgeRequest(undefined as never);
  req.exchange = { requestId: "r", startedAt: 0, path: "/", query: "", routeLabel: "/", pathValues: [], headers: {} };
  return req;
}

describe("an event stream", () => {
  let streams: EventStreams;
  beforeEach(() => {
    jest.useFakeTimers();
    streams = createEventStreams({ debug: () => undefined });
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  const mayRead = () => Promise.resolve();
  const source = (read: (after: number) => Promise<EventPage>) => ({ first: EMPTY, read, mayRead, wokenBy: "news" });

  test("is never silent for long, and ends after a quarter of an hour", async () => {
    const { res, text } = response();
    streams.open(
      request(),
      res,
      source(() => Promise.resolve(EMPTY)),
    );
    await jest.advanceTimersByTimeAsync(14_000);
    expect(text()).toBe("retry: 1000\nid: 0\n\n");
    await jest.advanceTimersByTimeAsync(3_000);
    expect(text()).toBe(": still here\nid: 0\n\n");
    await jest.advanceTimersByTimeAsync(30_000);
    expect(text()).toBe(": still here\nid: 0\n\n".repeat(2));
    await jest.advanceTimersByTimeAsync(15 * 60_000);
    expect(res.writableEnded).toBe(true);
  });

  test("sends its position before there is an event, and as what is not for this client goes by", async () => {
    const { res, text } = response();
    streams.open(request(), res, {
      first: { events: [], after: 41 },
      read: (after) => Promise.resolve({ events: [], after: after + 1 }),
      mayRead,
      wokenBy: undefined,
    });
    await jest.advanceTimersByTimeAsync(100);
    expect(text()).toBe("retry: 1000\nid: 41\n\n");
    await jest.advanceTimersByTimeAsync(16_000);
    expect(text()).toMatch(/^: still here\nid: 5\d\n\n$/);
    res.destroy();
  });

  test("ends with its client's credential", async () => {
    const { res, text } = response();
    let isRevoked = false;
    streams.open(request(), res, {
      ...source((after) => Promise.resolve({ events: [{ position: after + 1 }], after: after + 1 })),
      mayRead: () => (isRevoked ? Promise.reject(new Error("Invalid key")) : Promise.resolve()),
    });
    await jest.advanceTimersByTimeAsync(3_000);
    expect([res.writableEnded, text()]).toEqual([false, expect.stringContaining("id: 3")]);
    isRevoked = true;
    await jest.advanceTimersByTimeAsync(1_100);
    expect(res.writableEnded).toBe(true);
  });

  test("is not kept for a client that left while the first page was read", async () => {
    const gone = () => {
      const { res } = response();
      res.destroy();
      return res;
    };
    for (let n = 0; n < 300; n++)
      streams.open(
        request(),
        gone(),
        source(() => Promise.resolve(EMPTY)),
      );
    await jest.advanceTimersByTimeAsync(1_000);
    const { res, text } = response();
    streams.open(
      request(),
      res,
      source(() => Promise.resolve(EMPTY)),
    );
    await jest.advanceTimersByTimeAsync(1);
    expect(text()).toContain("retry:");
    res.destroy();
  });

  test("goes on from the same place when a read fails", async () => {
    const asked: number[] = [];
    const { res, text } = response();
    streams.open(
      request(),
      res,
      source((after) => {
        asked.push(after);
        return asked.length === 2
          ? Promise.reject(new Error("The node is gone"))
          : Promise.resolve(asked.length === 1 ? { events: [{ position: 7 }], after: 7 } : { events: [], after });
      }),
    );
    await jest.advanceTimersByTimeAsync(5_000);
    expect(asked.slice(0, 4)).toEqual([0, 7, 7, 7]);
    expect(text()).toContain('id: 7\ndata: {"position":7}\n\n');
    res.destroy();
  });

  test("reads nothing more while its client takes nothing, and gives up such a client", async () => {
    let reads = 0;
    const { res } = response(100);
    streams.open(
      request(),
      res,
      source((after) =>
        Promise.resolve({ events: [{ position: after + 1, text: "x".repeat(200) }], after: after + (reads += 1) }),
      ),
    );
    await jest.advanceTimersByTimeAsync(59_000);
    expect(reads).toBeLessThanOrEqual(2);
    expect(res.destroyed).toBe(false);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(res.destroyed).toBe(true);
    const before = reads;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(reads).toBe(before);
  });

  test("waits for a client that takes a large event slowly", async () => {
    const taken: Buffer[] = [];
    const slow = new Writable({
      write: (chunk: Buffer, _encoding, next) => {
        taken.push(chunk);
        // Two kilobytes a second.
        setTimeout(next, chunk.length / 2);
      },
    });
    const res = Object.assign(slow, { writeHead: () => res }) as unknown as ServerResponse;
    const event = { position: 1, text: "ü".repeat(250 * 1024) };
    streams.open(
      request(),
      res,
      source((after) => Promise.resolve(after === 0 ? { events: [event], after: 1 } : { events: [], after })),
    );
    await jest.advanceTimersByTimeAsync(5 * 60_000);
    expect(res.destroyed).toBe(false);
    expect(Buffer.concat(taken).toString()).toContain(`id: 1\ndata: ${JSON.stringify(event)}\n\n`);
    res.destroy();
  });

  test("reads no more once its client is gone, and is refused where too many are open", async () => {
    let reads = 0;
    const { res } = response();
    const counting = source(() => Promise.resolve(((reads += 1), EMPTY)));
    streams.open(request(), res, counting);
    res.destroy();
    await jest.advanceTimersByTimeAsync(100);
    const before = reads;
    await jest.advanceTimersByTimeAsync(10_000);
    expect(reads).toBe(before);
    const open = Array.from({ length: 200 }, () => response().res);
    for (const each of open)
      streams.open(
        request(),
        each,
        source(() => new Promise(() => undefined)),
      );
    expect(() => streams.open(request(), response().res, counting)).toThrow(
      expect.objectContaining({ code: "SERVICE_UNAVAILABLE" }),
    );
    for (const each of open) each.destroy();
  });
});
