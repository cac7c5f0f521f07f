import { highlighterOf, type Highlighted } from "../highlight.ts";
import type { SearchPage, SearchQuery } from "../port.ts";
import { planQuery, TIER, type QueryPlan, type Synonyms, type Tier } from "../query-plan.ts";
import type { Columns } from "./columns.ts";
import { countFacets } from "./facets.ts";
import type { IndexReader } from "./index-reader.ts";
import { matchNumbers } from "./numbers.ts";
import { firstInOrder } from "./top.ts";
import { matchWords, suggestQuery, type WordMatches } from "./match-words.ts";

type Found = Omit<SearchPage, "hits"> & {
  /** As JSON, which the index file has of each document. */
  hits: string[];
};

/** Before filters. */
interface Matches {
  rows: Uint32Array;
  /** Of rows that were named by number. */
  tiers: ReadonlyMap<number, Tier>;
  /** Of the words; undefined if there are none. */
  scoreOf?: WordMatches["scoreOf"];
}

const NOTHING: QueryPlan = { numbers: { ofVendor: [], amidWords: [], prefixes: [] }, words: [] };
/** Above any score of words. */
const TIER_WEIGHT = 1e6;

/** Returns a `SearchPage` as JSON. */
export function searchIndex(index: IndexReader, query: SearchQuery, synonyms: Synonyms): string {
  const { hits, ...rest } = find(index, query, synonyms);
  return `{"hits":[${hits.join()}],${JSON.stringify(rest).slice(1)}`;
}

function find(index: IndexReader, query: SearchQuery, synonyms: Synonyms): Found {
  if (query.q.trim() === "")
    return pageOf(index, query, NOTHING, narrowed(index, { rows: index.columns.rows(), tiers: new Map() }, query));
  const plan = planQuery(query.q, synonyms, query.named);
  const matches = match(index, plan);
  const page = pageOf(index, query, plan, narrowed(index, matches, query));
  const suggestion = matches.rows.length === 0 ? suggestQuery(index, query.q, synonyms) : undefined;
  return suggestion === undefined ? page : { ...page, suggestion };
}

function pageOf(index: IndexReader, query: SearchQuery, plan: QueryPlan, matches: Matches): Found {
  const { passed, facets } = countFacets(
    index.columns,
    matches.rows,
    query,
    (row) => (matches.tiers.get(row) ?? TIER.words) <= TIER.replaced,
  );
  const { keyOf, compare } = orderOf(index, matches, query);
  const ordered = firstInOrder(passed, query.offset + query.limit, keyOf, compare).slice(query.offset);
  // If no part was named by number, no hit has one to mark.
  const highlightsOf = highlighterOf(matches.tiers.size === 0 ? { ...plan, numbers: NOTHING.numbers } : plan);
  const hits = index
    .storedDocuments(ordered)
    .map(
      (json) => `{"document":${json},"highlights":${JSON.stringify(highlightsOf(JSON.parse(json) as Highlighted))}}`,
    );
  return { hits, total: passed.length, facets };
}

function narrowed(index: IndexReader, matches: Matches, { fits }: SearchQuery): Matches {
  if (!fits) return matches;
  const fitting = new Set(
    fits.parts.flatMap(({ pnNorm, vendor }) => {
      const rows = index.rowsOfNumber(pnNorm);
      return vendor === undefined ? rows : rows.filter((row) => index.columns.isOfVendor(row, vendor));
    }),
  );
  return { ...matches, rows: matches.rows.filter((row) => fitting.has(row)) };
}

function match(index: IndexReader, plan: QueryPlan): Matches {
  const tiers = matchNumbers(index, plan.numbers);
  const { rows, scoreOf } = matchAllWords(index, plan, tiers.size > 0);
  if (tiers.size === 0) return { rows, tiers, scoreOf };
  const named = Uint32Array.from(tiers.keys());
  const all = new Uint32Array(named.length + rows.length);
  all.set(named);
  const others = rows.filter((row) => !tiers.has(row));
  all.set(others, named.length);
  return { rows: all.subarray(0, named.length + others.length), tiers, scoreOf };
}

/** Words that are nowhere are corrected at once; the others only if nothing has all of them. */
function matchAllWords(index: IndexReader, { words }: QueryPlan, hasNumbers: boolean): WordMatches {
  const strict = matchWords(index, words, "unknown");
  const isFound = hasNumbers || strict.rows.some((row) => index.columns.has(row));
  return isFound ? strict : matchWords(index, words, "all");
}

interface Order {
  /** Rows with a higher one come first. */
  keyOf(row: number): number;
  /** Of rows with the same. */
  compare(a: number, b: number): number;
}

function orderOf({ columns }: IndexReader, matches: Matches, { sort }: SearchQuery): Order {
  const { price, createdAt } = columns;
  const compare = (a: number, b: number): number => columns.rankOf(b) - columns.rankOf(a) || columns.compareIds(a, b);
  const relevance = { keyOf: relevanceOf(columns, matches), compare };
  const before = (keyOf: Order["keyOf"]): Order => ({
    keyOf,
    compare: (a, b) => relevance.keyOf(b) - relevance.keyOf(a) || compare(a, b),
  });
  switch (sort) {
    case "relevance":
      return relevance;
    case "price_asc":
      return before((row) => (columns.hasPrice(row) ? -price[row]! : -Number.MAX_VALUE));
    case "price_desc":
      return before((row) => price[row]!);
    case "newest":
      return before((row) => createdAt[row]!);
  }
}

function relevanceOf(columns: Columns, { tiers, scoreOf }: Matches): Order["keyOf"] {
  if (!scoreOf) return (row) => columns.rankOf(row);
  if (tiers.size === 0) return scoreOf;
  return (row) => {
    const tier = tiers.get(row) ?? TIER.words;
    // Of parts that are named by number, the words do not count.
    return tier === TIER.words ? scoreOf(row) : (TIER.words - tier) * TIER_WEIGHT;
  };
}
