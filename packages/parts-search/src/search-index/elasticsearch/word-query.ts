import type { estypes } from "@elastic/elasticsearch";
import { listHalves, isShort } from "../edit-distance.ts";
import type { PlannedTerm, WordGroup } from "../query-plan.ts";
import { FACTOR, FIELD_WEIGHT, WORD_FIELDS, type WordField } from "../word-fields.ts";
import { joinAny, type Query } from "./combined.ts";

/** The nearest words of the index, by misspelt term. */
export type Corrections = ReadonlyMap<string, readonly string[]>;

/** Weight of each half of a word that is spelt as two. */
const HALF_WEIGHT = 5;

const SHORTER_HEADS_FIRST: estypes.QueryDslFunctionScoreContainer[] = [
  { field_value_factor: { field: "search.headFactor" } },
];

type Match = { term: string } | { prefix: string };

/** The weight of a match of a word or of half of one: that of its fields, or none if only the parts matter. */
interface Weighing {
  word(match: Match, factor: number): Query;
  half(half: string, factor: number): Query;
}

const WEIGHED: Weighing = {
  word: weighMatch,
  half: (half, factor) => scoreConstant(matchIn("words", { term: half }), (factor * FACTOR.compact * HALF_WEIGHT) / 2),
};
const UNWEIGHED: Weighing = {
  word: (match) => matchIn("words", match),
  half: (half) => matchIn("words", { term: half }),
};

/** Parts that meet the group, scored by the best way in which they do. */
export function groupQuery(group: WordGroup, corrections: Corrections): Query {
  return matchGroup(group, corrections, WEIGHED);
}

/** The same parts without scores, found faster. */
export function groupFilter(group: WordGroup, corrections: Corrections): Query {
  return matchGroup(group, corrections, UNWEIGHED);
}

/** Parts that make the term known: they have it or, if it is short or still being typed, a word that begins like it. */
export function buildTermFilter({ text, typed, isBeginning }: PlannedTerm): Query {
  if (isBeginning || (isShort(typed) && typed === text)) return matchIn("words", { prefix: text });
  const itself = matchIn("words", { term: text });
  return isShort(typed) ? joinAny([itself, matchIn("words", { prefix: typed })]) : itself;
}

export function listMisspellable(words: readonly WordGroup[]): PlannedTerm[] {
  return words
    .flatMap(({ alternatives }) => alternatives.flatMap(({ terms }) => terms))
    .filter(({ typos }) => typos > 0);
}

function matchGroup({ alternatives }: WordGroup, corrections: Corrections, weighing: Weighing): Query {
  return joinBest(
    alternatives.map(({ terms, kind }) => {
      // If several terms must be there, their mean weight counts.
      const factor = (kind === "typed" ? 1 : FACTOR[kind]) / terms.length;
      return joinAll(terms.map((term) => buildTermQuery(term, factor, corrections, weighing)));
    }),
  );
}

function buildTermQuery(
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
    queries.push(...listHalves(text).map((halves) => joinAll(halves.map((half) => weighing.half(half, factor)))));
  }
  return joinBest(queries);
}

function joinAll(queries: Query[]): Query {
  return queries.length === 1 ? queries[0]! : { bool: { must: queries } };
}

function joinBest(queries: Query[]): Query {
  return queries.length === 1 ? queries[0]! : { dis_max: { queries } };
}

/** A match in several fields counts their sum; one in the head of the title counts more the shorter the head is. */
function weighMatch(match: Match, factor: number): Query {
  return joinAny(
    WORD_FIELDS.map((field): Query => {
      const query = scoreConstant(matchIn(field, match), factor * FIELD_WEIGHT[field]);
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

function scoreConstant(filter: Query, boost: number): Query {
  return { constant_score: { filter, boost } };
}
