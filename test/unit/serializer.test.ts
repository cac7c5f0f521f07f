import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { Serializers } from "moleculer";
import type { ServiceContract } from "../../broker/contract/define.ts";
import { mayBeAbsent, type Rule, type Rules } from "@partline/api-contracts";
import { PacketSerializer } from "@partline/moleculer-kit";
import { contracts } from "../../services/all-contracts.ts";

const ours = new PacketSerializer();
const theirs = new Serializers.JSONExt();

const text = fc.oneof(fc.string(), fc.constantFrom("[[", "[[DT]]1", "[[ES]][[", "[[XX]]", "[", "[[BF"));
const special = fc.oneof(
  fc.date(),
  fc.date({ noInvalidDate: true }),
  fc.bigInt(),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom(/a|b/gi, new URL("http://parts/"), undefined),
  fc.dictionary(text, fc.date({ noInvalidDate: true })).map((fields) => new Map(Object.entries(fields))),
  fc.array(text).map((values) => new Set(values)),
);
const packet = fc.object({
  key: fc.oneof(fc.string(), fc.constantFrom("__proto__", "toJSON", "constructor")),
  values: [fc.integer(), fc.double(), fc.boolean(), fc.constant(null), text, special],
  withSparseArray: true,
  withNullPrototype: true,
});

describe("packets", () => {
  test("are what Moleculer's own serializer writes, so that its nodes read them", () => {
    fc.assert(
      fc.property(packet, (value) => {
        expect(ours.serialize(value).toString()).toBe(theirs.serialize(value).toString());
      }),
      { numRuns: 300 },
    );
  });

  test("are read as Moleculer's own serializer reads them", () => {
    fc.assert(
      fc.property(packet, (value) => {
        const bytes = theirs.serialize(value);
        // Not Jest's own, which takes a field `constructor` for the type.
        expect(isDeepStrictEqual(ours.deserialize(bytes), theirs.deserialize(bytes))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test("leave what is sent as it was", () => {
    const sent = Object.freeze({
      at: new Date(0),
      lines: Object.freeze([Object.freeze({ at: new Date(1), note: "[[" })]),
    });
    expect(ours.deserialize(ours.serialize(sent))).toEqual(sent);
  });
});

/** JSON has no negative zero, and no contract asks for one. */
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);

/** Values of a rule's type, whether or not they fit its pattern and bounds. */
function valuesOf(rule: Rule): fc.Arbitrary<unknown> {
  return rule.nullable ? fc.option(valuesOfType(rule)) : valuesOfType(rule);
}

function valuesOfType(rule: Rule): fc.Arbitrary<unknown> {
  switch (rule.type) {
    case "string":
      return text;
    case "number":
      return rule.integer ? fc.maxSafeInteger() : fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 });
    case "boolean":
      return fc.boolean();
    case "date":
      return fc.date({ noInvalidDate: true });
    case "enum":
      return fc.constantFrom(...rule.values);
    case "array":
      return fc.array(valuesOf(rule.items), { maxLength: 3 });
    case "object":
      return fieldsOf(rule.props);
    case "record":
      return fc.dictionary(text, valuesOf(rule.value), { maxKeys: 3, noNullPrototype: true });
    case "any":
      return json;
  }
}

function fieldsOf(fields: Rules): fc.Arbitrary<unknown> {
  const required = Object.keys(fields).filter((name) => !mayBeAbsent(fields[name]!));
  const values = Object.fromEntries(Object.entries(fields).map(([name, rule]) => [name, valuesOf(rule)]));
  return fc.record(values, { requiredKeys: required, noNullPrototype: true });
}

describe.each((contracts as readonly ServiceContract[]).map((contract) => [contract.name, contract] as const))(
  "the contract of %s",
  (_, { actions, channels = {}, tasks = {} }) => {
    const expectSame = (what: string, values: fc.Arbitrary<unknown>, send: (value: unknown) => unknown): void =>
      fc.assert(
        fc.property(values, (value) => {
          expect({ [what]: isDeepStrictEqual(send(value), value) }).toEqual({ [what]: true });
        }),
        { numRuns: 20 },
      );

    test("has params and results that arrive at another node as they were sent", () => {
      for (const [name, { params, result }] of Object.entries(actions)) {
        expectSame(`params of ${name}`, fieldsOf(params), (value) => ours.deserialize(ours.serialize(value)));
        if (result)
          expectSame(`result of ${name}`, valuesOf(result), (value) => ours.deserialize(ours.serialize(value)));
      }
    });

    test("has events and tasks that are stored as they were made", () => {
      for (const [name, { payload }] of [...Object.entries(channels), ...Object.entries(tasks)])
        for (const form of [payload].flat() as Rules[])
          expectSame(name, fieldsOf(form), (value) => JSON.parse(JSON.stringify(value)));
    });
  },
);
