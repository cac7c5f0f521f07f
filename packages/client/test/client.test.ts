import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { createClient, isPartlineError, PartlineError } from "../src/index.ts";
import {
  hang,
  hangUp,
  json,
  stall,
  startScriptedServer,
  status,
  type ScriptedAnswer,
  type ScriptedServer,
} from "../../../test/support/scripted-server.ts";

let server: ScriptedServer;
beforeEach(async () => {
  server = await startScriptedServer(json({}));
});
afterEach(() => server.close());

const client = (options: Partial<Parameters<typeof createClient>[0]> = {}) =>
  createClient({ baseUrl: `${server.url}/`, ...options });
const said = () => server.requests.map(({ method, url }) => `${method} ${url}`);
const refused = (code: string, statusCode: number, headers: Record<string, string> = {}): ScriptedAnswer =>
  json({ success: false, error: { code, message: "No", details: [1] } }, statusCode, headers);
/** What a call was refused with. */
const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );
const events =
  (text: string, { stays = false } = {}): ScriptedAnswer =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(text);
    if (!stays) response.end();
  };

describe("a request", () => {
  test("has each param in its place, encoded", async () => {
    await client().search.search({ q: "a&b=ü", manufacturer: ["Kohler", "Acme"], inStock: false, page: undefined });
    await client().cart.get({ cartId: "a/b?c#d" });
    await client().order.adminList({ from: new Date("2026-01-31T10:00:00Z") });
    await client().cart.saveForCheckout({ cartId: "cart_1700000000000_k3j9x2m1q", items: [] });
    expect(said()).toEqual([
      "GET /api/search?q=a%26b%3D%C3%BC&manufacturer=Kohler&manufacturer=Acme&inStock=false",
      "GET /api/cart/a%2Fb%3Fc%23d",
      "GET /api/admin/orders?from=2026-01-31T10%3A00%3A00.000Z",
      "POST /api/cart",
    ]);
    expect(server.requests[3]).toMatchObject({
      headers: { "content-type": "application/json" },
      body: '{"cartId":"cart_1700000000000_k3j9x2m1q","items":[]}',
    });
  });

  test.each([".", "..", ""])("never leaves its path by the id %p", async (cartId) => {
    expect(await errorOf(client().cart.remove({ cartId }))).toBeInstanceOf(TypeError);
    expect(said()).toEqual([]);
  });

  test("carries the credentials that are there, asked for each time", async () => {
    let asked = 0;
    const partline = client({ token: async () => (++asked === 1 ? "t1" : undefined), sessionId: "s", adminToken: "" });
    await partline.search.suggest();
    await partline.search.suggest();
    expect(server.requests.map(({ headers }) => [headers.authorization, headers["x-session-id"]])).toEqual([
      ["Bearer t1", "s"],
      [undefined, "s"],
    ]);
    expect(server.requests[0]!.headers).not.toHaveProperty("x-admin-token");
  });

  test("for another entry point needs that one's address", async () => {
    expect(await errorOf(client().cart.current())).toMatchObject({
      message: expect.stringContaining("entryPoints.cart"),
    });
    await client({ baseUrl: "http://127.0.0.1:9", entryPoints: { cart: server.url } }).cart.current();
    expect(said()).toEqual(["GET /api/cart"]);
  });

  test("is answered with what is in the envelope, or with the plain answer", async () => {
    server.script = [json({ success: true, data: { url: "u" } }), json({ suggestions: [] })];
    expect(await client().payment.verify({ paymentIntentId: "pi_1" })).toEqual({ url: "u" });
    expect(await client().search.suggest()).toEqual({ suggestions: [] });
  });
});

