import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import fc from "fast-check";
import { asList, asObject } from "../src/answer.ts";
import { findHttpErrorDetails } from "../src/errors.ts";
import { createHttpClient, type HttpClientOptions, type JsonRequest } from "../src/http-client.ts";
import { retryAfterSeconds } from "../src/retry.ts";
import {
  hang,
  hangUp,
  json,
  stall,
  startScriptedServer,
  status,
  text,
  type ScriptedAnswer,
  type ScriptedServer,
} from "../../../test/support/scripted-server.ts";

const KEY = "key-that-nobody-may-see";
let server: ScriptedServer;
beforeEach(async () => void (server = await startScriptedServer(hang)));
afterEach(async () => {
  jest.useRealTimers();
  await server.close();
});

const options = (over: Partial<HttpClientOptions> = {}): HttpClientOptions => ({
  provider: "tool shed",
  baseUrl: server.url,
  headers: { "x-api-key": KEY },
  attemptTimeoutMs: 2_000,
  deadlineMs: 5_000,
  retry: { retries: 2, baseMs: 1, maxMs: 4, maxRetryAfterMs: 60_000 },
  breaker: { failures: 100, openMs: 1_000 },
  maxAnswerBytes: 10_000,
  ...over,
});
const items = (answer: unknown): readonly unknown[] => asList(asObject(answer, "the answer").items, "items");

function client(script: ScriptedAnswer[], over: Partial<HttpClientOptions> = {}) {
  server.script = script;
  const http = createHttpClient(options(over));
  return (request: Partial<JsonRequest<readonly unknown[]>> = {}) =>
    http.request({ method: "GET", path: "/v1/items", read: items, ...request });
}
/** What became of a request that failed. */
async function failure(request: Promise<unknown>) {
  const error = (await request.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )) as Error & { code?: string };
  return {
    code: error?.code,
    ...findHttpErrorDetails(error),
    printed: `${error.stack} ${JSON.stringify(error)} ${JSON.stringify(error.cause)}`,
  };
}

