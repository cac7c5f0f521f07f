import { jsonText, type JsonText } from "../../json-text.ts";
import { highlighterOf, titleMarkerOf } from "../highlight.ts";
import type { SearchPage, SearchQuery } from "../port.ts";
import { planQuery, TIER, type QueryPlan, type Synonyms, type Tier } from "../query-plan.ts";
import { NO_PRICE, statusId, type Columns } from "./columns.ts";
import { shownFacets, type ShownHit, type ShownPage } from "../shown.ts";
import { readHit, shownOf, titleOf } from "../stored-document.ts";
import { countFacets } from "./facets.ts";
import type { Effort, IndexReader } from "./index-reader.ts";
import { matchNumbers } from "./numbers.ts";
import { matchWords, suggestQuery, type WordMatches } from "./match-words.ts";
import { reused } from "./reused.ts";
import { isTallied } from "./tally.ts";
import { firstInOrder, type Order } from "./top.ts";

interface Found {
  /** Of stored documents, which the index file has. */
  hits: string[];
  plan: QueryPlan;
  /** Parts were named by number: hits have one to mark. */
  areNamed: boolean;
  rest: Omit<SearchPage, "hits">;
}

/** Before filters. */
interface Matches extends WordMatches {
  /** Of rows that were named by number. */
  tiers: ReadonlyMap<number, Tier>;
  /** They are all rows of the index. */
  areAll: boolean;
}

const NOTHING: QueryPlan = { numbers: { ofVendor: [], amidWords: [], prefixes: [] }, words: [] };
/** Above any score of words. */
const TIER_WEIGHT = 1e6;

/** To plan it, to count the facets of a row and to order it, and to read and mark a hit. */
const EFFORT_OF_A_SEARCH = 2_000;
const EFFORT_OF_A_MATCH = 2;
/** Of all rows, whose facets are counted already. */
const EFFORT_OF_A_ROW = 0.1;
const EFFORT_OF_A_HIT = 600;

const allRows = reused((length) => new Uint32Array(length));
const allScores = reused((length) => new Float64Array(length));
const sortKeys = reused((length) => new Float64Array(length));

/** @throws Error when it would take more effort */
export function searchIndex(
  index: IndexReader,
  query: SearchQuery,
  synonyms: Synonyms,
  effort: Effort = { left: Infinity },
): SearchPage {
  const { hits, plan, rest } = find(index, query, synonyms, effort);
  const highlightsOf = highlighterOf(plan);
  const read = hits.map(readHit).map((document) => ({ document, highlights: highlightsOf(document) }));
  return { hits: read, ...rest };
}

/** As `searchIndex`, without making objects of what the file has as JSON. */
export function searchShown(
  index: IndexReader,
  query: SearchQuery,
  synonyms: Synonyms,
  effort: Effort = { left: Infinity },
): ShownPage {
  const { hits, plan, areNamed, rest } = find(index, query, synonyms, effort);
  const shown = areNamed ? withHighlights(hits, plan) : withTitles(hits, plan);
  const { facets, ...others } = rest;
  return { hits: `[${shown.join()}]` as JsonText<ShownHit[]>, facets: jsonText(shownFacets(facets)), ...others };
}

function withHighlights(hits: readonly string[], plan: QueryPlan): string[] {
  const highlightsOf = highlighterOf(plan);
  return hits.map((hit) => `${shownOf(hit)},"highlights":${JSON.stringify(highlightsOf(readHit(hit)))}}`);
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
  if (query.q.trim() === "") {
    const { columns } = index;
    const all = { rows: columns.rows(), scores: columns.ranks(), tiers: new Map<number, Tier>(), areAll: true };
    return pageOf(index, query, NOTHING, narrowed(index, all, query));
  }
  const plan = planQuery(query.q, synonyms, query.named);
  const matches = match(index, plan);
  const page = pageOf(index, query, plan, narrowed(index, matches, query));
  const suggestion = matches.rows.length === 0 ? suggestQuery(index, query.q, synonyms) : undefined;
  return suggestion === undefined ? page : { ...page, rest: { ...page.rest, suggestion } };
}

