import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { Serializers } from "moleculer";
import { PacketSerializer } from "../../broker/serializer.ts";

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
