import { highlighterOf } from "../highlight.ts";
import type { SearchPage, SearchQuery } from "../port.ts";
import { planQuery, TIER, type QueryPlan, type Tier } from "../query-plan.ts";
import type { Columns } from "./columns.ts";
import { countFacets } from "./facets.ts";
import type { IndexFile } from "./index-file.ts";
import { matchNumbers } from "./numbers.ts";
import type { RowValues } from "./row-values.ts";
import { firstInOrder } from "./top.ts";
import { matchWords, suggestQuery } from "./match-words.ts";

/** Before filters. */
interface Matches {
  rows: readonly number[];
  /** Of rows that were named by number. */
  tiers: ReadonlyMap<number, Tier>;
  /** Of the words; undefined if there are none. */
  scores?: RowValues;
}

const NOTHING: QueryPlan = { numbers: { ofVendor: [], amidWords: [], prefixes: [] }, words: [] };

export function searchIndexFile(index: IndexFile, query: SearchQuery): SearchPage {
  if (query.q.trim() === "") return pageOf(index, query, NOTHING, narrowed(index, everything(index), query));
  const plan = planQuery(query.q, index.synonyms, query.named);
  const matches = match(index, plan);
  const page = pageOf(index, query, plan, narrowed(index, matches, query));
  const suggestion = matches.rows.length === 0 ? suggestQuery(index, query.q) : undefined;
  return suggestion === undefined ? page : { ...page, suggestion };
}

function pageOf(index: IndexFile, query: SearchQuery, plan: QueryPlan, matches: Matches): SearchPage {
  const { passed, facets } = countFacets(
    index.columns,
    matches.rows,
    query,
    (row) => (matches.tiers.get(row) ?? TIER.words) <= TIER.replaced,
  );
  const ordered = firstInOrder(passed, query.offset + query.limit, comparator(index, matches, query)).slice(
    query.offset,
  );
  const highlightsOf = highlighterOf(plan);
  const hits = ordered.map((row) => {
    const document = index.document(row);
    return { document, highlights: highlightsOf(document) };
  });
  return { hits, total: passed.length, facets };
}

function narrowed(index: IndexFile, matches: Matches, { fits }: SearchQuery): Matches {
  if (!fits) return matches;
  const fitting = new Set(
    fits.parts.flatMap(({ pnNorm, vendor }) => {
      const rows = index.rowsOfNumber(pnNorm);
      return vendor === undefined ? rows : rows.filter((row) => index.columns.isOfVendor(row, vendor));
    }),
  );
  return { ...matches, rows: matches.rows.filter((row) => fitting.has(row)) };
}

function everything({ columns }: IndexFile): Matches {
  const rows: number[] = [];
  for (let row = 1; row < columns.length; row += 1) if (columns.has(row)) rows.push(row);
  return { rows, tiers: new Map() };
}

function match(index: IndexFile, plan: QueryPlan): Matches {
  const tiers = matchNumbers(index, plan.numbers);
  const { rows, scores } = matchAllWords(index, plan, tiers.size > 0);
  const known = rows.filter((row) => index.columns.has(row));
  return {
    rows: tiers.size === 0 ? known : [...tiers.keys(), ...known.filter((row) => !tiers.has(row))],
    tiers,
    scores,
  };
}

/** Words that are nowhere are corrected at once; the others only if nothing has all of them. */
function matchAllWords(index: IndexFile, { words }: QueryPlan, hasNumbers: boolean): ReturnType<typeof matchWords> {
  const strict = matchWords(index, words, "unknown");
  const isFound = hasNumbers || strict.rows.some((row) => index.columns.has(row));
  return isFound ? strict : matchWords(index, words, "all");
}

function comparator({ columns }: IndexFile, matches: Matches, { sort }: SearchQuery): (a: number, b: number) => number {
  const relevance = byRelevance(columns, matches);
  const byPrice =
    (sign: 1 | -1) =>
    (a: number, b: number): number =>
      Number(columns.hasPrice(b)) - Number(columns.hasPrice(a)) ||
      sign * (columns.price[a]! - columns.price[b]!) ||
      relevance(a, b);
  switch (sort) {
    case "relevance":
      return relevance;
    case "price_asc":
      return byPrice(1);
    case "price_desc":
      return byPrice(-1);
    case "newest":
      return (a, b) => columns.createdAt[b]! - columns.createdAt[a]! || relevance(a, b);
  }
}

/** Runs for every match, so it compares only what can differ. */
function byRelevance({ ids, quality }: Columns, { tiers, scores }: Matches): (a: number, b: number) => number {
  const byQuality = (a: number, b: number): number => quality[b]! - quality[a]! || (ids[a]! < ids[b]! ? -1 : 1);
  if (!scores) return byQuality;
  const byWords = (a: number, b: number): number => scores.at(b) - scores.at(a) || byQuality(a, b);
  if (tiers.size === 0) return byWords;
  return (a, b) => {
    const tier = tiers.get(a) ?? TIER.words;
    const byTier = tier - (tiers.get(b) ?? TIER.words);
    // Of parts that are named by number, the words do not count.
    return byTier || (tier === TIER.words ? byWords(a, b) : byQuality(a, b));
  };
}