function pageOf(index: IndexReader, query: SearchQuery, plan: QueryPlan, matches: Matches): Found {
  const { columns } = index;
  const { rows, tiers } = matches;
  const areAll = matches.areAll && query.minPrice === undefined && query.maxPrice === undefined;
  const ofEach = areAll && isTallied(columns, statusId(query.status)) ? EFFORT_OF_A_ROW : EFFORT_OF_A_MATCH;
  index.spend(rows.length * ofEach + Math.min(rows.length, query.limit) * EFFORT_OF_A_HIT);
  const { total, facets, passesAll } = countFacets(
    columns,
    rows,
    query,
    areAll ? undefined : (row) => (tiers.get(row) ?? TIER.words) <= TIER.replaced,
  );
  const order = { ...orderOf(columns, matches, query.sort), isIn: passesAll };
  const ordered = firstInOrder(rows, query.offset + query.limit, order).slice(query.offset);
  const areNamed = tiers.size > 0;
  return {
    hits: index.storedHits(ordered),
    plan: areNamed ? plan : { ...plan, numbers: NOTHING.numbers },
    areNamed,
    rest: { total, facets },
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
  const { rows, scores } = matches;
  return {
    ...matches,
    rows: rows.filter((row) => fitting.has(row)),
    scores: scores.filter((_, at) => fitting.has(rows[at]!)),
    areAll: false,
  };
}

function match(index: IndexReader, plan: QueryPlan): Matches {
  const tiers = matchNumbers(index, plan.numbers);
  const words = matchAllWords(index, plan, tiers.size > 0);
  if (tiers.size === 0) return { ...words, tiers, areAll: false };
  const most = tiers.size + words.rows.length;
  const [rows, scores] = [allRows(most), allScores(most)];
  let count = 0;
  // Of parts that are named by number, the words do not count.
  for (const [row, tier] of tiers) {
    rows[count] = row;
    scores[count++] = (TIER.words - tier) * TIER_WEIGHT;
  }
  for (let at = 0; at < words.rows.length; at += 1) {
    if (tiers.has(words.rows[at]!)) continue;
    rows[count] = words.rows[at]!;
    scores[count++] = words.scores[at]!;
  }
  return { rows: rows.subarray(0, count), scores: scores.subarray(0, count), tiers, areAll: false };
}

/** Words that are nowhere are corrected at once; the others only if nothing has all of them. */
function matchAllWords(index: IndexReader, { words }: QueryPlan, hasNumbers: boolean): WordMatches {
  const strict = matchWords(index, words, "unknown");
  const isFound = hasNumbers || strict.rows.some((row) => index.columns.has(row));
  return isFound ? strict : matchWords(index, words, "all");
}

/** Of rows that match equally well, the better part comes first. */
function orderOf(columns: Columns, { rows, scores }: Matches, sort: SearchQuery["sort"]): Order {
  const compare = (a: number, b: number): number => columns.compareIds(a, b);
  if (sort === "relevance") return { keys: scores, tieOf: (row) => columns.rankOf(row), compare };
  const keys = sortKeys(rows.length);
  for (let at = 0; at < rows.length; at += 1) keys[at] = keyOf(columns, rows[at]!, sort);
  return {
    keys,
    tieOf: (_, at) => scores[at]!,
    compare: (a, b) => columns.rankOf(b) - columns.rankOf(a) || compare(a, b),
  };
}

function keyOf(columns: Columns, row: number, sort: Exclude<SearchQuery["sort"], "relevance">): number {
  if (sort === "newest") return columns.createdAt[row]!;
  const price = columns.priceOf(row);
  if (sort === "price_desc") return price;
  return price === NO_PRICE ? -Number.MAX_VALUE : -price;
}
