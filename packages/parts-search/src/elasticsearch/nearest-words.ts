import type { estypes } from "@elastic/elasticsearch";
import { findNearestWords } from "../search-index/edit-distance.ts";
import type { PlannedTerm } from "../search-index/query-plan.ts";

/** A word that may be misspelt. */
export type TypedWord = Pick<PlannedTerm, "text" | "typed">;

/** `findNearestWords` of the server's suggestions. */
export function findNearest(word: TypedWord, options: readonly estypes.SearchTermSuggestOption[]): string[] {
  const frequencies = new Map(options.map(({ text, freq }) => [text, freq]));
  const words = [...frequencies.keys()].filter((option) => /^\p{L}+$/u.test(option));
  return findNearestWords(word, words, (option) => frequencies.get(option)!);
}
