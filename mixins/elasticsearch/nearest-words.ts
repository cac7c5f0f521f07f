import type { estypes } from "@elastic/elasticsearch";
import { forgivenEdits, MAX_CORRECTIONS } from "../search-index/edit-distance.ts";
import type { PlannedTerm } from "../search-index/query-plan.ts";

/** A word that may be misspelt. */
export type TypedWord = Pick<PlannedTerm, "text" | "typed">;

/** Returns the words among the server's suggestions that are nearest, the most frequent first. */
export function nearest({ text, typed }: TypedWord, options: readonly estypes.SearchTermSuggestOption[]): string[] {
  const close = options.flatMap(({ text: word, freq }) => {
    const edits = forgivenEdits(text, word, typed);
    return edits === undefined || edits === 0 || !/^\p{L}+$/u.test(word) ? [] : [{ word, freq, edits }];
  });
  const least = Math.min(...close.map(({ edits }) => edits));
  return close
    .filter(({ edits }) => edits === least)
    .sort((a, b) => b.freq - a.freq || (a.word < b.word ? -1 : 1))
    .slice(0, MAX_CORRECTIONS)
    .map(({ word }) => word);
}
