import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HeldLease } from "../../packages/durable/src/lease.ts";
import { openSearchIndex } from "../../packages/parts-search/src/search-index/open.ts";
import type { IndexBatch, SearchIndex } from "../../packages/parts-search/src/search-index/port.ts";
import { isTire } from "../../packages/parts-language/src/tires.ts";
import type { CatalogPart } from "../../services/search/index-document.ts";
import { createIndexer, type CatalogFeed, type Indexer, type RunExclusively } from "../../services/search/indexer.ts";
import type { SentCounts } from "../../services/search/sent-documents.ts";

let index: SearchIndex;
let indexer: Indexer;
/** The catalog: a part's place is its newest change. */
let parts: CatalogPart[];
/** What it was asked for, and how many parts it gave. */
let asked: { vendor: string; after: number; tires: boolean; given: number }[];
/** Happens while a build reads the catalog. */
let meanwhile: () => void;

const held: HeldLease = { signal: new AbortController().signal, confirm: async () => undefined };
const lost: HeldLease = { signal: held.signal, confirm: () => Promise.reject(new Error("lost")) };
const newest = (vendor: string): number =>
  Math.max(0, ...parts.filter(({ manufacturer }) => manufacturer.code === vendor).map(({ revision }) => revision));
const write = (vendor: string, number: string, more: Partial<CatalogPart> = {}): void => {
  const id = `${vendor.toLowerCase()}-${number}`;
  const part = {
    id,
    vendorName: vendor,
    vendorAliases: [],
    partNumber: number,
    pnNorm: number,
    sku: id,
    skuVariants: [],
    slug: id,
    title: "Belt",
    sources: [],
    manufacturer: { name: vendor, code: vendor },
    category: "Belts",
    price: 100,
    status: "active",
    availability: "unknown",
    createdAt: new Date(),
    updatedAt: new Date(),
    revision: newest(vendor) + 1,
    ...more,
  } satisfies CatalogPart;
  parts = [...parts.filter((other) => other.id !== id), part];
};
const feed: CatalogFeed = {
  listRevisions: async () =>
    ["HON", "KMT"].map((vendor) => ({ vendor, revision: newest(vendor) })).filter(({ revision }) => revision > 0),
  listChanges: async (vendor, after, limit, tires) => {
    const given = parts
      .filter((part) => part.manufacturer.code === vendor && part.revision > after && (!tires || isTire(part)))
      .slice(0, limit);
    asked.push({ vendor, after, tires, given: given.length });
    meanwhile();
    return given;
  },
};
const build = async (which: readonly ("parts" | "tires")[]): Promise<SentCounts> => {
  let last: SentCounts = {};
  await indexer.build(which, { force: false, held, onProgress: (_names, sent) => void (last = sent) });
  return last;
};

beforeEach(async () => {
  [parts, asked, meanwhile] = [[], [], () => undefined];
  index = await openSearchIndex({ directory: mkdtempSync(join(tmpdir(), "partline-indexer-")), synonyms: [] });
  indexer = open();
});
afterEach(() => index.close());
/** An indexer with some of its parts replaced; `turn` is its turn to change the index. */
function open({
  turn = held,
  ...more
}: Partial<Parameters<typeof createIndexer>[0]> & { turn?: HeldLease } = {}): Indexer {
  const exclusively: RunExclusively = (task) => task(turn);
  return createIndexer({ index, feed, exclusively, signal: held.signal, onChange: () => undefined, ...more });
}

test("a part that changes while a build runs counts once, and is in the build as it is at last", async () => {
  for (const number of ["1", "2", "3"]) write("HON", number);
  write("KMT", "9", { category: "Wheels & Tires", kind: "Tires" });
  let changes = 0;
  meanwhile = () => {
    if (changes++ < 3) write("HON", "2", { title: `Muffler ${changes}` });
  };
  expect(await build(["parts", "tires"])).toEqual({ parts: 4, tires: 1 });
  const { parts: live, tires } = await index.status();
  expect([live.documents, tires.documents]).toEqual([4, 1]);
  expect((await index.get("parts", ["hon-2"]))[0]!.title).toBe("Muffler 3");
});