describe("a refusal", () => {
  test("is an error with its code, details, request id and pause", async () => {
    server.script = [refused("OUT_OF_STOCK", 409, { "x-request-id": "r-1", "retry-after": "7" })];
    const error = await errorOf(client().cart.get({ cartId: "x" }));
    expect(isPartlineError(error, "OUT_OF_STOCK", "NOT_FOUND")).toBe(true);
    expect(isPartlineError(error, "NOT_FOUND")).toBe(false);
    expect(error).toMatchObject({ code: "OUT_OF_STOCK", status: 409, details: [1], requestId: "r-1", retryAfter: 7 });
  });

  test.each<[string, ScriptedAnswer, object]>([
    ["the desk's form", json({ detail: "query field is required" }, 400), { code: "VALIDATION_FAILED" }],
    ["a proxy's page", status(404), { code: "UNEXPECTED_ANSWER", status: 404 }],
    ["no answer", hangUp, { code: "NETWORK_ERROR", status: 0 }],
    ["half an answer", (response) => (stall(response, undefined!), response.destroy()), { code: "NETWORK_ERROR" }],
  ])("in %s has a code too", async (_what, answer, expected) => {
    server.script = [answer];
    expect(await errorOf(client({ retries: 0 }).search.suggest())).toMatchObject(expected);
  });
});

describe("what passes is asked again", () => {
  test.each<[string, number, () => Promise<unknown>]>([
    ["RATE_LIMITED", 429, () => client().cart.get({ cartId: "x" })],
    ["PROVIDER_ERROR", 502, () => client().search.setSynonyms({ language: "de", lines: [] })],
    ["DATABASE_UNAVAILABLE", 503, () => client().cart.remove({ cartId: "x" })],
    ["SERVICE_UNAVAILABLE", 503, () => client().search.aiAvailability({ partNumbers: ["1"] })],
    ["TIMEOUT", 504, () => client().mail.sendAgain({ orderId: "x", mailId: "y" }, { idempotencyKey: "once" })],
  ])(
    "after %s (%i) and a broken connection: GET, PUT, DELETE, idempotent and with a key",
    async (code, number, call) => {
      server.script = [refused(code, number), hangUp, json({ data: 1 })];
      expect(await errorOf(call())).toBeUndefined();
      expect(said().length).toBe(3);
    },
  );

  test("but neither a PATCH nor a plain POST, except after 429", async () => {
    for (const [answer, times] of [
      [refused("TIMEOUT", 504), 1],
      [hangUp, 1],
      [refused("RATE_LIMITED", 429), 2],
    ] as const) {
      server.requests.length = 0;
      server.script = [answer, json({ data: 1 })];
      await errorOf(client().user.updateMe({ name: "Ada" }));
      expect(said().length).toBe(times);
    }
  });

  test("at most `retries` times, and not what will be refused again", async () => {
    server.script = [refused("TIMEOUT", 504)];
    expect(await errorOf(client({ retries: 1 }).search.suggest())).toMatchObject({ code: "TIMEOUT" });
    expect(said().length).toBe(2);
    server.script = [refused("NOT_FOUND", 404)];
    await errorOf(client().search.suggest());
    expect(said().length).toBe(3);
  });

  test("after the pause that Retry-After asks for, if it is short", async () => {
    server.script = [refused("RATE_LIMITED", 429, { "retry-after": "1" }), json({})];
    const before = performance.now();
    await client().search.suggest();
    expect(performance.now() - before).toBeGreaterThan(990);
    server.script = [refused("RATE_LIMITED", 429, { "retry-after": "31" })];
    expect(await errorOf(client().search.suggest())).toMatchObject({ code: "RATE_LIMITED", retryAfter: 31 });
    expect(said().length).toBe(3);
  });

  test.each([
    ["a request", hang],
    ["a pause", refused("RATE_LIMITED", 429, { "retry-after": "20" })],
    ["an answer", stall],
  ])("until the caller ends %s", async (_what, answer) => {
    server.script = [answer];
    const error = await errorOf(client().search.suggest({}, { signal: AbortSignal.timeout(200) }));
    expect([error instanceof PartlineError, (error as Error).name]).toEqual([false, "TimeoutError"]);
  });
});

