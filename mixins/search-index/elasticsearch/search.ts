import type { Client, estypes } from "@elastic/elasticsearch";
import { highlighterOf } from "../highlight.ts";
import type { SearchPage, SearchQuery } from "../port.ts";
import { planQuery, TIER, type QueryPlan, type Synonyms, type Tier } from "../query-plan.ts";
import { Asker, type Replaceable } from "./asker.ts";
import { anyOf, everyOf, isNothing, NOTHING } from "./combined.ts";
import { suggestQuery } from "./correction.ts";
import { unavailable } from "./errors.ts";
import { facetAggregations, facetFilters, toFacets, type FacetAnswers } from "./facets.ts";
import { checkGuess, guessReading } from "./guess.ts";
import type { WordMemory } from "./known-words.ts";
import { toDocument } from "./mapping.ts";
import { beginningSo, endingSo, ofVendor } from "./number-query.ts";
import { readPlan, type Reading } from "./reading.ts";
import { countOf } from "./word-questions.ts";
import { groupQuery } from "./word-query.ts";

type Query = estypes.QueryDslQueryContainer;

/** The server refuses what goes deeper. */
const MAX_DEPTH = 10_000;
/** Above whatever words can score, and exact in 32 bits. */
const TIER_SCORE = 1_000_000;

const ACTIVE: Query = { term: { status: "active" } };
const DISCONTINUED: Query = { bool: { must_not: ACTIVE } };

/** What matches, with its score, and which parts are shown though they are discontinued. */
interface Matching {
  query: Query;
  named: Query;
}

type Answer = estypes.SearchResponseBody;

/**
 * @param index the alias, or name on the server, of what is searched: a page comes from one request, and so from one
 * index
 */
export async function search(
  client: Client,
  index: string,
  query: SearchQuery,
  synonyms: Synonyms,
  memory: WordMemory,
): Promise<SearchPage> {
  const plan = query.q.trim() === "" ? undefined : planQuery(query.q, synonyms);
  const { answer, isNothing } = await answerTo(client, index, query, plan, memory);
  if (answer.timed_out) throw unavailable("the search took too long");
  const highlightsOf = plan === undefined ? () => ({}) : highlighterOf(plan);
  const page: SearchPage = {
    hits: answer.hits.hits.map(({ _source }) => {
      const document = toDocument(_source);
      return { document, highlights: highlightsOf(document) };
    }),
    total: countOf(answer),
    facets: toFacets(answer.aggregations as unknown as FacetAnswers),
  };
  const suggestion =
    isNothing && page.total === 0
      ? await suggestQuery(new Asker(client, index, memory.of(index)), query.q, synonyms)
      : undefined;
  return suggestion === undefined ? page : { ...page, suggestion };
}

interface Answered {
  answer: Answer;
  /** Nothing in the index matches, whatever the filters. */
  isNothing: boolean;
}

async function answerTo(
  client: Client,
  index: string,
  query: SearchQuery,
  plan: QueryPlan | undefined,
  memory: WordMemory,
): Promise<Answered> {
  const asker = new Asker(client, index, memory.of(index));
  if (plan === undefined) return { answer: await askFor(asker, query, EVERYTHING), isNothing: false };
  const answered = await answerToPlan(asker, query, plan);
  if (isFromKnown(asker, answered.answer)) return answered;
  memory.forget(index);
  return answerToPlan(new Asker(client, index, memory.of(index)), query, plan);
}

/**
 * One request where what is known of the words suffices and a guess at the rest is right; else the index is asked about
 * the plan first.
 */
async function answerToPlan(asker: Asker, query: SearchQuery, plan: QueryPlan): Promise<Answered> {
  const guess = guessReading(asker.known, plan);
  if (guess !== undefined) {
    const isRight = checkGuess(asker, plan, guess, showsNamed(query) ? namedAmong : undefined);
    const answer = await askFor(asker, query, toMatching(plan, guess));
    if (isRight(answer) || !isFromKnown(asker, answer)) return { answer, isNothing: false };
  }
  const reading = await readPlan(asker, plan);
  return { answer: await askFor(asker, query, toMatching(plan, reading)), isNothing: reading.isNothing };
}

/** Whether the answer is from the index that the words are known of: the alias may have moved. */
function isFromKnown({ known }: Asker, { hits: { hits } }: Answer): boolean {
  return hits[0] === undefined || known.areOf(hits[0]._index);
}

