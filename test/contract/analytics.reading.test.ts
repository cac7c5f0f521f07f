import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import type { Collection, Document, DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { CHECKPOINTS, ROWS, type Checkpoint, type StoredRow } from "../../services/analytics/collections.ts";
import { HOUR_MS, toHour } from "../../services/analytics/hours.ts";
import type { SearchHour } from "../../services/analytics/searches.ts";
import { createReports } from "../../services/analytics/reports.ts";

const HOURS = 3_000;
const TEXTS = 20;
const FROM = new Date("2026-01-01T00:00:00Z");

describe("Figures of a long period", () => {
  let documents: DocumentStore;
  beforeAll(async () => {
    documents = await openDocumentStore({ dataDir: mkdtempSync(join(tmpdir(), "partline-analytics-")) });
    const checkpoint = { generation: 2, position: 7, generations: 2, retired: [] };
    await documents
      .collection<Checkpoint>(CHECKPOINTS)
      .bulkWrite(["orders", "conversion", "searches"].map((_id) => ({ insertOne: { _id, ...checkpoint } })));
    await documents.collection<StoredRow>(ROWS).bulkWrite(
      Array.from({ length: HOURS }, (_, n) => ({
        insertOne: { _id: `searches:2:searches:${toHour(hourAt(n))}`, row: rowOf(n) },
      })),
    );
    // What lies beside them: another generation, and what comes before and behind.
    await documents
      .collection<StoredRow>(ROWS)
      .bulkWrite(
        [
          `searches:1:searches:${toHour(FROM)}`,
          `searches:2:searches:${toHour(hourAt(HOURS))}`,
          `searches:2:searches:${toHour(hourAt(-1))}`,
        ].map((_id) => ({ insertOne: { _id, row: rowOf(0) } })),
      );
  });
  afterAll(() => documents.close());

  it("are added up while its rows are read, some at a time, and others get their turn", async () => {
    const found: number[] = [];
    const reports = createReports({
      documents: watched(documents, (count) => found.push(count)),
      head: async () => 7,
    });
    let turns = 0;
    let isRunning = true;
    const ticking = (async () => {
      for (; isRunning; turns++) await new Promise(setImmediate);
    })();
    const answer = await reports.searches({
      params: {
        from: FROM.toISOString(),
        to: hourAt(HOURS).toISOString(),
        interval: "day",
        limit: 2,
      },
    });
    isRunning = false;
    await ticking;

    expect(Math.max(...found)).toBeLessThanOrEqual(100);
    expect(found.reduce((sum, count) => sum + count)).toBe(HOURS);
    expect(turns).toBeGreaterThan(HOURS / 100);
    expect(answer).toMatchObject({
      searches: HOURS * (TEXTS + 1),
      zeroHits: HOURS,
      withoutText: { searches: 0 },
      others: { searches: 0 },
    });
    expect(answer.queries).toEqual([
      { query: "gasket", searches: 2 * HOURS, zeroHits: HOURS },
      { query: "text 1 of 0", searches: HOURS / 10, zeroHits: 0 },
    ]);
    expect(answer.series).toHaveLength(HOURS / 24);
    for (const { searches, zeroHits } of answer.series) expect([searches, zeroHits]).toEqual([24 * (TEXTS + 1), 24]);
  });

  it("are those of its hours, also where it begins and ends within a day", async () => {
    const reports = createReports({ documents, head: async () => 7 });
    const ends = { from: hourAt(5).toISOString(), to: hourAt(31).toISOString() };
    const daily = await reports.searches({ params: { ...ends, interval: "day", limit: 1 } });
    expect(daily.series.map(({ start, zeroHits }) => [start, zeroHits])).toEqual([
      [hourAt(5), 19],
      [hourAt(24), 7],
    ]);
    const hourly = await reports.searches({ params: { ...ends, interval: "hour", limit: 1 } });
    expect(hourly.series.map(({ start, zeroHits }) => [start, zeroHits])).toEqual(
      Array.from({ length: 26 }, (_, n) => [hourAt(n + 5), 1]),
    );
    expect([daily.searches, hourly.searches]).toEqual([26 * (TEXTS + 1), 26 * (TEXTS + 1)]);
  });
});

function hourAt(n: number): Date {
  return new Date(FROM.getTime() + n * HOUR_MS);
}

/** One text in every hour, twice; the others come again every ten hours. */
function rowOf(hour: number): SearchHour {
  const rare = Array.from({ length: TEXTS - 1 }, (_, n) => ({
    text: `text ${n + 1} of ${hour % 10}`,
    searches: 1,
    zeroHits: 0,
  }));
  const none = { searches: 0, zeroHits: 0 };
  return {
    all: { searches: TEXTS + 1, zeroHits: 1 },
    withoutText: none,
    others: none,
    texts: [{ text: "gasket", searches: 2, zeroHits: 1 }, ...rare],
  };
}

/** Reports how many rows each question finds. */
function watched(documents: DocumentStore, onFound: (count: number) => void): DocumentStore {
  const watchedCollection = <T extends Document>(collection: Collection<T>): Collection<T> => {
    const find: Collection<T>["find"] = async (filter, options) => {
      const found = await collection.find(filter, options);
      onFound(found.length);
      return found;
    };
    return new Proxy(collection, {
      get: (target, name) =>
        name === "find" ? find : (Reflect.get(target, name) as { bind?: (to: object) => unknown }).bind?.(target),
    });
  };
  return {
    backend: documents.backend,
    collection: (definition) =>
      definition.name === ROWS.name
        ? watchedCollection(documents.collection(definition))
        : documents.collection(definition),
    atomically: (writes) => documents.atomically(writes),
    ping: () => documents.ping(),
    close: () => documents.close(),
  };
}