describe("streams", () => {
  test("of events go on where they broke off, without a word in between", async () => {
    server.script = [
      events("retry: 10\nid: 4\n\n"),
      events('id: 5\ndata: {"position":5}\n\n: still here\nid: 6\n\nid: 7\ndata: {"posi'),
      hangUp,
      events('id: 7\ndata: {"position":7}\n\n', { stays: true }),
    ];
    const positions: number[] = [];
    const tail = client({ entryPoints: { eventstore: server.url } }).eventstore.tail({ after: 4 });
    for await (const { position } of tail) {
      positions.push(position);
      if (position === 7) break;
    }
    expect(positions).toEqual([5, 7]);
    expect(server.requests.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "4", "6", "6"]);
    expect(server.requests[0]!.headers.accept).toBe("text/event-stream");
  });

  test("of events that are over end", async () => {
    server.script = [
      events('retry: 10\nid: 1\ndata: {"position":1}\n\n'),
      (response) => void response.writeHead(204).end(),
    ];
    const positions: number[] = [];
    for await (const { position } of client({ entryPoints: { pipeline: server.url } }).pipeline.jobEvents({
      batch_id: "batch_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A",
    }))
      positions.push(position);
    expect(positions).toEqual([1]);
    expect(server.requests.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "1"]);
  });

  test("of events throw what is refused, at first and later", async () => {
    const tail = () =>
      client({ entryPoints: { eventstore: server.url } })
        .eventstore.tail()
        .next();
    server.script = [refused("FORBIDDEN", 403)];
    expect(await errorOf(tail())).toMatchObject({ code: "FORBIDDEN" });
    server.script = [events("retry: 1\nid: 4\n\n"), refused("UNAUTHORIZED", 401)];
    expect(await errorOf(tail())).toMatchObject({ code: "UNAUTHORIZED" });
  });

  test("end with the caller's signal, and end the request when the caller leaves", async () => {
    let closed = 0;
    const open: ScriptedAnswer = (response, request) => {
      response.on("close", () => (closed += 1));
      events('id: 1\ndata: {"position":1}\n\n', { stays: true })(response, request);
    };
    server.script = [open];
    const partline = client({ entryPoints: { eventstore: server.url } });
    for await (const _ of partline.eventstore.tail()) break;
    const controller = new AbortController();
    const run = async () => {
      for await (const _ of partline.eventstore.tail({}, { signal: controller.signal })) controller.abort();
    };
    expect(await errorOf(run())).toMatchObject({ name: "AbortError" });
    for (let n = 0; n < 100 && closed < 2; n += 1) await wait(20);
    expect(closed).toBe(2);
  });

  test("of the desk give text, answer and error, and say when they break off", async () => {
    const ask = async () => {
      const seen: unknown[] = [];
      try {
        for await (const { event, data } of client().ai.queryStream({ query: "?" })) seen.push([event, data]);
      } catch (error) {
        seen.push((error as PartlineError).code);
      }
      return seen;
    };
    const textEvent = 'event: text\ndata: {"text":"Grü"}\n\n';
    server.script = [events(`${textEvent}event: answer\ndata: {"answer":"Grü"}\n\n`)];
    expect(await ask()).toEqual([
      ["text", { text: "Grü" }],
      ["answer", { answer: "Grü" }],
    ]);
    server.script = [events(`${textEvent}event: error\ndata: {"detail":"gone"}\n\n`)];
    expect(await ask()).toEqual([["text", { text: "Grü" }], "SERVICE_UNAVAILABLE"]);
    server.script = [events(textEvent)];
    expect(await ask()).toEqual([["text", { text: "Grü" }], "NETWORK_ERROR"]);
    expect(server.requests.length).toBe(3);
  });
});

describe("files", () => {
  test("go as a body or as a form, and come as a response", async () => {
    const partline = client();
    await partline.media.put({ body: new Blob(["x"], { type: "image/png" }) });
    await partline.pipeline.upload({ file: new Blob(["%PDF"]), equipment: ["A", "B"] });
    expect(server.requests[0]).toMatchObject({ method: "PUT", headers: { "content-type": "image/png" }, body: "x" });
    expect(server.requests[1]!.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    expect(server.requests[1]!.body.match(/ name="(\w+)"/g)).toEqual([
      ' name="file"',
      ' name="equipment"',
      ' name="equipment"',
    ]);
    server.script = [(response) => void response.writeHead(304, { etag: '"a"' }).end()];
    const answer = await partline.media.get({ id: "a", w: 20 }, { headers: { "If-None-Match": '"a"' } });
    expect([answer.status, answer.headers.get("etag")]).toEqual([304, '"a"']);
    expect(said()[2]).toBe("GET /api/media/a?w=20");
  });
});
