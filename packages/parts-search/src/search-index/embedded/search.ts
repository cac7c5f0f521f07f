import { toJsonText, type JsonText } from "@partline/toolkit";
import { highlighterOf, titleMarkerOf } from "../highlight.ts";
import type { SearchHit, SearchPage, SearchQuery } from "../port.ts";
import { planQuery, TIER, type QueryPlan, type Synonyms, type Tier } from "../query-plan.ts";
import { NO_PRICE, type Columns } from "./columns.ts";
import { shownFacets, type ShownHit, type ShownPage } from "../shown.ts";
import { readHit, shownOf, titleOf } from "../stored-document.ts";
import { countFacets } from "./facets.ts";
import { EFFORT_OF_A_MATCH, type Effort, type IndexReader } from "./index-reader.ts";
import { matchNumbers } from "./numbers.ts";
import { matchWords, suggestQuery, type WordMatches } from "./match-words.ts";
import { reused } from "./reused-array.ts";
import { firstInOrder, type Order } from "./first-in-order.ts";

interface Found {
  /** Of stored documents, which the index file has. */
  hits: string[];
  /** Of each hit, the number that it replaces. */
  replaces: (string | undefined)[];
  plan: QueryPlan;
  /** Parts were named by number: hits have one to mark. */
  areNamed: boolean;
  rest: Omit<SearchPage, "hits">;
}

/** Before filters. */
interface Matches {
  rows: Uint32Array;
  /** Of rows that were named by number, which come first. */
  tiers: ReadonlyMap<number, Tier>;
  replaced?: ReadonlyMap<number, number>;
  /** Of the words; undefined if there are none. */
  score?: WordMatches["score"];
}

const NOTHING: QueryPlan = { numbers: { ofVendor: [], amidWords: [], prefixes: [] }, words: [] };
/** Above any score of words. */
const TIER_WEIGHT = 1e6;

/** To plan it, and to read and mark a hit. */
const EFFORT_OF_A_SEARCH = 2_000;
const EFFORT_OF_A_HIT = 600;

const allRows = reused((length) => new Uint32Array(length));
const relevances = reused((length) => new Float64Array(length));
const sortKeys = reused((length) => new Float64Array(length));

/** @throws Error when it would take more effort */
export function searchIndex(
  index: IndexReader,
  query: SearchQuery,
  synonyms: Synonyms,
  effort: Effort = { left: Infinity },
): SearchPage {
  const { hits, replaces, plan, rest } = find(index, query, synonyms, effort);
  const highlightsOf = highlighterOf(plan);
  const read = hits.map(readHit).map((document, at): SearchHit => ({
    document,
    highlights: highlightsOf(document),
    ...(replaces[at] !== undefined && { replaces: replaces[at] }),
  }));
  return { hits: read, ...rest };
}

/** As `searchIndex`, without making objects of what the file has as JSON. */
export function searchShown(
  index: IndexReader,
  query: SearchQuery,
  synonyms: Synonyms,
  effort: Effort = { left: Infinity },
): ShownPage {
  const { hits, replaces, plan, areNamed, rest } = find(index, query, synonyms, effort);
  const shown = areNamed ? withHighlights(hits, replaces, plan) : withTitles(hits, plan);
  const { facets, ...others } = rest;
  return { hits: `[${shown.join()}]` as JsonText<ShownHit[]>, facets: toJsonText(shownFacets(facets)), ...others };
}

function withHighlights(hits: readonly string[], replaces: Found["replaces"], plan: QueryPlan): string[] {
  const highlightsOf = highlighterOf(plan);
  return hits.map((hit, at) => {
    const number = replaces[at] === undefined ? "" : `,"replaces":${JSON.stringify(replaces[at])}`;
    return `${shownOf(hit)},"highlights":${JSON.stringify(highlightsOf(readHit(hit)))}${number}}`;
  });
}

function withTitles(hits: readonly string[], { words }: QueryPlan): string[] {
  const mark = titleMarkerOf(words);
  return hits.map((hit) => {
    const title = mark(titleOf(hit));
    return `${shownOf(hit)},"highlights":{${title === undefined ? "" : `"title":${JSON.stringify(title)}`}}}`;
  });
}

function find(index: IndexReader, query: SearchQuery, synonyms: Synonyms, effort: Effort): Found {
  index.begin(effort);
  index.spend(EFFORT_OF_A_SEARCH);
  if (query.q.trim() === "")
    return pageOf(index, query, NOTHING, narrowed(index, { rows: index.allRows(), tiers: new Map() }, query));
  const plan = planQuery(query.q, synonyms, query.named);
  const matches = match(index, plan);
  const page = pageOf(index, query, plan, narrowed(index, matches, query));
  const suggestion = matches.rows.length === 0 ? suggestQuery(index, query.q, synonyms) : undefined;
  return suggestion === undefined ? page : { ...page, rest: { ...page.rest, suggestion } };
}

