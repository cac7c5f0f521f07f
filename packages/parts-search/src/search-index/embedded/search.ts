import { toJsonText, type JsonText } from "@partline/toolkit";
import { createHighlighter, createTitleMarker } from "../highlight.ts";
import type { SearchQuery } from "../port.ts";
import type { SearchPage, SearchHit } from "../search-page.ts";
import { planQuery, TIER, type QueryPlan, type Synonyms, type Tier } from "../query-plan.ts";
import { NO_PRICE, type Columns } from "./columns.ts";
import { presentFacets, type ShownHit, type ShownPage } from "../shown.ts";
import { readHit, getShownText, readTitle } from "../stored-document.ts";
import { MOST_COUNTED, MOST_MACHINES, selectMostFrequent } from "../facet-values.ts";
import { countFacets } from "./facets.ts";
import { EFFORT_OF_A_MATCH, type Effort, type IndexReader } from "./index-reader.ts";
import { matchNumbers } from "./numbers.ts";
import { matchWords, suggestQuery, type WordMatches } from "./match-words.ts";
import { reuseArray } from "./reused-array.ts";
import { selectFirst, type Order } from "./first-in-order.ts";

interface FoundPage {
  /** Hits as stored in the index file. */
  hits: string[];
  /** Number that each hit replaces. */
  replaces: (string | undefined)[];
  plan: QueryPlan;
  /** Parts were named by number: hits have one to mark. */
  areNamed: boolean;
  rest: Omit<SearchPage, "hits">;
}

/** Matches before filters. */
interface Matches {
  rows: Uint32Array;
  /** Tiers of rows named by number, which come first. */
  tiers: ReadonlyMap<number, Tier>;
  replaced?: ReadonlyMap<number, number>;
  /** Score of the words; undefined without words. */
  score?: WordMatches["score"];
}

const NOTHING: QueryPlan = { numbers: { ofVendor: [], amidWords: [], prefixes: [] }, words: [] };
/** Weight above any score of words. */
const TIER_WEIGHT = 1e6;

/** Effort of planning a search, and of reading and marking a hit. */
const EFFORT_OF_A_SEARCH = 2_000;
const EFFORT_OF_A_HIT = 600;

const allRows = reuseArray((length) => new Uint32Array(length));
const relevances = reuseArray((length) => new Float64Array(length));
const sortKeys = reuseArray((length) => new Float64Array(length));

/** @throws Error when it would take more effort */
export function searchIndex(
  index: IndexReader,
  query: SearchQuery,
  synonyms: Synonyms,
  effort: Effort = { left: Infinity },
): SearchPage {
  const { hits, replaces, plan, rest } = find(index, query, synonyms, effort);
  const highlightsOf = createHighlighter(plan);
  const searchHits = hits.map(readHit).map((document, place): SearchHit => ({
    document,
    highlights: highlightsOf(document),
    ...(replaces[place] !== undefined && { replaces: replaces[place] }),
  }));
  return { hits: searchHits, ...rest };
}

/** Searches as `searchIndex` does, without parsing the stored JSON. */
export function searchShown(
  index: IndexReader,
  query: SearchQuery,
  synonyms: Synonyms,
  effort: Effort = { left: Infinity },
): ShownPage {
  const { hits, replaces, plan, areNamed, rest } = find(index, query, synonyms, effort);
  const hitTexts = areNamed ? withHighlights(hits, replaces, plan) : withTitles(hits, plan);
  const { facets, ...otherFields } = rest;
  return {
    hits: `[${hitTexts.join()}]` as JsonText<ShownHit[]>,
    facets: toJsonText(presentFacets(facets)),
    ...otherFields,
  };
}

function withHighlights(hits: readonly string[], replaces: FoundPage["replaces"], plan: QueryPlan): string[] {
  const highlightsOf = createHighlighter(plan);
  return hits.map((hit, index) => {
    const number = replaces[index] === undefined ? "" : `,"replaces":${JSON.stringify(replaces[index])}`;
    return `${getShownText(hit)},"highlights":${JSON.stringify(highlightsOf(readHit(hit)))}${number}}`;
  });
}

function withTitles(hits: readonly string[], { words }: QueryPlan): string[] {
  const mark = createTitleMarker(words);
  return hits.map((hit) => {
    const title = mark(readTitle(hit));
    return `${getShownText(hit)},"highlights":{${title === undefined ? "" : `"title":${JSON.stringify(title)}`}}}`;
  });
}

function find(index: IndexReader, query: SearchQuery, synonyms: Synonyms, effort: Effort): FoundPage {
  index.begin(effort);
  index.spend(EFFORT_OF_A_SEARCH);
  if (query.q.trim() === "")
    return selectPage(index, query, NOTHING, narrow(index, { rows: index.getRowBuffer(), tiers: new Map() }, query));
  const plan = planQuery(query.q, synonyms, query.named);
  const matches = match(index, plan);
  const page = selectPage(index, query, plan, narrow(index, matches, query));
  const suggestion = matches.rows.length === 0 ? suggestQuery(index, query.q, synonyms) : undefined;
  return suggestion === undefined ? page : { ...page, rest: { ...page.rest, suggestion } };
}