describe("an HTTP client", () => {
  it("sends key, query and body, and reads the answer", async () => {
    const request = client([json({ items: [1, 2] })]);
    expect(await request({ query: { page: 2, q: "a&b" } })).toEqual([1, 2]);
    expect(await request({ method: "POST", body: { parts: ["ü"] } })).toEqual([1, 2]);
    expect(server.requests).toMatchObject([
      { method: "GET", url: "/v1/items?page=2&q=a%26b", headers: { "x-api-key": KEY, accept: "application/json" } },
      { method: "POST", url: "/v1/items", headers: { "content-type": "application/json" }, body: '{"parts":["ü"]}' },
    ]);
  });

  it.each([
    ["a fault of its own", [status(500), status(503)], 3],
    ["too many requests", [status(429)], 2],
    ["a connection that breaks", [hangUp], 2],
  ])("tries again after %s", async (_, faults: ScriptedAnswer[], requests) => {
    const request = client([...faults, json({ items: [] })]);
    expect(await request()).toEqual([]);
    expect(server.requests).toHaveLength(requests);
  });

  it("reports why each try failed, one that was not sent too", async () => {
    const failures: string[] = [];
    const request = client([status(503), hangUp, json({ items: [] })], {
      onFailure: (reason) => failures.push(reason),
      breaker: { failures: 3, openMs: 60_000 },
    });
    expect(await request()).toEqual([]);
    expect(failures).toEqual(["failed", "unreachable"]);
    server.script = [status(404), status(500)];
    for (let asked = 0; asked < 4; asked += 1) await failure(request({ method: "POST", body: {} }));
    expect(failures.slice(2)).toEqual(["refused", "failed", "failed", "failed"]);
    await failure(request({ method: "POST", body: {} }));
    expect(failures.at(-1)).toBe("circuit_open");
  });

  it("tries a POST again only where it may be sent twice", async () => {
    const request = client([status(500), json({ items: [] })]);
    expect(await failure(request({ method: "POST", body: {} }))).toMatchObject({
      code: "PROVIDER_ERROR",
      reason: "failed",
      status: 500,
    });
    server.script = [status(500), json({ items: [] })];
    expect(await request({ method: "POST", body: {}, idempotent: true })).toEqual([]);
    expect(server.requests).toHaveLength(3);
  });

  it.each([
    ["refused", 401, status(401)],
    ["refused", 404, status(404)],
    ["refused", 302, status(302, { location: "http://elsewhere.example/" })],
    ["unreadable", undefined, text("<p>Maintenance</p>")],
    ["unreadable", undefined, json({ items: {} })],
    ["unreadable", undefined, json(null)],
    ["unreadable", undefined, text(JSON.stringify({ items: ["x".repeat(20_000)] }))],
    [
      "unreadable",
      undefined,
      (response: Parameters<ScriptedAnswer>[0]) => void response.writeHead(200).write("x".repeat(20_000)),
    ],
  ])("asks once and says %s (%s)", async (reason, code, answer) => {
    const request = client([answer]);
    const failed = await failure(request());
    expect(failed).toMatchObject({ code: "PROVIDER_ERROR", reason, provider: "tool shed" });
    expect(failed.status).toBe(code);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ["never answers", hang],
    ["never ends its answer", stall],
  ])("gives a try up in time when the provider %s", async (_, answer) => {
    const retry = { retries: 20, baseMs: 1, maxMs: 4, maxRetryAfterMs: 60_000 };
    const request = client([answer, json({ items: [] })], { attemptTimeoutMs: 100, retry });
    expect(await request()).toEqual([]);
    server.script = Array<ScriptedAnswer>(21).fill(answer);
    const before = server.requests.length;
    expect(await failure(request({ deadlineMs: 150 }))).toMatchObject({ code: "TIMEOUT", reason: "timed_out" });
    // A try that is cut off at the deadline may be followed by one of the clock's last millisecond.
    expect(server.requests.length - before).toBeLessThanOrEqual(4);
  });

  it("says that nobody is there", async () => {
    const request = client([hang]);
    await server.close();
    expect(await failure(request())).toMatchObject({ code: "PROVIDER_ERROR", reason: "unreachable" });
  });

  it("does not wait for a Retry-After that goes beyond the deadline, and reports it", async () => {
    const request = client([status(429, { "retry-after": "30" })]);
    expect(await failure(request())).toMatchObject({ reason: "busy", status: 429, retryAfterSeconds: 30 });
    expect(server.requests).toHaveLength(1);
  });

  it("sends nothing to a busy provider before it wants the next request", async () => {
    const request = client([status(429, { "retry-after": "30" })], {
      retry: { ...options().retry, maxRetryAfterMs: 1_000 },
    });
    await failure(request());
    server.script = [json({ items: [] })];
    expect(await failure(request())).toMatchObject({ reason: "busy", retryAfterSeconds: expect.closeTo(30, 0) });
    expect(server.requests).toHaveLength(1);
  });

  it("asks a provider again after five minutes that wants the next request in years", async () => {
    jest.useFakeTimers();
    let asked = 0;
    const http = createHttpClient(
      options({
        retry: { ...options().retry, retries: 0 },
        fetch: () =>
          Promise.resolve(
            asked++ === 0
              ? new Response(null, { status: 429, headers: { "retry-after": "999999999" } })
              : Response.json({ items: [1] }),
          ),
      }),
    );
    const request = () => http.request({ method: "GET", path: "/", read: items });
    expect(await failure(request())).toMatchObject({ reason: "busy" });
    await jest.advanceTimersByTimeAsync(299_000);
    expect(await failure(request())).toMatchObject({ reason: "busy", retryAfterSeconds: 1 });
    expect(asked).toBe(1);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await request()).toEqual([1]);
  });

  it("never shows the key, not even when it can be no header", async () => {
    const request = client([status(401)], { headers: { "x-api-key": `${KEY}\n${KEY}` } });
    const bad = await failure(request());
    expect(bad).toMatchObject({ reason: "unreachable" });
    const refused = await failure(client([status(403)])());
    for (const { printed } of [bad, refused]) expect(printed).not.toContain(KEY);
  });

  it("leaves alone a provider that fails again and again, and tries it after a pause", async () => {
    fakeClock();
    const request = client([status(500)], { breaker: { failures: 3, openMs: 1_000 } });
    expect(await failure(request())).toMatchObject({ reason: "failed" });
    expect(await failure(request())).toMatchObject({ reason: "circuit_open" });
    expect(server.requests).toHaveLength(3);
    server.script = [json({ items: [] })];
    jest.advanceTimersByTime(999);
    expect(await failure(request())).toMatchObject({ reason: "circuit_open" });
    jest.advanceTimersByTime(1);
    expect(await request()).toEqual([]);
    expect(server.requests).toHaveLength(4);
  });

  it("stays with a provider that refuses, or is busy", async () => {
    const request = client([status(403), status(403), status(429)], {
      breaker: { failures: 2, openMs: 60_000 },
      retry: { ...options().retry, retries: 0 },
    });
    for (const reason of ["refused", "refused", "busy", "busy", "busy"])
      expect(await failure(request())).toMatchObject({ reason });
  });

  it("asks the limiter before every try, and gives up on one that takes too long", async () => {
    let tokens = 0;
    const request = client([status(500), json({ items: [] })], { rateLimit: () => Promise.resolve(void tokens++) });
    await request();
    expect(tokens).toBe(2);
    const starved = createHttpClient(options({ rateLimit: () => new Promise(() => undefined), deadlineMs: 30 }));
    expect(await failure(starved.request({ method: "GET", path: "/", read: items }))).toMatchObject({
      reason: "timed_out",
    });
  });
});

