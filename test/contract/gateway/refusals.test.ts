import { describe, expect, test } from "@jest/globals";
import { startEdge, type Ask } from "./edge-client.ts";
import { useStarted } from "../../support/use-started.ts";

const json = { "content-type": "application/json" };

describe("what an entry point refuses", () => {
  const edge = useStarted(() => startEdge(["payment"], { transport: "fake" }));

  const post = (options: Ask, path = "/api/things/abc") => edge.ask("payment", "POST", path, options);

  describe("params", () => {
    test("neither a query nor a body can stand in for the path, nor a query for a body", async () => {
      for (const reply of [
        await post({ body: { id: "other", amount: 5 } }),
        await post({ body: { amount: 100 } }, "/api/things/abc?amount=1"),
        await post({}, "/api/things/abc?amount=1"),
        await post({}, "/api/things/abc?mode=some"),
        await post({ body: {} }, "/api/things/abc?id=other"),
      ]) {
        expect([reply.status, reply.json.error.code]).toEqual([400, "VALIDATION_FAILED"]);
        expect(reply.json.error.message).toMatch(/'(id|amount|mode)' field/);
      }
      const read = await edge.ask("payment", "GET", "/api/things/abc?id=other");
      expect(read.json.data.params).toEqual({ id: "abc" });
    });

    test.each([
      ['{"__proto__":{"isAdmin":true}}', "__proto__"],
      ['{"\\u005f_proto__":{"isAdmin":true}}', "__proto__"],
      ['{"line":{"__proto__":{"note":"x"}}}', "line.__proto__"],
      ['{"constructor":{"prototype":{"isAdmin":true}}}', "constructor"],
      ['{"line":{"note":"a\\u0000b"}}', "line.note"],
      ['{"line":{"more":[1,-1e400]}}', "line.more[1]"],
      ['{"line":{"note":"\\ud800"}}', "line.note"],
      ['{"extra":1}', "extra"],
      ['{"line":{"extra":1}}', "line.extra"],
      ['{"amount":"5"}', "amount"],
      ['{"at":"2026-02-30"}', "at"],
      ['{"at":5}', "at"],
      ['{"mode":"none"}', "mode"],
      ['{"lines":[{"n":2},null]}', "lines[1]"],
      ['{"lines":[{},{"price":0.015}]}', "lines[1].price"],
    ])("the body %s is refused by the name of its field", async (body, field) => {
      const reply = await post({ body, headers: json });
      expect([reply.status, reply.json.error.code]).toEqual([400, "VALIDATION_FAILED"]);
      expect(reply.json.error.message).toContain(`'${field}'`);
      expect(reply.json.error.details).toContainEqual({ field, message: reply.json.error.message });
    });

    test.each([
      ["limit=1e1", "limit"],
      ["limit=0x10", "limit"],
      ["limit=1&limit=2", "limit"],
      ["limit=0", "limit"],
      ["limit=1.5", "limit"],
      ["limit=%2B1", "limit"],
      [`limit=${"9".repeat(400)}`, "limit"],
      ["exact=1", "exact"],
      ["exact=TRUE", "exact"],
      ["since=yesterday", "since"],
      ["since=2026-02-30", "since"],
      ["sort=name", "sort"],
      ["tag=%00", "tag"],
    ])("the query %s is refused by the name of its field", async (query, field) => {
      const reply = await edge.ask("payment", "GET", `/api/things?${query}`);
      expect([reply.status, reply.json.error.code]).toEqual([400, "VALIDATION_FAILED"]);
      expect(reply.json.error.message).toContain(`'${field}'`);
    });

    test.each([
      ["limit=", "limit"],
      ["nope=1", "nope"],
      ["__proto__=1", "__proto__"],
      ["constructor=1", "constructor"],
      ["toString=1", "toString"],
    ])("a read ignores %s, unless its client asks for strict handling", async (query, field) => {
      const plain = await edge.ask("payment", "GET", "/api/things");
      const lenient = await edge.ask("payment", "GET", `/api/things?${query}`);
      expect([lenient.status, lenient.json.params]).toEqual([200, plain.json.params]);
      expect(plain.json.params).toBeDefined();
      const headers = { Prefer: "handling=strict" };
      const strict = await edge.ask("payment", "GET", `/api/things?${query}`, { headers });
      expect([strict.status, strict.json.error.details]).toEqual([400, [expect.objectContaining({ field })]]);
    });

    test("details list everything that is wrong, and nothing of what was sent or of our nodes", async () => {
      const reply = await post({ body: { amount: -5, extra: "4242424242424242", line: { note: 7 } } });
      expect(reply.json.error.details.map(({ field }: { field: string }) => field).sort()).toEqual([
        "amount",
        "extra",
        "line.note",
      ]);
      for (const detail of reply.json.error.details) expect(Object.keys(detail)).toEqual(["field", "message"]);
      expect(reply.text).not.toMatch(/4242|node|shop\.make/);
    });

    test.each(["%", "%zz", "%E0%A4%A", "a", "UPPER", "with%00null", "a%20b", "x".repeat(21)])(
      "the id %s in a path is not found",
      async (id) => {
        const reply = await edge.ask("payment", "GET", `/api/things/${id}`);
        expect([reply.status, reply.json.error.code]).toEqual([404, "NOT_FOUND"]);
      },
    );

    test("a number in a path is one, or is not found", async () => {
      expect((await edge.ask("payment", "GET", "/api/numbers/12")).json.data).toEqual({ n: 12 });
      for (const n of ["0", "-1", "1.5", "one", "1e3"])
        expect((await edge.ask("payment", "GET", `/api/numbers/${n}`)).status).toBe(404);
    });
  });

  describe("bodies", () => {
    test.each([
      "{",
      "[]",
      "[1]",
      "1",
      '"text"',
      "null",
      "true",
      "nothing",
      Buffer.from([0x7b, 0xff, 0x7d]),
      '{"a":1}{',
      "\u0000",
    ])("%p is 400 INVALID_JSON", async (body) => {
      const reply = await post({ body, headers: json });
      expect([reply.status, reply.json.error.code]).toEqual([400, "INVALID_JSON"]);
      expect(reply.json.error).not.toHaveProperty("details");
    });

    test("an empty body is an empty object", async () => {
      expect((await post({})).json.data.params).toEqual({ id: "abc", mode: "all" });
      expect((await post({ headers: { ...json, "content-length": "0" } })).status).toBe(201);
      const required = await post({}, "/api/ask");
      expect(required.json).toEqual({ detail: "The 'query' field is required." });
    });

    test.each([
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/json; charset=utf-16",
      "multipart/form-data; boundary=x",
      "application/jsonp",
      "",
    ])("the content type %p is 415", async (type) => {
      const reply = await post({ body: "{}", headers: { "content-type": type } });
      expect([reply.status, reply.json.error.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    });

    test("a compressed body is 415", async () => {
      expect((await post({ body: "{}", headers: { ...json, "content-encoding": "gzip" } })).status).toBe(415);
    });

    test.each([
      ["announced", {}],
      ["chunked", { "transfer-encoding": "chunked" }],
    ])("over a million bytes is 413 (%s)", async (_how, headers) => {
      const fits = JSON.stringify({ line: { note: "x".repeat(1_000_000 - 20) } });
      expect(Buffer.byteLength(fits)).toBe(1_000_000);
      const sent = { ...json, ...headers };
      expect((await post({ body: fits, headers: sent })).status).toBe(201);
      const reply = await post({ body: `${fits} `, headers: sent });
      expect([reply.status, reply.json.error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    });

    test("nesting without end is 400, and the process lives on", async () => {
      const reply = await post({ body: `{"line":${"[".repeat(300_000)}${"]".repeat(300_000)}}`, headers: json });
      expect([reply.status, reply.json.error.code]).toEqual([400, "VALIDATION_FAILED"]);
    });
  });

  describe("errors", () => {
    test("401 names the scheme, and comes before anything is said of the params", async () => {
      const reply = await edge.ask("payment", "GET", "/api/mine?page=x&nope=1");
      expect([reply.status, reply.headers["www-authenticate"]]).toEqual([401, "Bearer"]);
      expect(reply.json.error).toEqual({ code: "UNAUTHORIZED", message: "Missing Authorization header" });
    });

    test("a body is not read before its sender is known", async () => {
      const reply = await edge.ask("payment", "POST", "/api/mine", { body: Buffer.alloc(2_000_000), headers: json });
      expect(reply.status).toBe(401);
    });
  });
});

test("without the service an entry point answers 503, not 404", async () => {
  const edge = await startEdge(["payment"], { services: [] });
  try {
    const reply = await edge.ask("payment", "GET", "/api/things");
    expect([reply.status, reply.json.error.code, reply.headers["retry-after"]]).toEqual([
      503,
      "SERVICE_UNAVAILABLE",
      "1",
    ]);
    expect((await edge.ask("payment", "GET", "/api/unknown")).status).toBe(404);
  } finally {
    await edge.stop();
  }
});