async function askFor(asker: Asker, query: SearchQuery, matching: Matching): Promise<Answer> {
  const answer = asker.search(searchBody(query, matching));
  await asker.ask();
  return answer();
}

function searchBody(query: SearchQuery, matching: Matching): estypes.SearchSearchRequestBody {
  const filters = facetFilters(query);
  const from = Math.min(query.offset, MAX_DEPTH);
  return {
    from,
    size: Math.min(query.limit, MAX_DEPTH - from),
    query: { bool: { must: matching.query, filter: [statusFilter(query, matching.named), ...fittingFilter(query)] } },
    ...(Object.keys(filters).length === 0 ? {} : { post_filter: { bool: { filter: Object.values(filters) } } }),
    aggs: facetAggregations(filters),
    sort: sortOf(query),
    track_total_hits: true,
  };
}

/** Whether parts that are named by a number are the first that are shown. */
function showsNamed(query: SearchQuery): boolean {
  return (
    query.limit > 0 &&
    query.sort === "relevance" &&
    query.offset === 0 &&
    query.status === "active" &&
    !query.fits &&
    Object.keys(facetFilters(query)).length === 0
  );
}

/** The parts of such a page that are named by a number; undefined when there may be more of them. */
function namedAmong({ hits: { hits, total } }: Answer): Replaceable[] | undefined {
  const named = hits.filter(({ sort }) => Number(sort![0]) >= scoreOf(TIER.replaced));
  const isAll = named.length < hits.length || hits.length === (total as estypes.SearchTotalHits).value;
  return isAll ? named.map(({ _source }) => _source as Replaceable) : undefined;
}

const EVERYTHING: Matching = { query: { constant_score: { filter: { match_all: {} } } }, named: NOTHING };

function toMatching({ numbers }: QueryPlan, reading: Reading): Matching {
  const named = anyOf([reading.exact, reading.variant]);
  const tiers: Record<Exclude<keyof typeof TIER, "words">, Query> = {
    exact: everyOf([reading.exact, ACTIVE]),
    variant: everyOf([reading.variant, ACTIVE]),
    successor: reading.successors.length === 0 ? NOTHING : { terms: { id: reading.successors } },
    replaced: everyOf([named, DISCONTINUED]),
    prefix: anyOf(beginningSo(numbers)),
    suffix: anyOf(endingSo(numbers)),
  };
  const queries = (Object.entries(tiers) as [keyof typeof tiers, Query][])
    .filter(([, filter]) => !isNothing(filter))
    .map(([tier, filter]): Query => ({ constant_score: { filter, boost: scoreOf(TIER[tier]) } }));
  // Of parts that are named by number, what else the words hit says nothing: the best tier alone counts.
  return { query: { dis_max: { queries: [...queries, wordsQuery(reading)] } }, named };
}

function scoreOf(tier: Tier): number {
  return (TIER.words - tier) * TIER_SCORE;
}

function wordsQuery({ words, corrections }: Reading): Query {
  if (words.length === 0) return NOTHING;
  return {
    bool: {
      must: words.map(({ group, weight }) => ({ bool: { must: groupQuery(group, corrections), boost: weight } })),
    },
  };
}

/** A part that is named by its number is shown though it is discontinued. */
function statusFilter({ status }: SearchQuery, named: Query): Query {
  return status === "active" ? anyOf([ACTIVE, named]) : { term: { status } };
}

/** The parts of an equipment. */
function fittingFilter({ fits }: SearchQuery): Query[] {
  if (!fits) return [];
  const byVendor = Map.groupBy(fits.parts, ({ vendor }) => vendor);
  return [
    anyOf(
      [...byVendor].map(([vendor, parts]) =>
        ofVendor({ terms: { pnNorm: parts.map(({ pnNorm }) => pnNorm) } }, vendor),
      ),
    ),
  ];
}

function sortOf({ sort }: SearchQuery): estypes.SortCombinations[] {
  const relevance: estypes.SortCombinations[] = [
    { _score: { order: "desc" } },
    { "search.quality": "desc" },
    { id: "asc" },
  ];
  switch (sort) {
    case "relevance":
      return relevance;
    case "price_asc":
      return [{ price: { order: "asc", missing: "_last" } }, ...relevance];
    case "price_desc":
      return [{ price: { order: "desc", missing: "_last" } }, ...relevance];
    case "newest":
      return [{ createdAt: { order: "desc" } }, ...relevance];
  }
}
