import type { estypes } from "@elastic/elasticsearch";
import { isShort } from "../edit-distance.ts";
import type { PlannedTerm, WordGroup } from "../query-plan.ts";
import type { WordField } from "../word-fields.ts";
import { FACTOR, FIELD_WEIGHT } from "../word-weights.ts";
import { anyOf } from "./combined.ts";

type Query = estypes.QueryDslQueryContainer;

/** Words that are taken for misspelt, by what was typed, with those of the index that are nearest. */
export type Corrections = ReadonlyMap<string, readonly string[]>;

/** What each half counts of a word that is written as two. */
const HALF_WEIGHT = 5;
/** Longer words are not looked for as two. */
const MAX_SPLIT = 30;
const MIN_HALF = 3;

const SHORTER_HEADS_FIRST: estypes.QueryDslFunctionScoreContainer[] = [
  { field_value_factor: { field: "search.headFactor" } },
];

type Match = { term: string } | { prefix: string };

/**
 * What a match of a word, and of a half of one, counts: the weight of the fields that it
 * is in, or, where only the parts matter, nothing.
 */
interface Weighing {
  word(match: Match, factor: number): Query;
  half(half: string, factor: number): Query;
}

const WEIGHED: Weighing = {
  word: weighed,
  half: (half, factor) => constant(matchIn("words", { term: half }), (factor * FACTOR.compact * HALF_WEIGHT) / 2),
};
const UNWEIGHED: Weighing = {
  word: (match) => matchIn("words", match),
  half: (half) => matchIn("words", { term: half }),
};

/** Parts that meet the group; their score is the weight of the best way in which they do. */
export function groupQuery(group: WordGroup, corrections: Corrections): Query {
  return metBy(group, corrections, WEIGHED);
}

/** The same parts, found faster. */
export function groupFilter(group: WordGroup, corrections: Corrections): Query {
  return metBy(group, corrections, UNWEIGHED);
}

/**
 * Parts by which the term is known: they have it or, of a short one and of the one that is still being typed, anything
 * that begins so.
 */
export function termFilter({ text, typed, isBeginning }: PlannedTerm): Query {
  if (isBeginning || (isShort(typed) && typed === text)) return matchIn("words", { prefix: text });
  const itself = matchIn("words", { term: text });
  return isShort(typed) ? anyOf([itself, matchIn("words", { prefix: typed })]) : itself;
}

/** The terms of all groups that may be misspelt. */
export function misspellable(words: readonly WordGroup[]): PlannedTerm[] {
  return words
    .flatMap(({ alternatives }) => alternatives.flatMap(({ terms }) => terms))
    .filter(({ typos }) => typos > 0);
}

function metBy({ alternatives }: WordGroup, corrections: Corrections, weighing: Weighing): Query {
  return bestOf(
    alternatives.map(({ terms, kind }) => {
      // Of several terms that must all be there the mean weight counts.
      const factor = (kind === "typed" ? 1 : FACTOR[kind]) / terms.length;
      return allOf(terms.map((term) => termQuery(term, factor, corrections, weighing)));
    }),
  );
}

function termQuery(
  { text, isBeginning }: PlannedTerm,
  factor: number,
  corrections: Corrections,
  weighing: Weighing,
): Query {
  const queries = [weighing.word({ term: text }, factor)];
  if (isBeginning) queries.push(weighing.word({ prefix: text }, factor * FACTOR.beginning));
  const nearest = corrections.get(text);
  if (nearest) {
    queries.push(...nearest.map((word) => weighing.word({ term: word }, factor * FACTOR.misspelt)));
    queries.push(...halvesOf(text).map((halves) => allOf(halves.map((half) => weighing.half(half, factor)))));
  }
  return bestOf(queries);
}

function allOf(queries: Query[]): Query {
  return queries.length === 1 ? queries[0]! : { bool: { must: queries } };
}

function bestOf(queries: Query[]): Query {
  return queries.length === 1 ? queries[0]! : { dis_max: { queries } };
}

/**
 * A match in several fields counts the sum of their weights; one in the head of the title the more, the shorter that
 * is.
 */
function weighed(match: Match, factor: number): Query {
  return anyOf(
    (Object.keys(FIELD_WEIGHT) as WordField[]).map((field): Query => {
      const query = constant(matchIn(field, match), factor * FIELD_WEIGHT[field]);
      return field === "head"
        ? { function_score: { query, functions: SHORTER_HEADS_FIRST, boost_mode: "multiply" } }
        : query;
    }),
  );
}

function matchIn(field: WordField | "words", match: Match): Query {
  const path = `search.${field}`;
  return "term" in match ? { term: { [path]: match.term } } : { prefix: { [path]: match.prefix } };
}

function constant(filter: Query, boost: number): Query {
  return { constant_score: { filter, boost } };
}

/** `sparkplug` is `spark plug`. */
function halvesOf(text: string): [string, string][] {
  if (text.length > MAX_SPLIT) return [];
  return Array.from({ length: Math.max(0, text.length - 2 * MIN_HALF + 1) }, (_, at) => [
    text.slice(0, at + MIN_HALF),
    text.slice(at + MIN_HALF),
  ]);
}
