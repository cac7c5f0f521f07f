import type { estypes } from "@elastic/elasticsearch";
import type { Alternative, PlannedTerm, WordGroup } from "../query-plan.ts";
import { FACTOR, FIELD_WEIGHT, type WordField } from "../word-weights.ts";

type Query = estypes.QueryDslQueryContainer;

/** What the index says of the words of a query. */
export interface Vocabulary {
  /** A term that is in the index; of the word that is still being typed, one that begins like it. */
  isKnown(term: PlannedTerm): boolean;
  /** The nearest words of the index. */
  corrections(term: PlannedTerm): readonly string[];
}

/** How far words may be from what was typed: not at all, misspelt where nothing in the index is so written, or each of them. */
export type Tolerance = "none" | "unknown" | "all";

/** What each half counts of a word that is written as two. */
const HALF_WEIGHT = 5;
/** Longer words are not looked for as two. */
const MAX_SPLIT = 30;
const MIN_HALF = 3;

const SHORTER_TITLES_FIRST: estypes.QueryDslFunctionScoreContainer[] = [{ field_value_factor: { field: "search.titleFactor" } }];

/** Parts that meet the group; their score is the weight of the best way in which they do. */
export function groupQuery({ alternatives }: WordGroup, tolerance: Tolerance, vocabulary: Vocabulary): Query {
  return { dis_max: { queries: alternatives.map((alternative) => alternativeQuery(alternative, tolerance, vocabulary)) } };
}

/** Where a term is, whatever it weighs there. */
export function termQuery({ text, isBeginning }: PlannedTerm): Query {
  return isBeginning ? { prefix: { "search.words": { value: text } } } : { term: { "search.words": text } };
}

function alternativeQuery({ terms, kind }: Alternative, tolerance: Tolerance, vocabulary: Vocabulary): Query {
  // Of several terms that must all be there the mean weight counts.
  const factor = (kind === "typed" ? 1 : FACTOR[kind]) / terms.length;
  return { bool: { must: terms.map((term) => toleratedTerm(term, tolerance, factor, vocabulary)) } };
}

function toleratedTerm(term: PlannedTerm, tolerance: Tolerance, factor: number, vocabulary: Vocabulary): Query {
  const { text, typos, isBeginning } = term;
  const queries = [weighed({ term: text }, factor)];
  if (isBeginning) queries.push(weighed({ prefix: text }, factor * FACTOR.beginning));
  if (typos > 0 && (tolerance === "all" || (tolerance === "unknown" && !vocabulary.isKnown(term)))) {
    queries.push(...vocabulary.corrections(term).map((word) => weighed({ term: word }, factor * FACTOR.misspelt)));
    queries.push(...halvesOf(text).map(([first, second]) => ({
      bool: { must: [first, second].map((half) => constant({ term: { "search.words": half } }, factor * FACTOR.compact * HALF_WEIGHT / 2)) },
    })));
  }
  return { dis_max: { queries } };
}

/** A match in several fields counts the sum of their weights; one in the title the more, the shorter that is. */
function weighed(match: { term: string } | { prefix: string }, factor: number): Query {
  const should = (Object.keys(FIELD_WEIGHT) as WordField[]).map((field): Query => {
    const path = `search.${field}`;
    const found: Query = "term" in match ? { term: { [path]: match.term } } : { prefix: { [path]: { value: match.prefix } } };
    const query = constant(found, factor * FIELD_WEIGHT[field]);
    return field === "title" ? { function_score: { query, functions: SHORTER_TITLES_FIRST, boost_mode: "multiply" } } : query;
  });
  return { bool: { should, minimum_should_match: 1 } };
}

function constant(filter: Query, boost: number): Query {
  return { constant_score: { filter, boost } };
}

/** `sparkplug` is `spark plug`. */
function halvesOf(text: string): [string, string][] {
  if (text.length > MAX_SPLIT) return [];
  return Array.from({ length: Math.max(0, text.length - 2 * MIN_HALF + 1) }, (_, at) => [text.slice(0, at + MIN_HALF), text.slice(at + MIN_HALF)]);
}
