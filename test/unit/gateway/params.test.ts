import { describe, expect, test } from "@jest/globals";
import * as fc from "fast-check";
import type { Rules } from "@partline/api-contracts";
import { parseMoment } from "../../../broker/contract/period.ts";
import { createDateReader } from "../../../gateway/http/dates.ts";
import { parseJsonObject } from "@partline/http-edge";
import { coerceText, parseQuery } from "../../../gateway/http/request/query.ts";
import { splitTarget } from "../../../gateway/http/edge.ts";
import { ANY_CHARACTER } from "../../support/any-character.ts";

const rules: Rules = {
  n: { type: "number", optional: true },
  tags: { type: "array", items: { type: "number" }, optional: true },
  text: { type: "string", optional: true },
};

describe("a text from a path or query", () => {
  test("is a number exactly when it is a plain decimal literal", () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(999), (whole, part) => {
        expect(coerceText(`${whole}.${part}`, { type: "number" })).toBe(Number(`${whole}.${part}`));
        expect(coerceText(String(whole), { type: "number" })).toBe(whole);
      }),
    );
    const others = ["", " ", " 1", "1 ", "+1", ".5", "5.", "1e3", "0x10", "0b1", "Infinity", "NaN", "1,5", "١", "--1"];
    for (const text of [...others, "9".repeat(400)]) expect(coerceText(text, { type: "number" })).toBe(text);
  });

  test("is true or false in lower case alone", () => {
    const read = ["true", "false", "TRUE", "1", "", "on"].map((text) => coerceText(text, { type: "boolean" }));
    expect(read).toEqual([true, false, "TRUE", "1", "", "on"]);
  });

  test("is the value of an enumeration of any type", () => {
    const rule = { type: "enum", values: ["a", 2, true] } as const;
    expect(["a", "2", "true", "b"].map((text) => coerceText(text, rule))).toEqual(["a", 2, true, "b"]);
  });

  test.each([
    ["2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["2026-01-31T10:20:30Z", "2026-01-31T10:20:30.000Z"],
    ["2026-01-31T10:20:30.123456+02:00", "2026-01-31T08:20:30.123Z"],
    ["2026-01-31T10:20:30", "2026-01-31T10:20:30.000Z"],
    // A query that was not encoded.
    ["2026-01-31T10:20:30 02:00", "2026-01-31T08:20:30.000Z"],
    ["2028-02-29", "2028-02-29T00:00:00.000Z"],
  ])("%s is the moment %s", (text, iso) => {
    expect(parseMoment(text)?.toISOString()).toBe(iso);
  });

  test.each([
    "2026-02-29",
    "2026-13-01",
    "2026-01-31T25:00:00Z",
    "31.01.2026",
    "2026-1-31",
    "2026-01-31 10:20",
    "1700000000",
    "now",
    "",
    "2026-01-31T10:20:30+25:00x",
    "0000-12-31",
    "0001-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-01:00",
  ])("%s is no moment", (text) => {
    expect(parseMoment(text)).toBeUndefined();
  });

  test("every moment comes back from its own ISO text", () => {
    const [min, max] = [new Date("0001-01-01T00:00:00Z"), new Date("9999-12-31T23:59:59Z")];
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, min, max }), (date) =>
        expect(parseMoment(date.toISOString())).toEqual(date),
      ),
    );
  });
});

describe("a query", () => {
  test("gives a list for a repeated or single array, and one value for a scalar", () => {
    expect(parseQuery("tags=1&tags=2&n=3&text=", rules, "strict")).toEqual({ tags: [1, 2], n: 3, text: "" });
    expect(parseQuery("tags=1", rules, "strict")).toEqual({ tags: [1] });
    expect(() => parseQuery("n=1&n=1", rules, "strict")).toThrow("The 'n' field must be given once.");
    expect(() => parseQuery("id=1", rules, "strict")).toThrow("The 'id' field is not allowed in the query.");
  });

  test("has one size of a page, under either name, for a list with either of them", () => {
    for (const [name, alias] of [
      ["limit", "pageSize"],
      ["pageSize", "limit"],
    ] as const) {
      const list: Rules = {
        [name]: { type: "number", integer: true, min: 1, max: 100 },
        q: { type: "string", optional: true },
      };
      for (const query of [`${name}=5`, `${alias}=5`, `${name}=5&${alias}=5`])
        expect(parseQuery(query, list, "strict")).toEqual({ [name]: 5 });
      expect(() => parseQuery(`${alias}=5&${name}=6`, list, "strict")).toThrow(
        `The '${alias}' field is another name of '${name}' and must say the same.`,
      );
      for (const size of ["0", "101", "1.5", "x"])
        expect(() => parseQuery(`${alias}=${size}`, list, "strict")).toThrow(
          `The '${alias}' field must be a whole number from 1 to 100.`,
        );
    }
    // What lists nothing has no size.
    expect(() => parseQuery("limit=5", rules, "strict")).toThrow("The 'limit' field is not allowed in the query.");
  });

  test("of a read ignores what is unknown or empty, and nothing else", () => {
    const known = fc.record({ n: fc.nat(), text: fc.stringMatching(/^[a-z]{1,9}$/) }, { requiredKeys: [] });
    const others = fc.dictionary(
      fc.oneof(fc.constantFrom("utm_source", "offset", "__proto__", "id"), fc.stringMatching(/^[A-Z_]{1,9}$/)),
      fc.string({ unit: "grapheme" }),
    );
    const empties = fc.subarray(["n=", "text=", "tags=", "tags=&tags=", "limit=", "pageSize="]);
    const sized: Rules = { ...rules, limit: { type: "number", integer: true, min: 1, max: 100, default: 20 } };
    fc.assert(
      fc.property(known, others, empties, (params, unknown, empty) => {
        const query = new URLSearchParams(
          Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]),
        );
        const more = new URLSearchParams(unknown).toString();
        const whole = [String(query), more, ...empty].filter((part) => part !== "").join("&");
        expect(parseQuery(whole, sized, "lenient")).toEqual(params);
      }),
    );
    expect(() => parseQuery("id=1&n=1&n=2", rules, "lenient")).toThrow("The 'n' field must be given once.");
    expect(parseQuery("n=x", rules, "lenient")).toEqual({ n: "x" });
    // What must be there is its own rule's matter.
    expect(parseQuery("q=", { q: { type: "string" } }, "lenient")).toEqual({ q: "" });
  });

  test("is refused when it is not percent-encoded UTF-8, in any field", () => {
    for (const query of ["text=%E0%A4%A", "text=%", "n=1&unknown=%zz", "%C3=1", "text=%ED%A0%80"]) {
      expect(() => parseQuery(query, rules, "strict")).toThrow("The query is not percent-encoded UTF-8.");
    }
    expect(parseQuery("text=100%25+%E2%98%83", rules, "strict")).toEqual({ text: "100% \u2603" });
  });

  test("never changes a prototype or throws anything but a refusal, for any text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: ANY_CHARACTER }), fc.webQueryParameters()), (query) => {
        try {
          expect(Object.getPrototypeOf(parseQuery(query, rules, "strict"))).toBe(Object.prototype);
        } catch (error) {
          expect(error).toMatchObject({ code: "VALIDATION_FAILED" });
        }
      }),
    );
  });
});

