import { expect, test } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { emailRule, unitPriceRule } from "../../services/shared/commerce.ts";
import { oneOf, rules, toValidatorRules, type Rules } from "@partline/api-contracts";
import { createBrokerOptions } from "../../broker/options.ts";
import { testSettings } from "../support/test-settings.ts";

const { validator } = new ServiceBroker({ ...createBrokerOptions(testSettings()), logger: false });

function refusals(fields: Rules, params: object): [field: string, message: string][] {
  const found = (
    validator!.compile({ ...toValidatorRules(fields) }) as (
      params: object,
    ) => true | { field: string; message: string }[]
  )(params);
  return found === true ? [] : found.map(({ field, message }) => [field, message]);
}

const code = { type: "string", pattern: /^[A-Z]+$/, words: 'capitals, "A" to "Z" \\' } as const;

test("the error for a pattern says in words what it asks for, and where", () => {
  const fields = rules({
    code,
    list: { type: "array", items: { type: "object", props: { code } } },
    record: { type: "record", key: code, value: code },
  });
  expect(refusals(fields, { code: "a", list: [{ code: "A" }, { code: "b" }], record: { x: "Y", Y: "x" } })).toEqual([
    ["code", 'The \'code\' field must be capitals, "A" to "Z" \\.'],
    ["list[1].code", 'The \'list[1].code\' field must be capitals, "A" to "Z" \\.'],
    ["record.x", expect.stringContaining('must be capitals, "A" to "Z" \\.')],
    ["record.Y", 'The \'record.Y\' field must be capitals, "A" to "Z" \\.'],
  ]);
  expect(refusals(fields, { code: "A", list: [], record: {} })).toEqual([]);
});

test("the error for an enumeration lists its values, and where", () => {
  const kind = { type: "enum", values: ["orders", "searches"] } as const;
  const fields = rules({ kind, list: { type: "array", items: kind } });
  expect(refusals(fields, { kind: "nosuch", list: ["orders", "nosuch"] })).toEqual([
    ["kind", "The 'kind' field must be one of: orders, searches."],
    ["list[1]", "The 'list[1]' field must be one of: orders, searches."],
  ]);
});

test("a text may come within an object, and is kept as the text that it is", () => {
  const maker = { type: "string", max: 5, within: "name" } as const;
  const sent = { list: [{ maker: "Acme" }, { maker: { name: "Acme", code: "ACM" } }] };
  const fields = rules({ list: { type: "array", items: { type: "object", props: { maker } } } });
  expect(refusals(fields, sent)).toEqual([]);
  expect(sent.list).toEqual([{ maker: "Acme" }, { maker: "Acme" }]);
  expect(refusals(rules({ maker }), { maker: { name: "Longer" } })).toEqual([["maker", expect.stringContaining("5")]]);
  for (const wrong of [{}, { name: 1 }, ["Acme"], 1])
    expect(refusals(rules({ maker }), { maker: wrong })).toEqual([["maker", "The 'maker' field must be a string."]]);
  expect(refusals(rules({ maker }), { maker: null })).toEqual([["maker", "The 'maker' field must not be null."]]);
});

test("a price that a hit did not have is refused in words that say what that means", () => {
  expect(refusals(rules({ unitPrice: unitPriceRule }), { unitPrice: null })).toEqual([
    ["unitPrice", "The 'unitPrice' field must not be null. This part has no price yet: price on request."],
  ]);
});

test("without words the example is shown, and what is no matter of the pattern keeps its own message", () => {
  const fields = rules({ email: { type: "string", max: 20, pattern: /@/, example: "ada@example.com" } });
  expect(refusals(fields, { email: "x" })).toEqual([["email", "The 'email' field must be like ada@example.com."]]);
  expect(refusals(fields, { email: `${"x".repeat(20)}@` })).toEqual([
    ["email", expect.stringContaining("20 characters")],
  ]);
  expect(refusals(fields, {})).toEqual([["email", "The 'email' field is required."]]);
});

