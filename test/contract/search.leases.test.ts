import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HeldLease } from "../../packages/durable/src/lease.ts";
import { openSearchIndex } from "../../packages/parts-search/src/search-index/open.ts";
import type { SearchIndex } from "../../packages/parts-search/src/search-index/port.ts";
import { createIndexer, type CatalogFeed, type RunExclusively } from "../../services/search/indexer.ts";
import type { CatalogPart } from "../../services/search/index-document.ts";
import { PART } from "./search.support.ts";

let index: SearchIndex;

beforeEach(async () => {
  index = await openSearchIndex({
    directory: mkdtempSync(join(tmpdir(), "partline-leases-")),
    elasticsearchPrefix: "",
    synonyms: [],
  });
});
afterEach(() => index.close());

const kept: HeldLease = { signal: new AbortController().signal, confirm: async () => undefined };
const lost: HeldLease = { signal: kept.signal, confirm: () => Promise.reject(new Error("lost")) };
const under =
  (held: HeldLease): RunExclusively =>
  (task) =>
    task(held);
const options = { force: true, onProgress: () => undefined };

const part = PART as unknown as CatalogPart;
const feed: CatalogFeed = {
  listRevisions: async () => [{ vendor: "HON", revision: 1 }],
  listChanges: async (_vendor, after) => (after < 1 ? [part] : []),
};
const indexerUnder = (held: HeldLease) =>
  createIndexer({
    index,
    feed,
    exclusively: under(held),
    signal: kept.signal,
    onChange: () => undefined,
  });

test("an indexer that lost the turn to change the index writes nothing, publishes nothing and goes back to nothing", async () => {
  const before = await index.status();
  const indexer = indexerUnder(lost);
  await expect(indexer.catchUp()).rejects.toThrow("lost");
  await expect(indexer.build(["parts", "tires"], { ...options, held: kept })).rejects.toThrow("lost");
  await expect(indexer.rollback("parts")).rejects.toThrow("lost");
  expect(await index.status()).toEqual(before);
  expect(await index.indexes()).toHaveLength(2);
});

test("a build that lost its own lease is not published", async () => {
  const before = await index.status();
  let confirmed = 0;
  // Lost after all documents were sent, so that only the look before the publishing can see it.
  const held: HeldLease = { ...kept, confirm: () => (++confirmed > 1 ? lost.confirm() : kept.confirm()) };
  await expect(indexerUnder(kept).build(["parts", "tires"], { ...options, held })).rejects.toThrow("lost");
  expect(confirmed).toBe(2);
  expect(await index.status()).toEqual(before);
});

test("a build and a catching up under leases that last go through", async () => {
  const indexer = indexerUnder(kept);
  expect(await indexer.catchUp()).toEqual({ written: 1, isAhead: false });
  await indexer.build(["parts"], { ...options, held: kept });
  expect((await index.status()).parts.documents).toBe(1);
});
