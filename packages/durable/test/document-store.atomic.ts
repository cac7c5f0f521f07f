import { describe, expect, test } from "@jest/globals";
import type { StoreUnderTest } from "./document-store.subject.ts";

export function atomicSuite(underTest: StoreUnderTest): void {
  describe("atomically", () => {
    test("writes all, in several collections, each seeing the ones before it", async () => {
      const [orders, outbox] = [underTest.collection(), underTest.collection()];
      await orders.insertOne({ _id: "old", n: 1 });
      await underTest.store.atomically([
        { collection: orders.definition, insertOne: { _id: "a", n: 1 } },
        {
          collection: orders.definition,
          updateOne: { filter: { _id: "a" }, update: { $inc: { n: 1 } } },
          require: true,
        },
        {
          collection: outbox.definition,
          updateOne: { filter: { _id: "e" }, update: { $set: { x: 1 } }, upsert: true },
          require: true,
        },
        { collection: orders.definition, replaceOne: { filter: { _id: "old" }, replacement: { _id: "old", n: 9 } } },
        { collection: orders.definition, deleteOne: { filter: { _id: "nobody" } } },
      ]);
      expect(await orders.find({}, { sort: { _id: 1 } })).toEqual([
        { _id: "a", n: 2 },
        { _id: "old", n: 9 },
      ]);
      expect(await outbox.count({})).toBe(1);
      await underTest.store.atomically([]);
    });

    test.each([
      ["a taken unique value", "DUPLICATE_KEY", { insertOne: { _id: "new", code: "taken" } }],
      [
        "a condition that is not met",
        "CONDITION_FAILED",
        { updateOne: { filter: { _id: "a", version: 7 }, update: { $set: { x: 1 } } }, require: true },
      ],
      ["a required delete of nothing", "CONDITION_FAILED", { deleteOne: { filter: { _id: "nobody" } }, require: true }],
      [
        "a document that does not fit",
        "BAD_DOCUMENT",
        { updateOne: { filter: { _id: "a" }, update: { $inc: { code: 1 } } } },
      ],
      [
        "an operator that is not in the list",
        "BAD_QUERY",
        { updateOne: { filter: { _id: { $type: 2 } }, update: { $set: { x: 1 } } } },
      ],
    ])("%s undoes all", async (_title, code, last) => {
      const collection = underTest.collection({
        fields: { code: "string" },
        indexes: [{ keys: { code: 1 }, unique: true }],
      });
      const other = underTest.collection();
      await collection.insertOne({ _id: "a", code: "taken", version: 1 });
      const batch = underTest.store.atomically([
        { collection: other.definition, insertOne: { _id: "x" } },
        { collection: collection.definition, updateOne: { filter: { _id: "a" }, update: { $inc: { version: 1 } } } },
        { collection: collection.definition, ...last } as Parameters<typeof underTest.store.atomically>[0][number],
      ]);
      await expect(batch).rejects.toMatchObject({ code, failedAt: 2 });
      expect(await other.count({})).toBe(0);
      expect(await collection.find({})).toEqual([{ _id: "a", code: "taken", version: 1 }]);
    });

    test("batches that meet are tried again until each has gone through", async () => {
      const [accounts, log] = [underTest.collection({ fields: { cents: "number" } }), underTest.collection()];
      await accounts.bulkWrite([{ insertOne: { _id: "a", cents: 100 } }, { insertOne: { _id: "b", cents: 0 } }]);
      await log.insertOne({ _id: "start" });
      await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          underTest.store.atomically([
            {
              collection: accounts.definition,
              updateOne: { filter: { _id: "a", cents: { $gte: 5 } }, update: { $inc: { cents: -5 } } },
              require: true,
            },
            {
              collection: accounts.definition,
              updateOne: { filter: { _id: "b" }, update: { $inc: { cents: 5 } } },
              require: true,
            },
            { collection: log.definition, insertOne: { _id: String(n) } },
          ]),
        ),
      );
      expect(await accounts.find({}, { sort: { _id: 1 } })).toEqual([
        { _id: "a", cents: 50 },
        { _id: "b", cents: 50 },
      ]);
      expect(await log.count({})).toBe(11);
    });

    test("upserts of one id in batches at the same moment make one document", async () => {
      const collection = underTest.collection();
      await Promise.all(
        Array.from({ length: 6 }, () =>
          underTest.store.atomically([
            {
              collection: collection.definition,
              updateOne: { filter: { _id: "a" }, update: { $inc: { n: 1 } }, upsert: true },
            },
          ]),
        ),
      );
      expect(await collection.find({})).toEqual([{ _id: "a", n: 6 }]);
    });
  });
}