describe("a body", () => {
  test("is any JSON object, unchanged", () => {
    const wellFormed = fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\u0000"));
    const safe = fc.dictionary(
      wellFormed.filter((key) => key !== "__proto__" && key !== "constructor"),
      fc.oneof(wellFormed, fc.integer(), fc.boolean(), fc.constant(null), fc.array(wellFormed)),
    );
    fc.assert(
      fc.property(safe, (value) =>
        expect(parseJsonObject(Buffer.from(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value))),
      ),
    );
  });

  test("is refused with a code of the catalogue, for any content", () => {
    const json = fc.json().map((text) => Buffer.from(text));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array().map(Buffer.from), json), (body) => {
        try {
          expect(typeof parseJsonObject(body)).toBe("object");
        } catch (error) {
          expect(["INVALID_JSON", "VALIDATION_FAILED"]).toContain((error as { code: string }).code);
        }
      }),
    );
  });

  test("has no object of more names than the event loop has time for, and says where one is", () => {
    const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0]));
    const parsed = (value: unknown) => () => parseJsonObject(Buffer.from(JSON.stringify(value)));
    expect(parsed({ data: [{}, names(10_000)] })).not.toThrow();
    expect(parsed({ data: [{}, names(10_001)] })).toThrow("The 'data[1]' field has more than 10000 names.");
    expect(parsed(names(10_001))).toThrow("The 'body' field has more than 10000 names.");
  });

  test("has no more values than the event loop has time for; commas and brackets in texts are none", () => {
    const parsed = (json: string) => () => parseJsonObject(Buffer.from(json));
    const list = (items: string[]) => `{"data":[${items.join()}]}`;
    // The object, the list and its items.
    expect(parsed(list(Array<string>(99_999).fill("0")))).not.toThrow();
    expect(parsed(list(Array<string>(100_001).fill("0")))).toThrow("The 'body' field has more than 100000 values.");
    expect(parsed(list(Array<string>(60_000).fill("[{}]")))).toThrow("more than 100000 values");
    expect(parsed(`{"text":${JSON.stringify(',[{\\"'.repeat(100_000))}}`)).not.toThrow();
  });

  test("has Dates where the rules say so, at any depth, and nowhere else", () => {
    const dated: Rules = {
      at: { type: "date" },
      list: { type: "array", items: { type: "object", props: { at: { type: "date" }, text: { type: "string" } } } },
      byName: { type: "record", key: { type: "string" }, value: { type: "date" } },
      text: { type: "string" },
    };
    const day = "2026-01-31";
    const sent = (at: unknown) => ({ at, list: [{ at, text: day }, 5], byName: { a: at }, text: day, other: day });
    const read = createDateReader(dated)!;
    expect(read(sent(day))).toEqual(sent(new Date(day)));
    const odd = { at: "never", list: day, byName: null };
    expect(read(odd)).toEqual(odd);
  });
});

test.each([
  ["/a?b=c?d", { path: "/a", query: "b=c?d" }],
  ["/a", { path: "/a", query: "" }],
  ["http://host:1/a?b", { path: "/a", query: "b" }],
  ["http://host", { path: "/", query: "" }],
  ["//host/a", { path: "//host/a", query: "" }],
  ["*", { path: "*", query: "" }],
])("the target %s is %j", (target, expected) => {
  expect(splitTarget(target)).toEqual(expected);
});
