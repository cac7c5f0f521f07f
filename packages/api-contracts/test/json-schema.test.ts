import { describe, expect, test } from "@jest/globals";
import { emailRule } from "../../../services/shared/commerce.ts";
import { ignored, rule, SchemaWriter } from "@partline/api-contracts";

const NO_NULL = "^[^\\u0000]*$";

describe("a rule as JSON Schema", () => {
  const of = (given: Parameters<SchemaWriter["of"]>[0]) => new SchemaWriter().of(given, "output");

  test.each([
    [
      rule({ type: "string", min: 1, max: 5, pattern: /^a\d$/ }),
      { type: "string", minLength: 1, maxLength: 5, pattern: "^a\\d$" },
    ],
    [rule({ type: "string", pattern: /^a$/i }), { type: "string" }],
    [rule({ type: "string", format: "uuid", nullable: true }), { type: ["string", "null"], format: "uuid" }],
    [rule({ type: "number", integer: true, min: 0 }), { type: "integer", minimum: 0 }],
    [rule({ type: "date", description: "When" }), { type: "string", format: "date-time", description: "When" }],
    [
      rule({ type: "number", money: "units", min: 0 }),
      { type: "number", minimum: 0, description: "Currency units, at most two decimals" },
    ],
    [
      rule({ type: "number", money: "cents", description: "Null is no word on it" }),
      { type: "number", description: "Whole cents. Null is no word on it" },
    ],
    [rule({ type: "enum", values: ["a", "b"], nullable: true }), { enum: ["a", "b", null], type: ["string", "null"] }],
    [rule({ type: "enum", values: [1, "b"] }), { enum: [1, "b"] }],
    [
      rule({ type: "array", items: { type: "boolean" }, max: 3 }),
      { type: "array", items: { type: "boolean" }, maxItems: 3 },
    ],
    [
      rule({ type: "record", key: { type: "string", max: 40 }, value: { type: "number" } }),
      { type: "object", propertyNames: { type: "string", maxLength: 40 }, additionalProperties: { type: "number" } },
    ],
    [rule({ type: "any", example: 7 }), { examples: [7] }],
  ])("%j", (given, expected) => {
    expect(of(given)).toEqual(expected);
  });

  test("what is sent says what the checks do: moments as dates or times, amounts to the cent, records with a bound of keys", () => {
    const sent = (given: Parameters<SchemaWriter["of"]>[0]) => new SchemaWriter().of(given, "input");
    const moment = { type: "string", anyOf: [{ format: "date" }, { format: "date-time" }] };
    expect([sent({ type: "date" }), sent({ type: "string", format: "moment" })]).toEqual([moment, moment]);
    expect(sent({ type: "number", money: "units" })).toMatchObject({ multipleOf: 0.01 });
    expect(sent({ type: "record", key: { type: "string" }, value: { type: "any" }, max: 20 })).toMatchObject({
      maxProperties: 20,
    });
  });

  test("what is sent has no null characters, also if its pattern lets them through, and control characters go by numbers", () => {
    const sent = (pattern: RegExp) => new SchemaWriter().of({ type: "string", pattern }, "input");
    expect(sent(/\S/)).toEqual({ type: "string", pattern: "\\S", not: { type: "string", pattern: "\\u0000" } });
    expect(sent(/^[^/]+$/)).toMatchObject({ not: { type: "string", pattern: "\\u0000" } });
    expect(sent(/^[a-z]+$/)).toEqual({ type: "string", pattern: "^[a-z]+$" });
    expect(sent(/^[^@\p{Cc}]+$/u)).toEqual({ type: "string", pattern: "^[^@\\u0000-\\u001f\\u007f-\\u009f]+$" });
    expect(of(rule({ type: "string", pattern: /\S/ }))).toEqual({ type: "string", pattern: "\\S" });
  });

  test.each([/^[\p{Cc}]$/u, /^\p{Cc}$/u, /^\P{Cc}$/u, /^[\p{DI}]$/u, /^\p{DI}$/u])(
    "the class of Unicode in %s is named by its members",
    (pattern) => {
      const { pattern: said } = new SchemaWriter().of({ type: "string", pattern }, "input");
      expect(said).not.toContain("{");
      const members = new RegExp(said as string, "u");
      const differing = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code)).filter(
        (character) => members.test(character) !== pattern.test(character),
      );
      expect(differing).toEqual([]);
    },
  );

  test("an address with a hidden character matches the pattern as little as the rule", () => {
    const said = new RegExp(new SchemaWriter().of(emailRule, "input").pattern as string, "u");
    const addresses = ["", "\u00ad", "\u200b", "\ufe0f", "\u{e0041}"].map((hidden) => `ada${hidden}@example.com`);
    const taken = (pattern: RegExp): string[] => addresses.filter((address) => pattern.test(address));
    expect([taken(said), taken(emailRule.pattern)]).toEqual([["ada@example.com"], ["ada@example.com"]]);
  });

  test("any JSON is an empty schema: generators of clients stumble over one that holds itself", () => {
    const writer = new SchemaWriter();
    expect([writer.of({ type: "any" }, "output"), writer.of({ type: "any" }, "input")]).toEqual([{}, {}]);
  });

  test("an object has exactly its fields; optional ones may be missing, defaults may only when sent", () => {
    const given = rule({
      type: "object",
      props: { a: { type: "number" }, b: { type: "number", optional: true }, c: { type: "number", default: 1 } },
    });
    expect(of(given)).toMatchObject({ additionalProperties: false, required: ["a", "c"] });
    expect(new SchemaWriter().of(given, "input")).toMatchObject({ additionalProperties: false, required: ["a"] });
  });

  test("a field that is ignored is read-only, and of any form", () => {
    const ignoring = rule({ type: "object", props: ignored(["total"], "Ignored") });
    expect(new SchemaWriter().of(ignoring, "input")).toMatchObject({
      properties: { total: { readOnly: true, description: "Ignored" } },
    });
  });

  test("a title makes a component, and a second one where what is sent differs", () => {
    const writer = new SchemaWriter();
    const same = rule({ type: "object", title: "Money", props: { cents: { type: "number" } } });
    const other = rule({
      type: "object",
      title: "Line",
      props: { note: { type: "string" }, money: { ...same, nullable: true } },
    });
    expect(writer.of(other, "output")).toEqual({ $ref: "#/components/schemas/Line" });
    expect(writer.of(other, "input")).toEqual({ $ref: "#/components/schemas/LineInput" });
    expect(Object.keys(writer.listComponents())).toEqual(["Line", "LineInput", "Money"]);
    expect(writer.listComponents().LineInput).toMatchObject({
      properties: {
        note: { type: "string", pattern: NO_NULL },
        money: { anyOf: [{ $ref: "#/components/schemas/Money" }, { type: "null" }] },
      },
    });
  });

  test("one title for two different objects is refused", () => {
    const writer = new SchemaWriter();
    writer.of({ type: "object", title: "Twin", props: { a: { type: "number" } } }, "output");
    expect(() => writer.of({ type: "object", title: "Twin", props: { b: { type: "number" } } }, "output")).toThrow(
      /Twin/,
    );
  });
});
