import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, describe, expect, it } from "@jest/globals";
import { openSearchIndex } from "../src/search-index/open.ts";
import type { SearchIndex } from "../src/search-index/port.ts";
import type { IndexDocument } from "../src/search-index/index-document.ts";
import { IndexThread } from "../src/search-index/embedded/index-thread.ts";
import { IndexReader } from "../src/search-index/embedded/index-reader.ts";
import { IndexWriter } from "../src/search-index/embedded/index-writer.ts";
import { searchIndex } from "../src/search-index/embedded/search.ts";
import { readSynonyms } from "../src/search-index/query-plan.ts";
import { Readers } from "../src/search-index/embedded/readers.ts";
import { ids, part, PARTS, query } from "./search-index.documents.ts";
import { killBuilder } from "./search-index.killed-builder.ts";

/** What the embedded index promises beyond the contract: its files, and that threads do not wait for each other. */

const BOTH = ["parts", "tires"] as const;
let index: SearchIndex;
afterEach(() => index.close());

const newDirectory = (): string => mkdtempSync(join(tmpdir(), "partline-builds-"));
const open = async (directory: string): Promise<SearchIndex> =>
  (index = await openSearchIndex({ directory, synonyms: [] }));
const many = (count: number): IndexDocument[] =>
  Array.from({ length: count }, (_, n) => part(n % 10 === 0 ? "KMT" : "BNS", `M${10_000 + n}`, `Muffler ${n % 97}`));
/** Dated indexes that have files, without SQLite's own beside them. */
const files = (directory: string): string[] =>
  [...new Set(readdirSync(directory).flatMap((file) => /^(.+)\.db/.exec(file)?.[1] ?? []))]
    .filter((name) => name !== "lock")
    .sort();

describe("a process that is killed while it builds", () => {
  it("leaves the live index as it was, and nothing else after the next start", async () => {
    const directory = newDirectory();
    await killBuilder({ directory });
    expect(files(directory)).toHaveLength(4);

    await open(directory);
    const { parts, tires } = await index.status();
    expect([parts.documents, tires.documents]).toEqual([11, 2]);
    expect(await index.progress()).toEqual({ BNS: 6 });
    expect(ids(await index.search("parts", query("799868")))).toEqual(["bns-799868", "hon-799868", "bns-7998681"]);
    expect((await index.search("parts", query("build"))).total).toBe(0);
    expect(files(directory)).toEqual([parts.name, tires.name].sort());
    const build = await index.startBuild(BOTH);
    expect(build.names.parts).toBe(`${parts.name}_2`);
  });
});

describe("a search", () => {
  it("is answered while documents go into a build, and while they go into the live index", async () => {
    await open(newDirectory());
    await index.write({ documents: [...PARTS], progress: { BNS: 6 } });
    const build = await index.startBuild(BOTH);
    for (const add of [
      async () => {
        await build.add({ documents: many(12_000), progress: {} });
        // It is answered once the one before is written.
        await build.add({ documents: [], progress: {} });
      },
      () => index.write({ documents: many(12_000), progress: {} }),
    ]) {
      const order: string[] = [];
      const adding = add().then(() => order.push("added"));
      for (let n = 0; n < 3; n += 1) {
        await index.search("parts", query("carburetor"));
        order.push("answered");
      }
      await adding;
      expect(order).toEqual(["answered", "answered", "answered", "added"]);
    }
  }, 60_000);

  it("that is under way when a build goes live is answered by the index before it", async () => {
    await open(newDirectory());
    await index.write({ documents: many(2_000), progress: { BNS: 1 } });
    const build = await index.startBuild(BOTH);
    await build.add({ documents: many(2_001), progress: { BNS: 2 } });
    const totals: number[] = [];
    let isPublished = false;
    const publishing = build.publish({ parts: 2_001, tires: 201 }).then(() => {
      isPublished = true;
    });
    while (!isPublished) {
      const pages = await Promise.all(
        Array.from({ length: 20 }, () => index.search("parts", query("muffler", { limit: 100 }))),
      );
      totals.push(...pages.map(({ total }) => total));
    }
    await publishing;
    totals.push((await index.search("parts", query("muffler"))).total);
    expect(totals).toEqual(totals.toSorted());
    expect(new Set(totals)).toEqual(new Set([2_000, 2_001]));
  }, 60_000);
});

/** More than a busy machine takes to start a thread: a search that waits longer than 5 s is refused otherwise. */
const READ_WITHIN_MS = 120_000;

/** A live index that is searched in threads alone. */
const openThread = () => {
  const readers = new Readers({ synonyms: [], threads: 2, effortHere: 0, readWithinMs: READ_WITHIN_MS });
  const thread = new IndexThread("parts", { path: join(newDirectory(), "parts.db"), isBuild: false }, readers);
  const close = async (): Promise<void> => {
    await thread.close();
    await readers.close();
  };
  return { readers, thread, close };
};