function selectPage(index: IndexReader, query: SearchQuery, plan: QueryPlan, matches: Matches): FoundPage {
  const { length } = matches.rows;
  index.spend(length * EFFORT_OF_A_MATCH + Math.min(length, query.limit) * EFFORT_OF_A_HIT);
  const { passed, facets } = countFacets(
    index.columns,
    matches.rows,
    query,
    matches.tiers.size === 0 ? undefined : (row) => (matches.tiers.get(row) ?? TIER.words) <= TIER.replaced,
  );
  const machineFacet = selectMostFrequent(
    !query.countsMachines || passed.length > MOST_COUNTED ? [] : index.machines.count(passed, MOST_MACHINES),
  );
  const order = createOrder(index.columns, passed, matches, query.sort);
  const ordered = selectFirst(passed, query.offset + query.limit, order).slice(query.offset);
  const areNamed = matches.tiers.size > 0;
  const findReplaced = (row: number): string | undefined => {
    const replaced = matches.tiers.get(row) === TIER.successor ? matches.replaced?.get(row) : undefined;
    return replaced === undefined ? undefined : index.hit(replaced)?.partNumber;
  };
  return {
    hits: index.storedHits(ordered),
    replaces: areNamed ? Array.from(ordered, findReplaced) : [],
    plan: areNamed ? plan : { ...plan, numbers: NOTHING.numbers },
    areNamed,
    rest: { total: passed.length, facets: { ...facets, machine: machineFacet } },
  };
}

function narrow(
  index: IndexReader,
  matches: Matches,
  { fits, machines }: Pick<SearchQuery, "fits" | "machines">,
): Matches {
  if (machines) {
    const fitting = index.machines.findRows(machines);
    return narrow(index, { ...matches, rows: matches.rows.filter((row) => fitting.has(row)) }, { fits });
  }
  if (!fits) return matches;
  index.spend(fits.parts.length);
  const fitting = index.machines.findRows(fits.machines ?? []);
  for (const { pnNorm, vendor } of fits.parts)
    for (const row of index.findRowsByNumber(pnNorm))
      if (vendor === undefined || index.columns.isOfVendor(row, vendor)) fitting.add(row);
  return { ...matches, rows: matches.rows.filter((row) => fitting.has(row)) };
}

function match(index: IndexReader, plan: QueryPlan): Matches {
  const { tiers, replaced } = matchNumbers(index, plan.numbers);
  const { rows, score } = matchAllWords(index, plan, tiers.size > 0);
  if (tiers.size === 0) return { rows, tiers, score };
  const allMatches = allRows(tiers.size + rows.length);
  let count = 0;
  for (const row of tiers.keys()) allMatches[count++] = row;
  for (const row of rows) if (!tiers.has(row)) allMatches[count++] = row;
  return { rows: allMatches.subarray(0, count), tiers, replaced, score };
}

/** Words that are nowhere are corrected at once; the others only if nothing has all of them. */
function matchAllWords(index: IndexReader, { words }: QueryPlan, hasNumbers: boolean): WordMatches {
  const strict = matchWords(index, words, "unknown");
  const isFound = hasNumbers || strict.rows.some((row) => index.columns.has(row));
  return isFound ? strict : matchWords(index, words, "all");
}

/** Creates the order of rows: of equal matches, the better part comes first. */
function createOrder(columns: Columns, rows: Uint32Array, matches: Matches, sort: SearchQuery["sort"]): Order {
  const relevance = computeRelevance(columns, rows, matches);
  const compare = (a: number, b: number): number => columns.compareIds(a, b);
  if (sort === "relevance") return { keys: relevance, tieOf: (row) => columns.getRank(row), compare };
  const keys = sortKeys(rows.length);
  for (let index = 0; index < rows.length; index += 1) keys[index] = toSortKey(columns, rows[index]!, sort);
  return {
    keys,
    tieOf: (_, index) => relevance[index]!,
    compare: (a, b) => columns.getRank(b) - columns.getRank(a) || compare(a, b),
  };
}

function toSortKey(columns: Columns, row: number, sort: Exclude<SearchQuery["sort"], "relevance">): number {
  if (sort === "newest") return columns.createdAt[row]!;
  const price = columns.getPrice(row);
  if (sort === "price_desc") return price;
  return price === NO_PRICE ? -Number.MAX_VALUE : -price;
}

function computeRelevance(columns: Columns, rows: Uint32Array, { tiers, score }: Matches): Float64Array {
  const keys = relevances(rows.length);
  if (score) score(rows, keys);
  else for (let index = 0; index < rows.length; index += 1) keys[index] = columns.getRank(rows[index]!);
  for (let index = 0; index < rows.length; index += 1) {
    const tier = tiers.get(rows[index]!);
    if (tier === undefined) break;
    // Of parts that are named by number, the words do not count.
    keys[index] = (TIER.words - tier) * TIER_WEIGHT;
  }
  return keys;
}
