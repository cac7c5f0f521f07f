import { describe, expect, test } from "@jest/globals";
import type { Collection, Filter } from "../src/document-store/port.ts";
import type { StoreUnderTest, Doc } from "./document-store.subject.ts";

const past = new Date("2020-01-01T00:00:00.000Z");
const future = new Date("2999-01-01T00:00:00.000Z");

export function querySuite(underTest: StoreUnderTest): void {
  const filled = async (
    documents: Doc[],
    definition?: Parameters<StoreUnderTest["collection"]>[0],
  ): Promise<Collection<Doc>> => {
    const collection = underTest.collection(definition);
    await collection.bulkWrite(documents.map((insertOne) => ({ insertOne })));
    return collection;
  };
  const ids = async (collection: Collection<Doc>, filter: Filter): Promise<string> =>
    (await collection.find(filter, { sort: { _id: 1 } })).map(({ _id }) => _id).join("");

  describe("reading", () => {
    test("gives back what was stored, dates as dates, without what was undefined", async () => {
      const collection = underTest.collection({ fields: { at: "date", "deep.at": "date", count: "number" } });
      const document = {
        _id: "a",
        at: new Date(1234567890123),
        deep: { at: past, list: [1, [2, { x: null }]] },
        count: 0.1,
        text: "ü😀\u0000",
        flag: false,
        nothing: null,
        "": 1,
        map: { "a.b": 1 },
      };
      await collection.insertOne({ ...document, gone: undefined, list: [undefined] });
      const stored = { ...document, list: [null] };
      expect(await collection.findOne({ _id: "a" })).toEqual(stored);
      expect(await collection.findOne({ _id: "a" })).not.toHaveProperty("gone");
      expect(await collection.find({})).toEqual([stored]);
      expect((await collection.findOne({ _id: "a" }))!.at).toBeInstanceOf(Date);
      expect(await collection.findOne({ _id: "b" })).toBeNull();
    });

    test("what is acknowledged is durable, and read as such at once", async () => {
      const collection = await filled([{ _id: "a" }, { _id: "b" }]);
      for (let n = 0; n < 20; n++) {
        await collection.updateOne({ _id: "b" }, { $set: { n } });
        expect(await collection.find({}, { sort: { _id: -1 }, limit: 1, durable: true })).toEqual([{ _id: "b", n }]);
      }
    });

    test("counts by fields, with the earliest date of each group, without what has expired", async () => {
      const collection = await filled(
        [
          { _id: "a", kind: "x", active: true, at: future },
          { _id: "b", kind: "x", active: true, at: past },
          { _id: "c", kind: "x", active: false },
          { _id: "d", active: true, at: past },
          { _id: "e", kind: "y", gone: past },
          { _id: "f", kind: "z", at: past },
        ],
        { fields: { kind: "string", active: "boolean", at: "date", gone: "date" }, expires: "gone" },
      );
      const groups = await collection.countBy({ kind: { $ne: "z" } }, ["kind", "active"], "at");
      expect(groups).toHaveLength(3);
      expect(groups).toEqual(
        expect.arrayContaining([
          { values: ["x", true], count: 2, earliest: past },
          { values: ["x", false], count: 1 },
          { values: [null, true], count: 1, earliest: past },
        ]),
      );
      expect(await collection.countBy({ at: past }, ["at"])).toEqual([{ values: [past], count: 3 }]);
      expect(await collection.countBy({ kind: "x" }, [])).toEqual([{ values: [], count: 3 }]);
      expect(await collection.countBy({ kind: "none" }, [])).toEqual([]);
      await expect(collection.countBy({}, ["other"])).rejects.toMatchObject({ code: "BAD_QUERY" });
      await expect(collection.countBy({}, ["kind"], "kind")).rejects.toMatchObject({ code: "BAD_QUERY" });
    });

    test("a result is the caller's own", async () => {
      const collection = await filled([{ _id: "a", list: [1] }]);
      const first = await collection.findOne({ _id: "a" });
      (first!.list as number[]).push(2);
      expect(await collection.findOne({ _id: "a" })).toEqual({ _id: "a", list: [1] });
    });

    const declared = {
      fields: { name: "string", price: "number", active: "boolean", at: "date" },
      indexes: [{ keys: { name: 1 } }, { keys: { price: -1 } }],
    } as const;
    const documents: Doc[] = [
      {
        _id: "a",
        name: "ant",
        price: 1,
        active: true,
        at: past,
        tags: ["x", "y"],
      },
      { _id: "b", name: "bee", price: 2.5, active: false, at: future, tags: [] },
      { _id: "c", name: null, price: 3, tags: "x" },
      { _id: "d", price: -1, tags: ["y", null], more: { deep: 1 } },
    ];
    test.each<[string, Filter, string]>([
      ["everything", {}, "abcd"],
      ["equality", { name: "ant" }, "a"],
      ["null is missing too", { name: null }, "cd"],
      ["$ne null", { name: { $ne: null } }, "ab"],
      ["$ne takes in what is missing", { name: { $ne: "ant" } }, "bcd"],
      ["$in with null", { name: { $in: ["bee", null] } }, "bcd"],
      ["$in of nothing", { name: { $in: [] } }, ""],
      ["a range", { price: { $gt: 1, $lte: 3 } }, "bc"],
      ["a range of strings", { name: { $gte: "b" } }, "b"],
      ["a range of dates", { at: { $lt: new Date() } }, "a"],
      ["booleans are no numbers", { active: 1 }, ""],
      ["another type matches nothing", { price: "1" }, ""],
      ["and is in $ne", { price: { $ne: "1" } }, "abcd"],
      ["$exists sees null", { name: { $exists: true } }, "abc"],
      ["$exists: false", { name: { $exists: false } }, "d"],
      ["$regex", { name: { $regex: /^AN/i } }, "a"],
      ["$or", { $or: [{ name: "ant" }, { price: { $lt: 0 } }] }, "ad"],
      ["$or of a declared and an undeclared field", { $or: [{ name: "bee" }, { "more.deep": 1 }] }, "bd"],
      ["a value or an element of an array", { tags: "x" }, "ac"],
      ["$ne over an array", { tags: { $ne: "x" } }, "bd"],
      ["null in an array", { tags: null }, "d"],
      ["a list of values over an array", { tags: { $in: ["x", 7] } }, "ac"],
      ["an object is no list of its fields", { more: 1 }, ""],
      ["numbers and booleans in an object apart", { "more.deep": true }, ""],
      ["$size", { tags: { $size: 2 } }, "ad"],
      ["a path through a scalar is missing", { "name.first": null }, "abcd"],
      ["by id", { _id: { $in: ["a", "d", "z"] } }, "ad"],
      ["by id and more", { _id: "a", price: 2 }, ""],
    ])("%s", async (_title, filter, expected) => {
      const collection = await filled(documents, { ...declared, indexes: [...declared.indexes] });
      expect(await ids(collection, filter)).toBe(expected);
      expect(await collection.count(filter)).toBe(expected.length);
    });
  });

  describe("order and pages", () => {
    const values: Doc[] = [
      { _id: "1", v: "b" },
      { _id: "2" },
      { _id: "3", v: "a" },
      { _id: "4", v: null },
      { _id: "5", v: "a" },
    ];

    test.each([
      ["with an index", [{ keys: { v: 1 } } as const]],
      ["without one", []],
    ])("a field %s", async (_title, indexes) => {
      const collection = await filled(values, { fields: { v: "string" }, indexes });
      const order = async (direction: 1 | -1, skip?: number, limit?: number): Promise<string> =>
        (await collection.find({}, { sort: { v: direction }, skip, limit })).map(({ _id }) => _id).join("");
      expect(await order(1)).toBe("24351");
      expect(await order(-1)).toBe("15342");
      expect(await order(1, 1, 2)).toBe("43");
      expect(await order(1, 4, 9)).toBe("1");
      expect(await order(1, 0, 0)).toBe("");
      expect((await collection.findOne({}, { sort: { v: -1 } }))?._id).toBe("1");
    });

    test("strings by code point, not by UTF-16 unit", async () => {
      const collection = await filled(
        [
          { _id: "astral", v: "😀" },
          { _id: "private", v: "\uE000" },
          { _id: "han", v: "漢" },
        ],
        { fields: { v: "string" } },
      );
      expect((await collection.find({}, { sort: { v: 1 } })).map(({ _id }) => _id)).toEqual([
        "han",
        "private",
        "astral",
      ]);
      expect(await ids(collection, { v: { $gt: "\uE000" } })).toBe("astral");
    });

    test("iterate streams every match, by id or sorted, and may be left early", async () => {
      const collection = await filled(
        Array.from({ length: 1_100 }, (_, n) => ({
          _id: String(n).padStart(5, "0"),
          n: (n * 37) % 1_100,
          even: n % 2 === 0,
        })),
        { fields: { n: "number" }, indexes: [{ keys: { n: 1 } }] },
      );
      const take = async (filter: Filter, sort?: { n: 1 | -1 }, most = Infinity): Promise<Doc[]> => {
        const taken: Doc[] = [];
        for await (const document of collection.iterate(filter, { sort })) if (taken.push(document) >= most) break;
        return taken;
      };
      const all = await take({});
      expect(all.map(({ _id }) => _id)).toEqual(Array.from({ length: 1_100 }, (_, n) => String(n).padStart(5, "0")));
      expect((await take({ even: true })).length).toBe(550);
      expect((await take({ n: { $lt: 700 } })).map(({ _id }) => _id)).toEqual(
        all.filter(({ n }) => (n as number) < 700).map(({ _id }) => _id),
      );
      expect((await take({}, { n: -1 })).map(({ n }) => n)).toEqual(Array.from({ length: 1_100 }, (_, n) => 1_099 - n));
      expect((await take({}, undefined, 3)).length).toBe(3);
      expect(await collection.count({ even: true })).toBe(550);
      expect((await collection.find({ even: true }, { sort: { n: 1 }, skip: 540, limit: 20 })).length).toBe(10);
    });
  });

  describe("expiry", () => {
    const definition = {
      fields: { until: "date", code: "string" },
      indexes: [{ keys: { code: 1 }, unique: true }],
      expires: "until",
    } as const;
    const expiring = (): Collection<Doc> => underTest.collection({ ...definition, indexes: [...definition.indexes] });

    test("what has expired is gone for every reader and every write", async () => {
      const collection = expiring();
      await collection.insertOne({ _id: "old", until: past, code: "1" });
      await collection.insertOne({ _id: "new", until: future, code: "2" });
      await collection.insertOne({ _id: "lasting", code: "3" });
      expect(await collection.findOne({ _id: "old" })).toBeNull();
      expect(await ids(collection, {})).toBe("lastingnew");
      expect(await collection.count({})).toBe(2);
      const seen: string[] = [];
      for await (const { _id } of collection.iterate({})) seen.push(_id);
      expect(seen).toEqual(["lasting", "new"]);
      expect(await collection.updateOne({ _id: "old" }, { $set: { x: 1 } })).toEqual({ matched: 0 });
      expect(await collection.deleteOne({ code: "1" })).toBe(0);
      expect(await collection.findOneAndUpdate({ code: "1" }, { $set: { x: 1 } })).toBeNull();
    });

    test("its id and its unique values are free", async () => {
      const collection = expiring();
      await collection.insertOne({ _id: "a", until: past, code: "1" });
      await collection.insertOne({ _id: "a", until: future, code: "9", again: true });
      expect(await collection.findOne({ _id: "a" })).toMatchObject({ again: true });

      await collection.insertOne({ _id: "b", until: past, code: "2" });
      await collection.insertOne({ _id: "c", code: "2" });
      await collection.insertOne({ _id: "d", until: past, code: "4" });
      expect(await collection.updateOne({ _id: "c" }, { $set: { code: "4" } })).toEqual({ matched: 1 });

      await collection.insertOne({ _id: "e", until: past, code: "5", n: 7 });
      expect(await collection.findOneAndUpdate({ _id: "e" }, { $inc: { n: 1 } }, { upsert: true })).toEqual({
        _id: "e",
        n: 1,
      });
      expect(
        await collection.bulkWrite([
          { insertOne: { _id: "f", until: past, code: "6" } },
          { insertOne: { _id: "g", code: "6" } },
        ]),
      ).toMatchObject([{ ok: true }, { ok: true }]);
      await underTest.store.atomically([
        { collection: collection.definition, insertOne: { _id: "h", until: past, code: "7" } },
      ]);
      await underTest.store.atomically([{ collection: collection.definition, insertOne: { _id: "h", code: "7" } }]);
      expect(await ids(collection, {})).toBe("aceg".concat("h"));
    });
  });
}