function pageOf(index: IndexReader, query: SearchQuery, plan: QueryPlan, matches: Matches): Found {
  const { length } = matches.rows;
  index.spend(length * EFFORT_OF_A_MATCH + Math.min(length, query.limit) * EFFORT_OF_A_HIT);
  const { passed, facets } = countFacets(
    index.columns,
    matches.rows,
    query,
    matches.tiers.size === 0 ? undefined : (row) => (matches.tiers.get(row) ?? TIER.words) <= TIER.replaced,
  );
  const order = orderOf(index.columns, passed, matches, query.sort);
  const ordered = firstInOrder(passed, query.offset + query.limit, order).slice(query.offset);
  const areNamed = matches.tiers.size > 0;
  const replacedBy = (row: number): string | undefined => {
    const replaced = matches.tiers.get(row) === TIER.successor ? matches.replaced?.get(row) : undefined;
    return replaced === undefined ? undefined : index.hit(replaced)?.partNumber;
  };
  return {
    hits: index.storedHits(ordered),
    replaces: areNamed ? Array.from(ordered, replacedBy) : [],
    plan: areNamed ? plan : { ...plan, numbers: NOTHING.numbers },
    areNamed,
    rest: { total: passed.length, facets },
  };
}

function narrowed(index: IndexReader, matches: Matches, { fits }: SearchQuery): Matches {
  if (!fits) return matches;
  index.spend(fits.parts.length);
  const fitting = new Set(
    fits.parts.flatMap(({ pnNorm, vendor }) => {
      const rows = index.rowsOfNumber(pnNorm);
      return vendor === undefined ? rows : rows.filter((row) => index.columns.isOfVendor(row, vendor));
    }),
  );
  return { ...matches, rows: matches.rows.filter((row) => fitting.has(row)) };
}

function match(index: IndexReader, plan: QueryPlan): Matches {
  const { tiers, replaced } = matchNumbers(index, plan.numbers);
  const { rows, score } = matchAllWords(index, plan, tiers.size > 0);
  if (tiers.size === 0) return { rows, tiers, score };
  const all = allRows(tiers.size + rows.length);
  let count = 0;
  for (const row of tiers.keys()) all[count++] = row;
  for (const row of rows) if (!tiers.has(row)) all[count++] = row;
  return { rows: all.subarray(0, count), tiers, replaced, score };
}

/** Words that are nowhere are corrected at once; the others only if nothing has all of them. */
function matchAllWords(index: IndexReader, { words }: QueryPlan, hasNumbers: boolean): WordMatches {
  const strict = matchWords(index, words, "unknown");
  const isFound = hasNumbers || strict.rows.some((row) => index.columns.has(row));
  return isFound ? strict : matchWords(index, words, "all");
}

/** Of rows that match equally well, the better part comes first. */
function orderOf(columns: Columns, rows: Uint32Array, matches: Matches, sort: SearchQuery["sort"]): Order {
  const relevance = relevanceOf(columns, rows, matches);
  const compare = (a: number, b: number): number => columns.compareIds(a, b);
  if (sort === "relevance") return { keys: relevance, tieOf: (row) => columns.rankOf(row), compare };
  const keys = sortKeys(rows.length);
  for (let at = 0; at < rows.length; at += 1) keys[at] = keyOf(columns, rows[at]!, sort);
  return {
    keys,
    tieOf: (_, at) => relevance[at]!,
    compare: (a, b) => columns.rankOf(b) - columns.rankOf(a) || compare(a, b),
  };
}

function keyOf(columns: Columns, row: number, sort: Exclude<SearchQuery["sort"], "relevance">): number {
  if (sort === "newest") return columns.createdAt[row]!;
  const price = columns.priceOf(row);
  if (sort === "price_desc") return price;
  return price === NO_PRICE ? -Number.MAX_VALUE : -price;
}

function relevanceOf(columns: Columns, rows: Uint32Array, { tiers, score }: Matches): Float64Array {
  const keys = relevances(rows.length);
  if (score) score(rows, keys);
  else for (let at = 0; at < rows.length; at += 1) keys[at] = columns.rankOf(rows[at]!);
  for (let at = 0; at < rows.length; at += 1) {
    const tier = tiers.get(rows[at]!);
    if (tier === undefined) break;
    // Of parts that are named by number, the words do not count.
    keys[at] = (TIER.words - tier) * TIER_WEIGHT;
  }
  return keys;
}
