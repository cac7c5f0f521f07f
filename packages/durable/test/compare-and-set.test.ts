import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { compareAndSet, type Decision } from "../src/document-store/compare-and-set.ts";
import { openDocumentStore } from "../src/document-store/open.ts";
import type { AtomicWrite, CollectionDefinition, Document, DocumentStore } from "../src/document-store/port.ts";

interface Counter extends Document {
  count: number;
}

const COUNTERS: CollectionDefinition = { name: "counters", fields: { count: "number" } };

describe("Compare and set", () => {
  let documents: DocumentStore;
  beforeEach(async () => {
    documents = await openDocumentStore({ dataDir: mkdtempSync(join(tmpdir(), "compare-and-set-")) });
  });
  afterEach(() => documents.close());

  const counters = () => documents.collection<Counter>(COUNTERS);
  const read = () => counters().findOne({ _id: "one" });
  const countUp = (before: Counter | null): AtomicWrite =>
    before
      ? {
          collection: COUNTERS,
          require: true,
          updateOne: { filter: { _id: "one", count: before.count }, update: { $inc: { count: 1 } } },
        }
      : { collection: COUNTERS, insertOne: { _id: "one", count: 1 } };
  const increment = async (): Promise<Decision<number>> => {
    const before = await read();
    return { conditions: [countUp(before)], result: (before?.count ?? 0) + 1 };
  };

  it("loses none of many at the same moment, from the insert on, and answers each its own", async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => compareAndSet(documents, "The counter", increment)),
    );
    expect([...answers].sort((one, other) => one - other)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect(await read()).toMatchObject({ count: 40 });
  });

  it("writes nothing without a condition", async () => {
    const also: AtomicWrite[] = [{ collection: COUNTERS, insertOne: { _id: "other", count: 1 } }];
    expect(
      await compareAndSet(documents, "The counter", async () => ({ conditions: [], also, result: "as it was" })),
    ).toBe("as it was");
    expect(await counters().count({})).toBe(0);
  });

  it("gives the failure of a write that goes along to the caller, after one round and with nothing written", async () => {
    await counters().insertOne({ _id: "taken", count: 1 });
    let rounds = 0;
    const attempt = compareAndSet(documents, "The counter", async () => {
      rounds += 1;
      return {
        conditions: [countUp(null)],
        also: [{ collection: COUNTERS, insertOne: { _id: "taken", count: 2 } }],
        result: null,
      };
    });
    await expect(attempt).rejects.toMatchObject({ code: "DUPLICATE_KEY", failedAt: 1 });
    expect(rounds).toBe(1);
    expect(await read()).toBeNull();
  });

  it("counts any of several conditions", async () => {
    await counters().insertOne({ _id: "one", count: 1 });
    let stale = true;
    const result = await compareAndSet(documents, "The counter", async () => {
      const count = stale ? 0 : 1;
      stale = false;
      const other: AtomicWrite = {
        collection: COUNTERS,
        updateOne: { filter: { _id: "other" }, update: { $inc: { count: 1 } }, upsert: true },
      };
      return { conditions: [other, countUp({ _id: "one", count })], result: count };
    });
    expect(result).toBe(1);
    expect(await counters().findOne({ _id: "other" })).toMatchObject({ count: 1 });
  });

  it("gives up with VERSION_CONFLICT on what never stands, and hands on what the decision throws", async () => {
    let rounds = 0;
    const never = compareAndSet(documents, "The counter", async () => {
      rounds += 1;
      return { conditions: [countUp({ _id: "one", count: -1 })], result: null };
    });
    await expect(never).rejects.toMatchObject({
      code: "VERSION_CONFLICT",
      message: "The counter is being changed by too many at once; try again",
    });
    expect(rounds).toBe(100);
    await expect(compareAndSet(documents, "The counter", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  });
});
