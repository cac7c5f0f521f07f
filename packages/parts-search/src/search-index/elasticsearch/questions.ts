import type { estypes } from "@elastic/elasticsearch";
import { findNearest, type TypedWord } from "../../elasticsearch/nearest-words.ts";
import { countForgivenTypos, LONGEST_CORRECTED, SHORTEST_CORRECTED } from "../edit-distance.ts";
import type { IndexDocument } from "../index-document.ts";
import type { PlannedTerm, WordGroup } from "../query-plan.ts";
import { joinEvery, NOTHING, type Query } from "./combined.ts";
import type { WordAnswer } from "./known-words.ts";
import { PART_FIELD } from "./mapping.ts";
import { groupFilter, buildTermFilter, type Corrections } from "./word-query.ts";

type Answer = estypes.SearchResponseBody;

/** Suggestions of the server that are compared. */
const MAX_NEAR = 50;
/** A frequent word is corrected too: a near one may fit the other words. */
const ANY_FREQUENCY = 1e9;

const MAX_NAMED = 500;

export interface Question<T> {
  /** Answers about words are remembered for later searches; parts with a number are always asked for. */
  isRemembered: T extends WordAnswer ? boolean : false;
  body: estypes.SearchSearchRequestBody;
  read(answer: Answer): T;
}

/** The fields by which a part is led to its successor. */
export type Replaceable = Pick<
  IndexDocument,
  "id" | "partNumber" | "pnNorm" | "status" | "supersededBy" | "manufacturer"
>;

export function askParts(query: Query): Question<readonly Replaceable[]> {
  return {
    isRemembered: false,
    body: {
      query,
      size: MAX_NAMED,
      track_total_hits: false,
      sort: ["id"],
      _source: ["id", "partNumber", "pnNorm", "status", "supersededBy", "manufacturer"],
    },
    read: ({ hits }) => hits.hits.map(({ _source }) => _source as Replaceable),
  };
}

export function isAny(query: Query): Question<boolean> {
  return { ...askExists(query), isRemembered: false };
}

/** Returns whether a part has the term or, if it is still being typed, a word that begins like it. */
export function isThere(term: PlannedTerm): Question<boolean> {
  return askExists(buildTermFilter(term));
}

export function askCount(groups: readonly WordGroup[], corrections: Corrections): Question<number> {
  return createCount(joinEvery(groups.map((group) => groupFilter(group, corrections))));
}

export const ALL_PARTS = createCount({ exists: { field: PART_FIELD } });

export function askNear({ text, typed }: TypedWord): Question<readonly string[]> {
  const body: estypes.SearchSearchRequestBody = {
    size: 0,
    track_total_hits: false,
    query: NOTHING,
    suggest: {
      // The name says what `read` compares with.
      [typed]: {
        text,
        term: {
          field: "search.vocabulary",
          suggest_mode: "always",
          string_distance: "damerau_levenshtein",
          max_edits: 2,
          prefix_length: 0,
          min_word_length: SHORTEST_CORRECTED,
          max_term_freq: ANY_FREQUENCY,
          size: MAX_NEAR,
          shard_size: MAX_NEAR,
        },
      },
    },
  };
  const readWords = (answer: Answer): string[] =>
    findNearest({ text, typed }, (answer.suggest?.[typed]?.[0]?.options ?? []) as estypes.SearchTermSuggestOption[]);
  return { isRemembered: true, body, read: readWords };
}

export function getCount({ hits }: Answer): number {
  return typeof hits.total === "number" ? hits.total : (hits.total?.value ?? 0);
}

function askExists(query: Query): Question<boolean> {
  return {
    isRemembered: true,
    body: { query, size: 0, terminate_after: 1 },
    read: (answer) => getCount(answer) > 0,
  };
}

function createCount(query: Query): Question<number> {
  return {
    isRemembered: true,
    body: { query, size: 0, track_total_hits: true },
    read: getCount,
  };
}

export function isCorrectable({ text, typed }: TypedWord): boolean {
  return countForgivenTypos(text, typed) > 0 && text.length <= LONGEST_CORRECTED;
}
