import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { array, boolean, integer, object, string, type Rule } from "@partline/api-contracts";
import { readArguments } from "../../gateway/mcp/arguments.ts";

const line = object({ id: string(), quantity: integer() });
const rule = object({ q: string(), limit: integer(), inStock: boolean(), items: array(line), place: line });
const plainLine = fc.record({ id: fc.string(), quantity: fc.integer() });
const values = fc.record(
  { q: fc.string(), limit: fc.integer(), inStock: fc.boolean(), items: fc.array(plainLine), place: plainLine },
  { requiredKeys: [] },
);

/** Where the rule wants no text, each value as its text: all of them, or those at odd depths. */
function asTexts(value: unknown, of: Rule, isText: () => boolean): unknown {
  if (of.type === "string" || value === undefined) return value;
  let inner = value;
  if (of.type === "array") inner = (value as unknown[]).map((item) => asTexts(item, of.items, isText));
  else if (of.type === "object")
    inner = Object.fromEntries(
      Object.entries(value as object).map(([name, field]) => [name, asTexts(field, of.props[name]!, isText)]),
    );
  return isText() ? JSON.stringify(inner) : inner;
}

test("values that come as texts, at any depth, are read as what they are", () => {
  fc.assert(
    fc.property(values, fc.infiniteStream(fc.boolean()), (sent, choices) => {
      const texts = asTexts(sent, rule, () => choices.next().value as boolean);
      expect(readArguments(texts, rule)).toEqual(sent);
    }),
  );
});

test("anything else that is sent stays as it is, for the check to refuse", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("q", "limit", "inStock", "items", "other"), fc.anything()), (sent) => {
      const read = readArguments(sent, rule) as Record<string, unknown>;
      expect(Object.keys(read)).toEqual(Object.keys(sent));
      for (const name of ["q", "other"]) expect(read[name]).toBe(sent[name]);
    }),
  );
  for (const text of ["", "x", "1,5", '{"id":"a"}', "[1", "null"])
    expect(readArguments({ items: text }, rule)).toEqual({ items: text });
});

test("texts within are as safe as a body", () => {
  for (const text of ['[{"id":"a\\u0000"}]', '[{"__proto__":{}}]', `${"[".repeat(40)}${"]".repeat(40)}`])
    expect(() => readArguments({ items: text }, rule)).toThrow(expect.objectContaining({ code: "VALIDATION_FAILED" }));
});
