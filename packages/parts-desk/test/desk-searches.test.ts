import { expect, test } from "@jest/globals";
import { readAnswerEvent } from "../src/desk.ts";
import type { SearchRecord } from "../src/desk.ts";
import type { DeskSources } from "../src/port.ts";
import { deskOf } from "./desk.asking.ts";
import { shopSources } from "./desk.support.ts";

async function searchesOf(query: string, sources?: DeskSources): Promise<SearchRecord[]> {
  const searches: (SearchRecord & { tookMs: number })[] = [];
  await readAnswerEvent(
    deskOf().answer({ query, sources, includeStoreLink: false, onSearch: (search) => void searches.push(search) }),
  );
  return searches.map(({ tookMs, ...search }) => {
    expect(tookMs).toBeGreaterThanOrEqual(0);
    return search;
  });
}

test.each([
  ["What carburetor fits my GT-2254?", "carburetor GT-2254", 1],
  ["Joe Doe here, joe@example.com: how much is KAW 15964-8141?", "15964-8141", 1],
  ["how many blade bolts on the GT-2254, and what does 15964-8141 cost?", "blade bolt GT-2254 15964-8141", 2],
])("%s is one search, for those of its pieces that found parts", async (question, query, resultsCount) => {
  expect(await searchesOf(question)).toEqual([{ query, resultsCount }]);
});

test.each([
  ["a flux capacitor for 1985?", "a flux capacitor for 1985?"],
  [
    "Joe Doe, 14 Elm Street 60614 Chicago, joe.doe@example.com, +1 312 555 0177, card 4111 1111 1111 1111 cvv 123, needs a flux capacitor",
    "[e-mail] [phone] [card]",
  ],
])("%s is one that found nothing, whole or as marks alone", async (question, query) => {
  expect(await searchesOf(question)).toEqual([{ query, resultsCount: 0 }]);
});

test("what was not looked up, or could not be, is none", async () => {
  expect(await searchesOf("yes")).toEqual([]);
  expect(await searchesOf("hello?")).toEqual([]);
  expect(
    await searchesOf("a flux capacitor?", { ...shopSources(), catalog: () => Promise.reject(new Error("away")) }),
  ).toEqual([]);
});
