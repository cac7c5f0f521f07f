import { describe, expect, test } from "@jest/globals";
import type { CollectionDefinition, Filter, SortSpec, Update } from "../src/document-store/port.ts";
import type { StoreUnderTest, Doc } from "./document-store.subject.ts";

class Money {
  cents = 1;
}

export function refusalSuite(underTest: StoreUnderTest): void {
  const deep = (levels: number): unknown => Array.from({ length: levels }).reduce<unknown>((inner) => ({ inner }), 1);

  describe("refused", () => {
    test.each<[string, unknown]>([
      ["an unknown operator", { a: { $type: 2 } }],
      ["$where", { $where: "1" }],
      ["$expr", { $expr: { $eq: ["$a", 1] } }],
      ["an operator beside a field", { a: { $gt: 1, b: 2 } }],
      ["an embedded document", { a: { b: 1 } }],
      ["an array", { a: [1] }],
      ["a bare pattern", { a: /x/ }],
      ["a pattern with state", { s: { $regex: /x/g } }],
      ["a pattern as text", { s: { $regex: "x" } }],
      ["a pattern for an undeclared field", { a: { $regex: /x/ } }],
      ["a range of an undeclared field", { a: { $gt: 1 } }],
      ["undefined, which would match everything", { a: undefined }],
      ["undefined in $in", { a: { $in: [1, undefined] } }],
      ["NaN", { a: Number.NaN }],
      ["a range from null", { s: { $gt: null } }],
      ["an empty condition", { a: {} }],
      ["an empty $or", { $or: [] }],
      ["$size of a fraction", { a: { $size: 1.5 } }],
      ["a Date where none is declared", { a: new Date() }],
      ["__proto__", JSON.parse('{"__proto__": 1}')],
      ["__proto__ within a path", { "a.__proto__.b": 1 }],
      ["constructor", { "constructor.name": "x" }],
      ["prototype", { "a.prototype": "x" }],
      ["an array index", { "a.0": 1 }],
      ["an empty segment", { "a..b": 1 }],
      ["a quotation mark", { 'a".b': 1 }],
      ["a $ segment", { "a.$b": 1 }],
      ["nothing", null],
      ["too deep", Array.from({ length: 60 }).reduce<unknown>((inner) => ({ $or: [inner] }), {})],
    ])("as a filter: %s", async (_title, filter) => {
      const collection = underTest.collection({ fields: { s: "string" } });
      await collection.insertOne({ _id: "a" });
      await expect(collection.find(filter as Filter)).rejects.toMatchObject({ code: "BAD_QUERY" });
      await expect(collection.deleteMany(filter as Filter)).rejects.toMatchObject({ code: "BAD_QUERY" });
      expect(await collection.count({})).toBe(1);
    });

    test.each<[string, unknown, "BAD_QUERY" | "BAD_DOCUMENT"]>([
      ["an unknown operator", { $rename: { a: "b" } }, "BAD_QUERY"],
      ["a pipeline", [{ $set: { a: 1 } }], "BAD_QUERY"],
      ["no operator", { a: 1 }, "BAD_QUERY"],
      ["nothing", {}, "BAD_QUERY"],
      ["a positional path", { $set: { "a.$.b": 1 } }, "BAD_QUERY"],
      ["an array index", { $set: { "a.1": 1 } }, "BAD_QUERY"],
      ["$each", { $push: { a: { $each: [1] } } }, "BAD_QUERY"],
      ["two operators on one path", { $set: { a: 1 }, $inc: { a: 1 } }, "BAD_QUERY"],
      ["a path inside another", { $set: { a: {}, "a.b": 1 } }, "BAD_QUERY"],
      ["__proto__", { $set: JSON.parse('{"__proto__.polluted": 1}') }, "BAD_QUERY"],
      ["constructor", { $set: { "constructor.prototype.polluted": 1 } }, "BAD_QUERY"],
      ["$inc by text", { $inc: { a: "1" } }, "BAD_QUERY"],
      ["$inc of the id", { $inc: { _id: 1 } }, "BAD_QUERY"],
      ["a $ key in a value", { $set: { a: { $b: 1 } } }, "BAD_DOCUMENT"],
      ["an undeclared Date", { $set: { a: { at: new Date() } } }, "BAD_DOCUMENT"],
      ["a wrong type in a declared field", { $set: { n: "1" } }, "BAD_DOCUMENT"],
      ["$inc of a declared text", { $inc: { s: 1 } }, "BAD_DOCUMENT"],
      ["an array around a declared field", { $push: { o: 1 } }, "BAD_DOCUMENT"],
      ["a path inside a declared field", { $set: { "s.x": 1 } }, "BAD_DOCUMENT"],
    ])("as an update: %s", async (_title, update, code) => {
      const collection = underTest.collection({ fields: { n: "number", s: "string", "o.p": "string" } });
      await collection.insertOne({ _id: "a", n: 1 });
      await expect(collection.updateOne({ _id: "a" }, update as Update)).rejects.toMatchObject({ code });
      expect(await collection.find({})).toEqual([{ _id: "a", n: 1 }]);
      expect({}).not.toHaveProperty("polluted");
    });

    test.each<[string, unknown]>([
      ["no id", { a: 1 }],
      ["an id that is no text", { _id: 5 }],
      ["an empty id", { _id: "" }],
      ["a $ key", { _id: "a", x: [{ $y: 1 }] }],
      ["__proto__", JSON.parse('{"_id": "a", "x": {"__proto__": {"y": 1}}}')],
      ["an undeclared Date", { _id: "a", at: new Date() }],
      ["an invalid Date", { _id: "a", until: new Date(Number.NaN) }],
      ["a Date beyond the year 9999", { _id: "a", until: new Date("+010000-01-01T00:00:00Z") }],
      ["a declared date as text", { _id: "a", until: "2026-01-01" }],
      ["a declared text as number", { _id: "a", name: 5 }],
      ["an array in a declared field", { _id: "a", name: ["x"] }],
      ["an array on the way to a declared field", { _id: "a", owner: [{ id: "x" }] }],
      ["NaN", { _id: "a", n: Number.NaN }],
      ["a function", { _id: "a", f: () => 1 }],
      ["a bigint", { _id: "a", n: 1n }],
      ["an instance of a class", { _id: "a", money: new Money() }],
      ["a Map", { _id: "a", map: new Map() }],
      ["too deep", { _id: "a", deep: deep(150) }],
      ["too large", { _id: "a", text: "x".repeat(17 * 1024 * 1024) }],
      ["a list", []],
    ])("as a document: %s", async (_title, document) => {
      const collection = underTest.collection({ fields: { until: "date", name: "string", "owner.id": "string" } });
      await expect(collection.insertOne(document as Doc)).rejects.toMatchObject({ code: "BAD_DOCUMENT" });
      expect(await collection.count({})).toBe(0);
    });

    test.each<[string, SortSpec]>([
      ["a direction", { a: 2 as 1 }],
      ["an undeclared field", { b: 1 }],
    ])("as a sort: %s", async (_title, sort) => {
      const collection = underTest.collection({ fields: { a: "string" } });
      await expect(collection.find({}, { sort })).rejects.toMatchObject({ code: "BAD_QUERY" });
    });

    test.each<[string, Filter]>([
      ["more than an id", { _id: "a", k: 1 }],
      ["no id", { k: 1 }],
      ["several ids", { _id: { $in: ["a", "b"] } }],
    ])("as the filter of an upsert: %s", async (_title, filter) => {
      const collection = underTest.collection();
      const upserts = [
        collection.updateOne(filter, { $set: { x: 1 } }, { upsert: true }),
        collection.replaceOne(filter, { _id: "a" }, { upsert: true }),
        collection.findOneAndUpdate(filter, { $set: { x: 1 } }, { upsert: true }),
      ];
      for (const upsert of upserts) await expect(upsert).rejects.toMatchObject({ code: "BAD_QUERY" });
      expect(await collection.count({})).toBe(0);
    });

    test("as a definition", () => {
      const definitions: CollectionDefinition[] = [
        { name: "Bad Name" },
        { name: "good", indexes: [{ keys: { a: 1 } }] },
        { name: "good", fields: { a: "string" }, expires: "a" },
        { name: "good", fields: { a: "string", "a.b": "string" } },
        { name: "good", fields: { "x'y": "string" } },
      ];
      for (const definition of definitions)
        expect(() => underTest.store.collection(definition)).toThrow(expect.objectContaining({ code: "BAD_QUERY" }));
      underTest.store.collection({ name: "twice", fields: { a: "string" } });
      expect(() => underTest.store.collection({ name: "twice", fields: { a: "number" } })).toThrow(
        expect.objectContaining({ code: "BAD_QUERY" }),
      );
    });
  });
}