it("a batch is seen as a whole, by searches in any thread", async () => {
  const { readers, thread, close } = openThread();
  await thread.open();
  const totals: number[] = [];
  let isWritten = false;
  const writing = (async () => {
    for (let round = 0; round < 20; round += 1) {
      const documents = many(50).map((document) => ({ ...document, title: `Muffler ${round}` }));
      await thread.write({ put: documents, removed: [] }, {});
    }
    isWritten = true;
  })();
  while (!isWritten) {
    const pages = await Promise.all(Array.from({ length: 8 }, () => readers.search("parts", query("muffler"))));
    totals.push(...pages.map(({ total }) => total));
  }
  await writing;
  // All 50 get new rows each time, and none is there twice or not at all.
  expect(new Set(totals.filter((total) => total > 0))).toEqual(new Set([50]));
  await close();
});

it("a short search is answered without a thread, and as in one, after each write", async () => {
  const [here, threads] = [new Readers({ synonyms: [], effortHere: 30_000 }), openThread()];
  const path = join(newDirectory(), "parts.db");
  const thread = new IndexThread("parts", { path, isBuild: false }, here);
  for (const title of ["Muffler", "Exhaust Muffler"]) {
    const put = many(300).map((document) => ({ ...document, title }));
    for (const each of [thread, threads.thread]) await each.write({ put, removed: [] }, {});
    for (const asked of [query("mufler"), query("M10007"), query("exhaust", { limit: 3 }), query("")])
      for (const how of ["search", "searchShown"] as const) {
        // One in a turn: more are asked of threads.
        await turn();
        expect(await here[how]("parts", asked)).toEqual(await threads.readers[how]("parts", asked));
      }
  }
  expect([here.listRunning().length, threads.readers.listRunning().length > 0]).toEqual([0, true]);
  await thread.write({ put: many(5_000), removed: [] }, {});
  expect((await here.search("parts", query("muffler"))).total).toBe(5_000);
  expect(here.listRunning()).toHaveLength(1);
  await thread.close();
  await here.close();
  await threads.close();
});

it("of searches that come at once, all but the first are asked of threads", async () => {
  const readers = new Readers({ synonyms: [], threads: 1 });
  const thread = new IndexThread("parts", { path: join(newDirectory(), "parts.db"), isBuild: false }, readers);
  await thread.write({ put: many(3), removed: [] }, {});
  const first = await readers.search("parts", query("M10001"));
  expect([first.total, readers.listRunning().length]).toEqual([1, 0]);
  expect(await readers.search("parts", query("M10001"))).toEqual(first);
  expect(readers.listRunning()).toHaveLength(1);
  await thread.close();
  await readers.close();
});

it("a fault of a short search is not hidden by asking a thread for the same", async () => {
  const readers = new Readers({ synonyms: [], threads: 1 });
  await expect(readers.search("nowhere", query("M10001"))).rejects.toThrow(/^nowhere is not open$/);
  expect(readers.listRunning()).toHaveLength(0);
  await readers.close();
});

it("filters and facets follow what is written to an index that was built and searched", async () => {
  await open(newDirectory());
  const belt = (number: string, availability: "in_stock" | "out_of_stock") =>
    part("BNS", number, "Belt", { availability });
  const build = await index.startBuild(BOTH);
  await build.add({
    documents: [belt("1001", "in_stock"), belt("1002", "out_of_stock"), belt("1003", "in_stock")],
    progress: {},
  });
  await build.add({ documents: [belt("1001", "out_of_stock")], progress: {} });
  await build.publish({ parts: 3 });
  const inStock = () => index.search("parts", query("belt", { availabilities: ["in_stock"] }));
  expect(ids(await inStock())).toEqual(["bns-1003"]);
  await index.write({ documents: [belt("1004", "out_of_stock")], progress: {} });
  const page = await inStock();
  expect(ids(page)).toEqual(["bns-1003"]);
  expect(page.facets.availability.map(({ value, count }) => [value, count])).toEqual([
    ["in_stock", 1],
    ["out_of_stock", 3],
  ]);
});

it("a reader that has not seen a change yet answers what was there before", () => {
  const path = join(newDirectory(), "parts.db");
  const writer = new IndexWriter(path);
  const documents = many(3).map((document) => ({ ...document, availability: "in_stock" as const }));
  writer.write({ put: documents, removed: [] }, {});
  const reader = new IndexReader(path, writer.view());
  const found = (q: string) => searchIndex(reader, query(q), readSynonyms([]));
  // Of a combination of maker, category and availability that is new.
  writer.write({ put: documents.map((each) => ({ ...each, availability: "low_stock" as const })), removed: [] }, {});
  expect(found("muffler").total).toBe(3);
  expect(found("muffler").facets.availability.map(({ value }) => value)).toEqual(["in_stock"]);
  expect(found(`Briggs ${documents[1]!.partNumber}`).total).toBe(1);
  reader.see(writer.view());
  expect(found("muffler").facets.availability.map(({ value, count }) => [value, count])).toEqual([["low_stock", 3]]);
  reader.close();
  writer.close();
});