describe("the pauses between tries", () => {
  /** Start times of the tries at a provider that answers like this, on a clock of the test's own. */
  async function startTimes(answer: () => Response, over: Partial<HttpClientOptions>): Promise<number[]> {
    jest.useFakeTimers();
    const beginning = Date.now();
    const starts: number[] = [];
    const http = createHttpClient(
      options({
        ...over,
        fetch: () => {
          starts.push(Date.now() - beginning);
          return Promise.resolve(answer());
        },
      }),
    );
    const ended = failure(http.request({ method: "GET", path: "/", read: items }));
    await jest.runAllTimersAsync();
    await ended;
    jest.useRealTimers();
    return starts;
  }

  it("are drawn from twice the range each time, up to the longest", async () => {
    const retry = { retries: 5, baseMs: 100, maxMs: 500, maxRetryAfterMs: 0 };
    const longest = await startTimes(() => new Response(null, { status: 500 }), {
      retry,
      random: () => 0.999999,
      deadlineMs: 60_000,
    });
    expect(longest.map((start, index) => Math.round((start - (longest[index - 1] ?? 0)) / 100))).toEqual([
      0, 1, 2, 4, 5, 5,
    ]);
    expect(
      await startTimes(() => new Response(null, { status: 500 }), { retry, random: () => 0, deadlineMs: 60_000 }),
    ).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it("are at least what the provider asks for, in every form; one that asks for too long is not tried again", async () => {
    const retry = { retries: 1, baseMs: 0, maxMs: 0, maxRetryAfterMs: 20_000 };
    const busy = (retryAfter: string) => () =>
      new Response(null, { status: 429, headers: { "retry-after": retryAfter } });
    expect(await startTimes(busy("7"), { retry, deadlineMs: 60_000 })).toEqual([0, 7_000]);
    expect(await startTimes(busy("21"), { retry, deadlineMs: 60_000 })).toEqual([0]);
    expect(await startTimes(busy(new Date(Date.now() + 5_500).toUTCString()), { retry, deadlineMs: 60_000 })).toEqual([
      0,
      expect.closeTo(5_000, -4),
    ]);
    expect(await startTimes(busy("7"), { retry, deadlineMs: 6_000 })).toEqual([0]);
  });

  it("never end after the deadline", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(10_000),
        fc.nat(8),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        async (deadlineMs, retries, luck) => {
          const retry = { retries, baseMs: 300, maxMs: 3_000, maxRetryAfterMs: 10_000 };
          const starts = await startTimes(() => new Response(null, { status: 503, headers: { "retry-after": "1" } }), {
            retry,
            deadlineMs: deadlineMs + 1,
            random: () => luck,
          });
          expect(starts.length).toBeLessThanOrEqual(retries + 1);
          for (const start of starts) expect(start).toBeLessThanOrEqual(deadlineMs + 1);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("reads Retry-After as seconds or an HTTP date, and nothing else", () => {
    const now = Date.parse("2026-06-01T12:00:00Z");
    expect(retryAfterSeconds("120", now)).toBe(120);
    expect(retryAfterSeconds("Mon, 01 Jun 2026 12:00:30 GMT", now)).toBe(30);
    expect(retryAfterSeconds("Mon, 01 Jun 2026 11:00:00 GMT", now)).toBe(0);
    for (const other of [null, "", "soon", "-5", "1.5", "2026-06-01", "99999999999"])
      expect(retryAfterSeconds(other, now)).toBeUndefined();
  });
});