test("the error for an item of a list names the item", () => {
  const amounts = { type: "array", items: unitPriceRule, min: 1, max: 3 } as const;
  const fields = rules({
    list: { type: "array", items: { type: "string" } },
    inner: { type: "array", items: { type: "object", props: { amounts } } },
    none: { ...amounts, optional: true },
  });
  expect(
    refusals(fields, {
      list: ["a", null, undefined, 1],
      inner: [{ amounts: [1.25, null, 1.255] }, null, { amounts: [] }],
    }),
  ).toEqual([
    ["list[1]", "The 'list[1]' field must not be null."],
    ["list[2]", "The 'list[2]' field is required."],
    ["list[3]", "The 'list[3]' field must be a string."],
    ["inner[0].amounts[1]", expect.stringMatching(/^The 'inner\[0\].amounts\[1\]' field must not be null\./)],
    ["inner[0].amounts[2]", expect.any(String)],
    ["inner[1]", "The 'inner[1]' field must not be null."],
    ["inner[2].amounts", expect.stringContaining("The 'inner[2].amounts' field must contain at least 1")],
  ]);
  expect(refusals(fields, { list: "a", inner: [{ amounts: [1, 2, 3, 4] }] })).toEqual([
    ["list", "The 'list' field must be an array."],
    ["inner[0].amounts", expect.stringContaining("less than or equal to 3")],
  ]);
  const sent = { list: [], inner: [] };
  expect(refusals(fields, sent)).toEqual([]);
  expect(sent).toEqual({ list: [], inner: [] });
  expect(sent).not.toHaveProperty("none");
});

test("a list that is too long is refused without a look at its items, and a record with too many keys without a look at them", () => {
  const fields = rules({
    list: { type: "array", items: { type: "string" }, max: 2 },
    record: { type: "record", key: code, value: code, max: 2 },
  });
  expect(refusals(fields, { list: [1, 2, 3], record: { a: 1, b: 1, c: 1 } })).toEqual([
    ["list", expect.stringContaining("less than or equal to 2")],
    ["record", "The 'record' field must have at most 2 keys."],
  ]);
});

test("an empty text counts as absent where a rule says so, and is refused elsewhere", () => {
  const fields = rules({
    url: { ...code, optional: true, emptyIsAbsent: true },
    reason: oneOf(["other"], { default: "other", emptyIsAbsent: true }),
    code: { ...code, optional: true },
  });
  const params = { url: "", reason: "" };
  expect(refusals(fields, params)).toEqual([]);
  expect(params).toEqual({ reason: "other" });
  expect(refusals(fields, { code: "" })).toEqual([["code", expect.any(String)]]);
});

test("an entry of a record that is null is left out, and a text takes a number or a boolean if its rule says so", () => {
  const text = { type: "string", max: 5 } as const;
  const fields = rules({
    plain: { type: "record", key: text, value: text },
    scalars: { type: "record", key: text, value: { ...text, fromScalar: true } },
  });
  const sent = { plain: { a: "x", b: null }, scalars: { a: "x", b: 2.5, c: false, d: null } };
  expect(refusals(fields, sent)).toEqual([]);
  expect(sent).toEqual({ plain: { a: "x" }, scalars: { a: "x", b: "2.5", c: "false" } });
  expect(refusals(fields, { plain: { a: 1 }, scalars: { a: 123456, b: {}, c: [] } }).map(([field]) => field)).toEqual([
    "plain.a",
    "scalars.a",
    "scalars.b",
    "scalars.c",
  ]);
});

test("one validation names several errors and no more than a hundred, however much is wrong", () => {
  const line = { type: "object", props: { a: code, b: code } } as const;
  const fields = rules({
    list: { type: "array", items: line },
    deep: { type: "array", items: { type: "array", items: line } },
    record: { type: "record", key: code, value: code },
  });
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, 1]));
  const lines = Array<object>(10_000).fill({});
  for (const sent of [
    { list: lines },
    { deep: [lines, lines] },
    { record: many },
    many,
    { list: [many, many] },
    { list: lines, deep: [lines], record: many, ...many },
  ]) {
    const found = refusals(fields, { list: [], deep: [], record: {}, ...sent }).length;
    expect(found).toBeGreaterThanOrEqual(100);
    expect(found).toBeLessThan(110);
  }
});

