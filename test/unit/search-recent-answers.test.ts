import { expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import type { SearchIndex } from "../../packages/parts-search/src/search-index/port.ts";
import { Models } from "../../packages/parts-search/src/fitment-index/models.ts";
import { RecentAnswers } from "../../services/search/recent-answers.ts";
import { createSearches } from "../../services/search/searches.ts";

const sizeOf = (answer: unknown): number => String(answer).length;

test("an answer is made once for all who ask at the same time and after", async () => {
  const recent = new RecentAnswers();
  let made = 0;
  const ask = () => recent.get({ suggest: "c" }, async () => (made += 1), sizeOf);
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  expect(await ask()).toBe(1);
});

test("what is made when the index changes is not given to those who ask after the change", async () => {
  const recent = new RecentAnswers();
  const before = Promise.withResolvers<string>();
  const first = recent.get("q", () => before.promise, sizeOf);
  recent.clear();
  expect(await recent.get("q", async () => "new", sizeOf)).toBe("new");
  before.resolve("old");
  expect(await first).toBe("old");
  expect(await recent.get("q", async () => "newer", sizeOf)).toBe("new");
});

test("where others change the index, an answer is made again after its time", async () => {
  let made = 0;
  const ask = (recent: RecentAnswers) => recent.get("q", async () => (made += 1), sizeOf);
  const alone = new RecentAnswers();
  await ask(alone);
  const shared = new RecentAnswers(1);
  const first = await ask(shared);
  await eventually(async () => (await ask(shared)) > first);
  expect(await ask(alone)).toBe(1);
});

test("a failure is not kept, and leaves what was made since", async () => {
  const recent = new RecentAnswers();
  const failing = Promise.withResolvers<string>();
  const first = recent.get("q", () => failing.promise, sizeOf);
  recent.clear();
  await recent.get("q", async () => "new", sizeOf);
  failing.reject(new Error("away"));
  await expect(first).rejects.toThrow("away");
  expect(await recent.get("q", async () => "newer", sizeOf)).toBe("new");
  await expect(recent.get("r", async () => Promise.reject(new Error("away")), sizeOf)).rejects.toThrow("away");
  expect(await recent.get("r", async () => "there", sizeOf)).toBe("there");
});

test("long answers push out older ones, and one that is too long is not kept", async () => {
  const recent = new RecentAnswers();
  const made: unknown[] = [];
  const ask = (question: string | number, length: number) =>
    recent.get(question, async () => (made.push(question), "x".repeat(length)), sizeOf);
  for (let question = 0; question < 90; question += 1) await ask(question, 390_000);
  await ask(89, 390_000);
  await ask(0, 390_000);
  for (const length of [500_000, 500_000]) await ask("long", length);
  await ask("k".repeat(500_000), 1);
  await ask("k".repeat(500_000), 1);
  expect(made.slice(90).map((question) => String(question).slice(0, 4))).toEqual(["0", "long", "long", "kkkk", "kkkk"]);
});

test("pages longer than the shop's, and trials of synonyms, are not kept", async () => {
  let searched = 0;
  const index = {
    backend: "embedded",
    searchShown: async () => ((searched += 1), { hits: "[]", total: 0, facets: "{}" }),
  } as unknown as SearchIndex;
  const { findHits: hits, compare } = createSearches({
    index: () => index,
    getRecorder: () => ({ record: () => undefined }),
    recent: new RecentAnswers(),
    toCode: (name) => name,
    standInsOf: async () => [],
    loadManualModels: async () => new Models([]),
    hasOwnWords: async () => false,
  });
  const asked = async (search: () => Promise<unknown>): Promise<number> => {
    searched = 0;
    await search();
    await search();
    return searched;
  };
  expect(await asked(() => hits({ q: "belt", limit: 24 }))).toBe(1);
  expect(await asked(() => hits({ q: "belt", limit: 25 }))).toBe(2);
  // Without the synonyms once, with them twice.
  expect(await asked(() => compare("belt", ["belt, strap"]))).toBe(3);
});