test("a build of the tires reads no other part, and is up to the newest change all the same", async () => {
  for (let number = 1; number <= 50; number += 1)
    write("HON", String(number), number === 7 ? { category: "Wheels & Tires", kind: "Wheels" } : {});
  write("KMT", "9");
  await indexer.catchUp();
  asked = [];
  expect(await build(["tires"])).toEqual({ tires: 2 });
  expect(asked.every(({ tires }) => tires)).toBe(true);
  expect(asked.reduce((sum, { given }) => sum + given, 0)).toBe(2);
  expect(await index.progress()).toEqual({ HON: 50, KMT: 1 });
  asked = [];
  expect(await indexer.catchUp()).toEqual({ written: 0, isAhead: false });
  expect(asked).toEqual([]);
});

test("a part that stops being a tire is in no index of the tires, also when it does while one is built", async () => {
  const category = "Wheels & Tires";
  for (const number of ["1", "2", "3"]) write("HON", number, { category });
  await indexer.catchUp();
  write("HON", "1", { category: "Hubs" });
  await indexer.catchUp();
  expect((await index.status()).tires.documents).toBe(2);
  let changes = 0;
  meanwhile = () => {
    if (changes++ > 0) return;
    write("HON", "2", { category: "Hubs" });
    // It is among the tires that are read, behind a change that is not.
    write("HON", "3", { category, title: "Wheel" });
  };
  expect(await build(["tires"])).toEqual({ tires: 1 });
  expect((await index.status()).tires.documents).toBe(1);
  expect((await index.get("tires", ["hon-1", "hon-2", "hon-3"])).map(({ id, title }) => [id, title])).toEqual([
    ["hon-3", "Wheel"],
  ]);
});

test("a catalog whose answers hold few parts is read to its end, in as few writes", async () => {
  for (let number = 1; number <= 4_100; number += 1) write("HON", String(number));
  write("KMT", "9");
  const writes: number[] = [];
  const watched = {
    ...index,
    backend: index.backend,
    progress: () => index.progress(),
    write: (batch: IndexBatch) => (writes.push(batch.documents.length), index.write(batch)),
  } as SearchIndex;
  const few: CatalogFeed = {
    ...feed,
    listChanges: async (vendor, after, limit, tires) =>
      (await feed.listChanges(vendor, after, limit, tires)).slice(0, 300),
  };
  expect(await open({ index: watched, feed: few }).catchUp()).toEqual({ written: 4_101, isAhead: false });
  expect(writes).toEqual([2_000, 2_000, 100, 1]);
  expect((await index.status()).parts.documents).toBe(4_101);
});

test("what the catalog no longer has is not asked for again and again", async () => {
  write("HON", "1");
  write("HON", "2");
  const revisions = await feed.listRevisions();
  const gone = { ...feed, revisions: async () => revisions };
  parts = parts.slice(0, 1);
  const onGone = open({ feed: gone });
  expect(await onGone.catchUp()).toEqual({ written: 1, isAhead: false });
  asked = [];
  expect(await onGone.catchUp()).toEqual({ written: 0, isAhead: false });
  expect(asked).toEqual([]);
});

test("an indexer that lost the turn to change the index writes nothing, publishes nothing and goes back to nothing", async () => {
  write("HON", "1");
  const previousStatus = await index.status();
  const losing = open({ turn: lost });
  await expect(losing.catchUp()).rejects.toThrow("lost");
  const options = { force: true, onProgress: () => undefined, held };
  await expect(losing.build(["parts", "tires"], options)).rejects.toThrow("lost");
  await expect(losing.rollback("parts")).rejects.toThrow("lost");
  expect(await index.status()).toEqual(previousStatus);
  expect(await index.indexes()).toHaveLength(2);
});

test("a build that lost its own lease is not published", async () => {
  write("HON", "1");
  const previousStatus = await index.status();
  let confirmed = 0;
  // Lost after all documents were sent, so that only the look before the publishing can see it.
  const losing: HeldLease = { ...held, confirm: () => (++confirmed > 1 ? lost.confirm() : held.confirm()) };
  const options = { force: true, onProgress: () => undefined, held: losing };
  await expect(indexer.build(["parts", "tires"], options)).rejects.toThrow("lost");
  expect(confirmed).toBe(2);
  expect(await index.status()).toEqual(previousStatus);
});
