import { describe, expect, test } from "@jest/globals";
import { DocumentStoreError, type CollectionDefinition } from "../src/document-store/port.ts";
import type { StoreUnderTest } from "./document-store.subject.ts";

/** What each attempt came to: "ok", or the code of its error. */
async function outcomes(attempts: Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(attempts);
  return settled.map((result) =>
    result.status === "fulfilled"
      ? "ok"
      : result.reason instanceof DocumentStoreError
        ? result.reason.code
        : String(result.reason),
  );
}

export function uniquenessSuite(underTest: StoreUnderTest): void {
  const WRITERS = 20;
  const writers = Array.from({ length: WRITERS }, (_, n) => n);

  describe("unique values", () => {
    const definition: Omit<CollectionDefinition, "name"> = {
      fields: { code: "string", region: "number", active: "boolean" },
      indexes: [
        { keys: { code: 1, region: 1 }, unique: true },
        { keys: { active: 1 }, unique: true },
      ],
    };

    test("are refused a second time, whole keys only, and lacking one of them is no clash", async () => {
      const collection = underTest.collection(definition);
      await collection.insertOne({ _id: "a", code: "x", region: 1 });
      await expect(collection.insertOne({ _id: "b", code: "x", region: 1 })).rejects.toMatchObject({
        code: "DUPLICATE_KEY",
      });
      await expect(collection.insertOne({ _id: "a" })).rejects.toMatchObject({ code: "DUPLICATE_KEY" });
      await collection.insertOne({ _id: "c", code: "x", region: 2 });
      await collection.insertOne({ _id: "d", code: "x" });
      await collection.insertOne({ _id: "e", code: "x", region: null });
      await collection.insertOne({ _id: "f", active: false });
      await expect(collection.insertOne({ _id: "g", active: false })).rejects.toMatchObject({ code: "DUPLICATE_KEY" });
      await expect(collection.updateOne({ _id: "c" }, { $inc: { region: -1 } })).rejects.toMatchObject({
        code: "DUPLICATE_KEY",
      });
      await expect(collection.replaceOne({ _id: "d" }, { _id: "d", code: "x", region: 2 })).rejects.toMatchObject({
        code: "DUPLICATE_KEY",
      });
      expect(await collection.findOne({ _id: "c" })).toEqual({ _id: "c", code: "x", region: 2 });
      await collection.updateOne({ _id: "a" }, { $unset: { code: true } });
      await collection.insertOne({ _id: "b", code: "x", region: 1 });
      expect(await collection.count({})).toBe(6);
    });

    test("of every type", async () => {
      const values = { string: "x", number: -0.5, boolean: true, date: new Date(5) };
      for (const [type, value] of Object.entries(values) as ["string" | "number" | "boolean" | "date", unknown][]) {
        const collection = underTest.collection({
          fields: { value: type },
          indexes: [{ keys: { value: 1 }, unique: true }],
        });
        await collection.insertOne({ _id: "a", value });
        await expect(collection.insertOne({ _id: "b", value })).rejects.toMatchObject({ code: "DUPLICATE_KEY" });
      }
    });

    test("an error names the field and not the value", async () => {
      const collection = underTest.collection({
        fields: { email: "string" },
        indexes: [{ keys: { email: 1 }, unique: true }],
      });
      await collection.insertOne({ _id: "a", email: "jo@example.com" });
      const error = await collection.insertOne({ _id: "b", email: "jo@example.com" }).catch((reason: Error) => reason);
      expect((error as Error).message).toContain("email");
      expect((error as Error).message).not.toContain("jo@example.com");
    });
  });

  describe("at the same moment", () => {
    test("every $inc counts", async () => {
      const collection = underTest.collection();
      await collection.insertOne({ _id: "a", n: 0 });
      await Promise.all(writers.map(() => collection.updateOne({ _id: "a" }, { $inc: { n: 1 } })));
      expect(await collection.findOne({ _id: "a" })).toEqual({ _id: "a", n: WRITERS });
    });

    test("upserts of one id make one document", async () => {
      const collection = underTest.collection();
      const results = await Promise.all(
        writers.map(() => collection.updateOne({ _id: "a" }, { $inc: { n: 1 } }, { upsert: true })),
      );
      expect(results.filter(({ upsertedId }) => upsertedId === "a").length).toBe(1);
      expect(await collection.find({})).toEqual([{ _id: "a", n: WRITERS }]);
    });

    test("one of many inserts of a unique value wins", async () => {
      const collection = underTest.collection({
        fields: { code: "string" },
        indexes: [{ keys: { code: 1 }, unique: true }],
      });
      const results = await outcomes(writers.map((n) => collection.insertOne({ _id: String(n), code: "one" })));
      expect(results.sort()).toEqual([...Array<string>(WRITERS - 1).fill("DUPLICATE_KEY"), "ok"]);
      expect(await collection.count({})).toBe(1);
    });

    test("one of many compare-and-sets wins", async () => {
      const collection = underTest.collection();
      await collection.insertOne({ _id: "a", version: 1 });
      const results = await Promise.all(
        writers.map((n) => collection.updateOne({ _id: "a", version: 1 }, { $set: { by: n }, $inc: { version: 1 } })),
      );
      expect(results.filter(({ matched }) => matched === 1).length).toBe(1);
      expect(await collection.findOne({ _id: "a" })).toMatchObject({
        version: 2,
        by: results.findIndex(({ matched }) => matched === 1),
      });
    });

    test("upserts that insert or find all answer the one document", async () => {
      const collection = underTest.collection({});
      const answers = await Promise.all(
        writers.map((n) => collection.findOneAndUpdate({ _id: "a" }, { $setOnInsert: { by: n } }, { upsert: true })),
      );
      const stored = await collection.findOne({ _id: "a" });
      expect(answers).toEqual(answers.map(() => stored));
    });

    test("workers that claim jobs never claim the same", async () => {
      const collection = underTest.collection({ fields: { state: "string" }, indexes: [{ keys: { state: 1 } }] });
      await collection.bulkWrite(writers.map((n) => ({ insertOne: { _id: String(n), state: "waiting" } })));
      const claims = await Promise.all(
        writers.map((n) => collection.findOneAndUpdate({ state: "waiting" }, { $set: { state: "taken", by: n } })),
      );
      expect(new Set(claims.map((claim) => claim?._id)).size).toBe(WRITERS);
    });
  });
}