it("a search thread that dies is replaced, and no search is lost, nor one of an index that is closed", async () => {
  const { readers, thread, close } = openThread();
  await thread.write({ put: many(2_000), removed: [] }, {});
  const asked = Array.from({ length: 60 }, () => readers.search("parts", query("muffler")));
  await Promise.all(readers.listRunning().flatMap(({ worker }) => (worker ? [worker.terminate()] : [])));
  const later = Array.from({ length: 60 }, () => readers.search("parts", query("muffler")));
  await Promise.all(later);
  const last = Array.from({ length: 60 }, () => readers.search("parts", query("muffler")));
  await close();
  const totals = (await Promise.all([...asked, ...later, ...last])).map(({ total }) => total);
  expect(new Set(totals)).toEqual(new Set([2_000]));
});

it("what a query without words finds is not remembered beyond a write", async () => {
  await open(newDirectory());
  const prices = async (): Promise<(number | null)[]> =>
    (await index.search("parts", query("", { categories: ["parts"] }))).hits.map(({ document }) => document.price);
  expect(await prices()).toEqual([]);
  for (const price of [100, 200, null]) {
    await index.write({ documents: [part("BNS", "1234", "Muffler", { price })], progress: {} });
    expect([await prices(), await prices()]).toEqual([[price], [price]]);
  }
});

describe("a batch", () => {
  it("that goes on from an index that is not live any more leaves the progress of the new one", async () => {
    await open(newDirectory());
    await index.write({ documents: [...PARTS], progress: { BNS: 6 } });
    const build = await index.startBuild(BOTH);
    await build.add({ documents: [...PARTS], progress: { BNS: 6 } });
    expect(await index.progress()).toEqual({ BNS: 6 });
    await index.write({ documents: [part("BNS", "5551", "Earlier")], progress: { BNS: 7 } });
    await build.publish({ parts: 11, tires: 2 });
    // The writer has not seen that the index is another one, and that revision 7 is not in it.
    await index.write({ documents: [part("BNS", "5552", "Later")], progress: { BNS: 8 } });
    expect(await index.progress()).toEqual({ BNS: 6 });
    expect((await index.search("parts", query("later"))).total).toBe(1);
  });

  it("that cannot be written whole is not written at all", async () => {
    await open(newDirectory());
    const broken = { ...part("BNS", "5559", "Broken"), id: null } as unknown as IndexDocument;
    await expect(index.write({ documents: [...many(250), broken], progress: { BNS: 1 } })).rejects.toMatchObject({
      code: "UNAVAILABLE",
    });
    expect([await index.progress(), (await index.status()).parts.documents]).toEqual([{}, 0]);
    await index.write({ documents: many(3), progress: { BNS: 1 } });
    expect((await index.search("parts", query("muffler"))).total).toBe(3);
  });
});

it("the files of two indexes each stay, the live one and the one before it", async () => {
  const directory = newDirectory();
  await open(directory);
  for (let round = 1; round <= 3; round += 1) {
    const build = await index.startBuild(round === 3 ? ["parts"] : BOTH);
    await build.add({ documents: many(100 + round), progress: { BNS: round } });
    await build.publish({ parts: 100 + round });
  }
  const kept = await index.indexes();
  expect(kept.filter((each) => each.index === "parts").map(({ documents, live }) => [documents, live])).toEqual([
    [103, true],
    [102, false],
  ]);
  expect(kept.filter((each) => each.index === "tires")).toHaveLength(2);
  expect(files(directory)).toEqual(kept.map(({ name }) => name).sort());
  await index.close();
  await open(directory);
  expect(await index.indexes()).toEqual(kept);
});

it("a thread that ends answers all that it was asked, and the next request starts another", async () => {
  await open(newDirectory());
  const path = join(newDirectory(), "parts_v2026_01_01.db");
  writeFileSync(path, "this is no database".repeat(1_000));
  const readers = new Readers({ synonyms: [] });
  const thread = new IndexThread("parts_v2026_01_01", { path, isBuild: false }, readers);
  const asked = [thread.count(), thread.progress(), thread.write({ put: many(500), removed: [] }, {})];
  for (const answer of await Promise.allSettled(asked))
    expect(answer).toMatchObject({ status: "rejected", reason: { code: "UNAVAILABLE" } });
  rmSync(path);
  await thread.write({ put: many(500), removed: [] }, { BNS: 1 });
  expect([await thread.count(), await thread.progress()]).toEqual([500, { BNS: 1 }]);
  await thread.close();
  await expect(thread.count()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await readers.close();
});
