import type { estypes } from "@elastic/elasticsearch";
import { forgivenEdits, forgivenTypos } from "../edit-distance.ts";
import { MAX_CORRECTIONS } from "../limits.ts";
import type { PlannedTerm, WordGroup } from "../query-plan.ts";
import { everyOf, NOTHING } from "./combined.ts";
import { PART_FIELD } from "./mapping.ts";
import { groupFilter, termFilter, type Corrections } from "./word-query.ts";

type Query = estypes.QueryDslQueryContainer;
type Answer = estypes.SearchResponseBody;

/** Longer and shorter words are not corrected. */
const MAX_CORRECTED = 30;
const MIN_CORRECTED = 3;
/** Words that are looked at to find the nearest. */
const MAX_NEAR = 50;
/** A frequent word is corrected too: it may be near to one that goes better with the others. */
const ANY_FREQUENCY = 1e9;

/** What an index is asked about words, and how its answer is read. */
export interface WordQuestion<T> {
  /** The same for the same question, read alike. Most are known: what would be sent is made of none of them. */
  text: string;
  body(): estypes.SearchSearchRequestBody;
  read(answer: Answer): T;
}

/** Whether a part has the term, or, of the word that is still being typed, anything that begins so. */
export function isThere(term: PlannedTerm): WordQuestion<boolean> {
  return {
    text: `is ${matched(term)} ${term.typed}`,
    body: () => ({ query: termFilter(term), size: 0, terminate_after: 1 }),
    read: (answer) => countOf(answer) > 0,
  };
}

/** How many parts meet all of the groups. */
export function howMany(groups: readonly WordGroup[], corrections: Corrections): WordQuestion<number> {
  // A word that nothing is near to is looked for as two; one that is right is not.
  const speltWith = (term: PlannedTerm): string => [matched(term), ...(corrections.get(term.text) ?? ["="])].join(" ");
  const text = groups
    .map(({ alternatives }) => alternatives.map(({ terms }) => terms.map(speltWith).join("+")).join("|"))
    .join("&");
  return counting(`with ${text}`, () => everyOf(groups.map((group) => groupFilter(group, corrections))));
}

export const ALL_PARTS = counting("all", () => ({ exists: { field: PART_FIELD } }));

/** A word that may be misspelt. */
export type TypedWord = Pick<PlannedTerm, "text" | "typed">;

/** The nearest words of the index, nearest and then most frequent first. */
export function nearTo({ text, typed }: TypedWord): WordQuestion<readonly string[]> {
  const body = (): estypes.SearchSearchRequestBody => ({
    size: 0,
    track_total_hits: false,
    query: NOTHING,
    suggest: {
      words: {
        text,
        term: {
          field: "search.vocabulary",
          suggest_mode: "always",
          string_distance: "damerau_levenshtein",
          max_edits: 2,
          prefix_length: 0,
          min_word_length: MIN_CORRECTED,
          max_term_freq: ANY_FREQUENCY,
          size: MAX_NEAR,
          shard_size: MAX_NEAR,
        },
      },
    },
  });
  const read = (answer: Answer): string[] =>
    nearest({ text, typed }, (answer.suggest?.words?.[0]?.options ?? []) as estypes.SearchTermSuggestOption[]);
  return { text: `near ${text} ${typed}`, body, read };
}

export function isCorrectable({ text, typed }: TypedWord): boolean {
  return forgivenTypos(text, typed) > 0 && text.length <= MAX_CORRECTED;
}

export function countOf({ hits }: Answer): number {
  return typeof hits.total === "number" ? hits.total : (hits.total?.value ?? 0);
}

function counting(text: string, query: () => Query): WordQuestion<number> {
  return { text, body: () => ({ query: query(), size: 0, track_total_hits: true }), read: countOf };
}

/** Terms hold letters and digits only. */
function matched({ text, isBeginning }: PlannedTerm): string {
  return isBeginning ? `${text}*` : text;
}

function nearest({ text, typed }: TypedWord, options: readonly estypes.SearchTermSuggestOption[]): string[] {
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
