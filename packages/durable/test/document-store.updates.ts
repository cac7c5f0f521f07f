import { describe, expect, test } from "@jest/globals";
import type { Update } from "../src/document-store/port.ts";
import type { StoreUnderTest } from "./document-store.subject.ts";

export function updateSuite(underTest: StoreUnderTest): void {
  describe("updates", () => {
    test.each<[string, Record<string, unknown>, Update, Record<string, unknown>]>([
      ["$set", { a: 1 }, { $set: { a: 2, "b.c": "x" } }, { a: 2, b: { c: "x" } }],
      ["$unset", { a: 1, b: { c: 1, d: 2 } }, { $unset: { a: true, "b.c": "" } }, { b: { d: 2 } }],
      ["$unset of nothing", { a: 1 }, { $unset: { "a.b": true, z: true } }, { a: 1 }],
      ["$inc", { n: 5 }, { $inc: { n: -2, m: 1.5, "o.p": 1 } }, { n: 3, m: 1.5, o: { p: 1 } }],
      ["$push", { list: [1] }, { $push: { list: { x: 1 }, fresh: 1 } }, { list: [1, { x: 1 }], fresh: [1] }],
      ["$push of an array", { list: [] }, { $push: { list: [1, 2] } }, { list: [[1, 2]] }],
      [
        "$addToSet",
        { a: [1, { x: 1 }], b: [1] },
        { $addToSet: { a: { x: 1 }, b: 2, c: 3 } },
        { a: [1, { x: 1 }], b: [1, 2], c: [3] },
      ],
      ["$addToSet leaves duplicates that are there", { a: [1, 1] }, { $addToSet: { a: 2 } }, { a: [1, 1, 2] }],
      ["$pull of a value", { list: [1, 2, 1, "1", null] }, { $pull: { list: 1 } }, { list: [2, "1", null] }],
      ["$pull from nothing", { a: 1 }, { $pull: { list: 1 } }, { a: 1 }],
      ["undefined is left out", { a: 1 }, { $set: { a: undefined, b: 2 }, $unset: undefined }, { a: 1, b: 2 }],
    ])("%s", async (_title, before, update, after) => {
      const collection = underTest.collection();
      await collection.insertOne({ _id: "a", ...before });
      expect(await collection.updateOne({ _id: "a" }, update)).toEqual({ matched: 1 });
      expect(await collection.findOne({ _id: "a" })).toEqual({ _id: "a", ...after });
    });

    test("dates in declared fields", async () => {
      const collection = underTest.collection({ fields: { at: "date", "log.first": "date" } });
      const [early, late] = [new Date(1_000), new Date(2_000)];
      await collection.insertOne({ _id: "a", at: early, log: { first: late } });
      await collection.updateOne({ _id: "a", at: early }, { $set: { at: late, "log.first": early } });
      expect(await collection.findOneAndUpdate({ at: { $gte: late } }, { $set: { x: 1 } })).toEqual({
        _id: "a",
        at: late,
        log: { first: early },
        x: 1,
      });
    });

    test("a document that does not fit the update is refused and stays as it is", async () => {
      const collection = underTest.collection();
      await collection.insertOne({ _id: "a", s: "text", n: null, list: [1] });
      const updates: Update[] = [
        { $inc: { s: 1 } },
        { $inc: { n: 1 } },
        { $push: { s: 1 } },
        { $addToSet: { s: 1 } },
        { $pull: { s: 1 } },
        { $push: { n: 1 } },
        { $addToSet: { n: 1 } },
        { $pull: { n: 1 } },
        { $set: { "s.x": 1 } },
        { $set: { "n.x": 1 } },
        { $set: { "list.x": 1 } },
        { $set: { _id: "b" } },
      ];
      for (const update of updates) {
        await expect(collection.updateOne({ s: "text" }, update)).rejects.toMatchObject({ code: "BAD_DOCUMENT" });
      }
      expect(await collection.find({})).toEqual([{ _id: "a", s: "text", n: null, list: [1] }]);
    });

    test("updateMany changes all that match", async () => {
      const collection = underTest.collection({ fields: { kind: "string" }, indexes: [{ keys: { kind: 1 } }] });
      await collection.bulkWrite([1, 2, 3].map((n) => ({ insertOne: { _id: String(n), kind: n < 3 ? "x" : "y", n } })));
      expect(await collection.updateMany({ kind: "x" }, { $set: { n: 2 } })).toEqual({ matched: 2 });
      expect(await collection.updateMany({ kind: "x" }, { $set: { kind: "y" } })).toEqual({ matched: 2 });
      expect(await collection.updateMany({ kind: "x" }, { $set: { n: 9 } })).toEqual({ matched: 0 });
      expect(await collection.count({ kind: "y", n: 2 })).toBe(2);
    });

    test("findOneAndUpdate answers the document after", async () => {
      const collection = underTest.collection({ fields: { n: "number" } });
      await collection.bulkWrite([3, 1].map((n) => ({ insertOne: { _id: String(n), n } })));
      expect(await collection.findOneAndUpdate({ n: 1 }, { $set: { done: true } })).toEqual({
        _id: "1",
        n: 1,
        done: true,
      });
      expect(await collection.findOneAndUpdate({ n: 7 }, { $set: { done: true } })).toBeNull();
    });

    test("replaceOne, deleteOne, deleteMany", async () => {
      const collection = underTest.collection();
      expect(await collection.replaceOne({ _id: "a" }, { _id: "a", n: 1 })).toEqual({ matched: 0 });
      expect(await collection.replaceOne({ _id: "a" }, { _id: "a", n: 1, x: 1 }, { upsert: true })).toEqual({
        matched: 0,
        upsertedId: "a",
      });
      expect(await collection.replaceOne({ n: 1 }, { _id: "a", m: 2 })).toEqual({ matched: 1 });
      expect(await collection.replaceOne({ _id: "a" }, { _id: "a", m: 2 })).toEqual({ matched: 1 });
      expect(await collection.find({})).toEqual([{ _id: "a", m: 2 }]);
      await expect(collection.replaceOne({ m: 2 }, { _id: "b" })).rejects.toMatchObject({ code: "BAD_DOCUMENT" });
      await expect(collection.replaceOne({ _id: "a" }, { _id: "b" })).rejects.toMatchObject({ code: "BAD_DOCUMENT" });
      await collection.bulkWrite(["b", "c", "d"].map((_id) => ({ insertOne: { _id, m: 3 } })));
      expect(await collection.deleteOne({ m: 3 })).toBe(1);
      expect(await collection.deleteMany({ m: 3 })).toBe(2);
      expect(await collection.deleteMany({ m: 3 })).toBe(0);
      expect(await collection.count({})).toBe(1);
    });
  });

  describe("upserts", () => {
    test("insert the id and the update", async () => {
      const collection = underTest.collection();
      const upsert = (fresh: boolean) =>
        collection.updateOne({ _id: "a" }, { $inc: { hits: 1 }, $setOnInsert: { fresh } }, { upsert: true });
      expect(await upsert(true)).toEqual({ matched: 0, upsertedId: "a" });
      expect(await collection.findOne({ _id: "a" })).toEqual({ _id: "a", hits: 1, fresh: true });
      expect(await upsert(false)).toEqual({ matched: 1 });
      expect(await collection.findOne({ _id: "a" })).toEqual({ _id: "a", hits: 2, fresh: true });
      expect(await collection.findOneAndUpdate({ _id: "b" }, { $setOnInsert: { k: 1 } }, { upsert: true })).toEqual({
        _id: "b",
        k: 1,
      });
    });
  });

  describe("bulkWrite", () => {
    test("answers for each operation, and a failure leaves the others as they are", async () => {
      const collection = underTest.collection({
        fields: { code: "string" },
        indexes: [{ keys: { code: 1 }, unique: true }],
      });
      await collection.insertOne({ _id: "0", code: "taken" });
      const results = await collection.bulkWrite([
        { insertOne: { _id: "1", code: "a" } },
        { insertOne: { _id: "2", code: "taken" } },
        { updateOne: { filter: { _id: "1" }, update: { $set: { n: 1 } } } },
        { updateOne: { filter: { _id: "1" }, update: { $set: { code: 5 } } } },
        { updateOne: { filter: { _id: "3" }, update: { $set: { n: 1 } }, upsert: true } },
        { updateOne: { filter: { _id: "nobody" }, update: { $set: { n: 1 } } } },
        { replaceOne: { filter: { _id: "3" }, replacement: { _id: "3", m: 1 } } },
        { insertOne: { _id: "1" } },
        { deleteOne: { filter: { _id: "0" } } },
        { insertOne: { _id: "4", code: "taken" } },
      ]);
      expect(results.map((result) => (result.ok ? result : result.error.code))).toEqual([
        { ok: true },
        "DUPLICATE_KEY",
        { ok: true },
        "BAD_DOCUMENT",
        { ok: true, upsertedId: "3" },
        { ok: true },
        { ok: true },
        "DUPLICATE_KEY",
        { ok: true },
        { ok: true },
      ]);
      expect(await collection.find({}, { sort: { _id: 1 } })).toEqual([
        { _id: "1", code: "a", n: 1 },
        { _id: "3", m: 1 },
        { _id: "4", code: "taken" },
      ]);
      expect(await collection.bulkWrite([])).toEqual([]);
    });
  });
}