test("an error names each unknown field, in a length that can be answered, and holds nothing of what was sent", () => {
  const fields = rules({
    kind: { type: "enum", values: ["a"] },
    record: { type: "record", key: { type: "string", max: 300 }, value: code },
  });
  const long = "k".repeat(100_000);
  const check = validator!.compile({ ...toValidatorRules(fields) }) as unknown as (params: object) => object[];
  const found = check({ kind: long, record: { [long]: "A" }, [long]: 1, "a, b": 1 });
  expect(found).toMatchObject([
    { field: "kind" },
    {
      field: `record.${"k".repeat(200)}`,
      message: expect.stringContaining("key length must be less than or equal to 300"),
    },
    { field: "k".repeat(200), message: `The '${"k".repeat(200)}' field is not allowed.` },
    { field: "a, b", message: "The 'a, b' field is not allowed." },
  ]);
  expect(JSON.stringify(found).length).toBeLessThan(3_000);
});

test("null takes a field's default, and stays where the contract has it as a value", () => {
  const fields = rules({
    mode: { type: "string", default: "all" },
    lines: { type: "array", items: { type: "object", props: { n: { type: "number", default: 1 } } } },
    cleared: { type: "string", optional: true, nullable: true },
  });
  const sent = { mode: null, lines: [{ n: null }, {}], cleared: null };
  expect(refusals(fields, sent)).toEqual([]);
  expect(sent).toEqual({ mode: "all", lines: [{ n: 1 }, { n: 1 }], cleared: null });
});

test("lengths are counted in code points, as JSON Schema counts them", () => {
  const fields = rules({ text: { type: "string", min: 2, max: 3 } });
  expect(["😀😀", "😀😀😀", "a😀b"].map((text) => refusals(fields, { text }))).toEqual([[], [], []]);
  expect(["😀", "😀😀😀😀", "a"].map((text) => refusals(fields, { text }).length)).toEqual([1, 1, 1]);
});

test("an e-mail address has no characters that are not seen, wherever they stand", () => {
  const fields = rules({ email: emailRule });
  const refused = ["a\bb@v.o", "ab@v.o\u007f", "ab@v\u0085.o", "a b@v.o", "ab@v", "a@b@v.o", `${"a".repeat(251)}@v.o`];
  // Zero width, right to left, an isolate, a soft hyphen, a filler, a variation selector, a tag.
  for (const hidden of ["\u200b", "\u202e", "\u2066", "\u00ad", "\u3164", "\ufe0f", "\u{e0041}"])
    refused.push(`a${hidden}b@v.o`, `ab@v${hidden}w.o`, `ab@v.o${hidden}`);
  expect(refused.map((email) => refusals(fields, { email }).length)).toEqual(refused.map(() => 1));
  expect(["ada@example.com", "käthe@müller.example"].flatMap((email) => refusals(fields, { email }))).toEqual([]);
});

test("an e-mail address is one mailbox, and nothing that a mailer reads as another", () => {
  const fields = rules({ email: emailRule });
  const refused = [
    "Evil<v@e.co",
    "(c)v@e.co",
    "grp:v@evil.co",
    "x@b.co>",
    "a@b..co",
    "a@b.co.",
    "a..b@c.co",
    ".a@b.co",
    "a@-b.co",
    '"a b"@c.co',
    "a@[127.0.0.1]",
    "a,b@c.co",
    "=?utf-8?q?v=40evil.co?=@b.co",
    "x@=?utf-8?q?evil.co?=.co",
  ];
  expect(refused.filter((email) => refusals(fields, { email }).length === 0)).toEqual([]);
  const taken = ["o'hara+parts@mail.example.co.uk", "a_b-c.d=e@x-1.example", "1@2.example"];
  expect(taken.filter((email) => refusals(fields, { email }).length > 0)).toEqual([]);
});

test("the error for blanks in a required field says that it is missing", () => {
  const fields = rules({ query: { type: "string", pattern: /\S/, missing: "query field is required" } });
  const sent = [{}, { query: "" }, { query: "\t " }];
  expect(sent.map((params) => refusals(fields, params))).toEqual(
    sent.map(() => [["query", "query field is required"]]),
  );
});
