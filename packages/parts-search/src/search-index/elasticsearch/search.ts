import { isDeepStrictEqual } from "node:util";
import type { Client, estypes } from "@elastic/elasticsearch";
import { createUnavailable } from "../../elasticsearch/errors.ts";
import { createHighlighter } from "../highlight.ts";
import type { SearchQuery } from "../port.ts";
import type { SearchPage } from "../search-page.ts";
import { type HitDocument, BEYOND_HITS } from "../index-document.ts";
import { planQuery, TIER, type QueryPlan, type Synonyms, type Tier } from "../query-plan.ts";
import { Asker } from "./asker.ts";
import { joinAny, joinEvery, isNothing, NOTHING, type Query } from "./combined.ts";
import { buildFacetAggregations, buildFacetFilters, readFacets, type FacetAnswers } from "./facets.ts";
import type { WordMemory } from "./known-words.ts";
import { fromSource, type StoredFields } from "./mapping.ts";
import { matchBeginning, matchEnding, limitToVendor } from "./number-query.ts";
import { getCount } from "./questions.ts";
import { readPlan, suggestQuery, type Reading } from "./reading.ts";
import { groupQuery } from "./word-query.ts";

/** The server refuses deeper hits. */
const MAX_DEPTH = 10_000;
/** Score above those of all words, exact in 32 bits. */
const TIER_SCORE = 1_000_000;

const ACTIVE: Query = { term: { status: "active" } };
const DISCONTINUED: Query = { bool: { must_not: ACTIVE } };

/** Query of the matches with their score, and the parts that are shown even if discontinued. */
interface Matching {
  query: Query;
  named: Query;
}

type Answer = estypes.SearchResponseBody;

/** @param index the alias or name on the server; one request makes a page, so it comes from one index */
export async function search(
  client: Client,
  index: string,
  query: SearchQuery,
  synonyms: Synonyms,
  memory: WordMemory,
): Promise<SearchPage> {
  const plan = query.q.trim() === "" ? undefined : planQuery(query.q, synonyms, query.named);
  const { answer, isNothing, successors } = await answerTo(client, index, query, plan, memory);
  if (answer.timed_out) throw createUnavailable("the search took too long");
  const highlightsOf = plan === undefined ? () => ({}) : createHighlighter(plan);
  const page: SearchPage = {
    hits: answer.hits.hits.map(({ _source }) => {
      const document = fromSource(_source as StoredFields<HitDocument>);
      const replaces = successors?.get(document.id);
      return { document, highlights: highlightsOf(document), ...(replaces !== undefined && { replaces }) };
    }),
    total: getCount(answer),
    facets: readFacets(answer.aggregations as unknown as FacetAnswers, getCount(answer)),
  };
  const suggestion =
    isNothing && page.total === 0
      ? await suggestQuery(new Asker(client, index, memory.getWords(index)), query.q, synonyms)
      : undefined;
  return suggestion === undefined ? page : { ...page, suggestion };
}

interface Answered {
  answer: Answer;
  /** True if nothing in the index matches, regardless of the filters. */
  isNothing: boolean;
  successors?: Reading["successors"];
}

async function answerTo(
  client: Client,
  index: string,
  query: SearchQuery,
  plan: QueryPlan | undefined,
  memory: WordMemory,
): Promise<Answered> {
  const words = memory.getWords(index);
  const asker = new Asker(client, index, words);
  if (plan === undefined) {
    const answer = asker.search(searchBody(query, EVERYTHING));
    await asker.ask();
    return { answer: answer(), isNothing: false };
  }
  const answered = await answerToPlan(asker, query, plan);
  const [hit] = answered.answer.hits.hits;
  if (hit === undefined || words.isOfIndex(hit._index)) return answered;
  memory.forget(index);
  return answerToPlan(new Asker(client, index, memory.getWords(index)), query, plan);
}

/** Searches by the known facts of the plan, and again when the answers that come with it say something else. */
async function answerToPlan(asker: Asker, query: SearchQuery, plan: QueryPlan): Promise<Answered> {
  let lastSearch: { body: estypes.SearchSearchRequestBody; answer: Answer } | undefined;
  let isFound: boolean | undefined;
  for (;;) {
    const reading = readPlan(asker, plan, isFound);
    const body = reading && searchBody(query, toMatching(plan, reading));
    const isSent = isDeepStrictEqual(body, lastSearch?.body);
    if (reading && lastSearch && isSent && asker.isSettled) {
      const { isNothing, successors } = reading;
      return { answer: lastSearch.answer, isNothing, successors };
    }
    const answer = body === undefined || isSent ? undefined : asker.search(body);
    await asker.ask();
    if (!answer) continue;
    lastSearch = { body: body!, answer: answer() };
    // Once a reading found nothing, the words are counted: what a later one finds says nothing of them.
    isFound = isFound !== false && getCount(lastSearch.answer) > 0;
  }
}

function searchBody(query: SearchQuery, matching: Matching): estypes.SearchSearchRequestBody {
  const filters = buildFacetFilters(query);
  const from = Math.min(query.offset, MAX_DEPTH);
  return {
    from,
    size: Math.min(query.limit, MAX_DEPTH - from),
    _source: { excludes: [...BEYOND_HITS] },
    query: {
      bool: { must: matching.query, filter: [buildStatusFilter(query, matching.named), ...buildFittingFilter(query)] },
    },
    ...(Object.keys(filters).length === 0 ? {} : { post_filter: { bool: { filter: Object.values(filters) } } }),
    aggs: buildFacetAggregations(filters, query),
    sort: toSort(query),
    track_total_hits: true,
  };
}

const EVERYTHING: Matching = { query: { constant_score: { filter: { match_all: {} } } }, named: NOTHING };

function toMatching({ numbers }: QueryPlan, reading: Reading): Matching {
  const namedQuery = joinAny([reading.exact, reading.variant]);
  const tiers: Record<Exclude<keyof typeof TIER, "words">, Query> = {
    exact: joinEvery([reading.exact, ACTIVE]),
    variant: joinEvery([reading.variant, ACTIVE]),
    successor: reading.successors.size === 0 ? NOTHING : { terms: { id: [...reading.successors.keys()] } },
    replaced: joinEvery([namedQuery, DISCONTINUED]),
    prefix: joinAny(matchBeginning(numbers)),
    suffix: joinAny(matchEnding(numbers)),
  };
  const queries = (Object.entries(tiers) as [keyof typeof tiers, Query][])
    .filter(([, filter]) => !isNothing(filter))
    .map(([tier, filter]): Query => ({ constant_score: { filter, boost: toScore(TIER[tier]) } }));
  // Of parts that are named by number only the best tier counts, not their words.
  return { query: { dis_max: { queries: [...queries, buildWordsQuery(reading)] } }, named: namedQuery };
}

function toScore(tier: Tier): number {
  return (TIER.words - tier) * TIER_SCORE;
}

function buildWordsQuery({ words, corrections }: Reading): Query {
  if (words.length === 0) return NOTHING;
  return {
    bool: {
      must: words.map(({ group, weight }) => ({ bool: { must: groupQuery(group, corrections), boost: weight } })),
    },
  };
}

/** A part that is named by its number is shown even if it is discontinued. */
function buildStatusFilter({ status }: SearchQuery, namedQuery: Query): Query {
  return status === "active" ? joinAny([ACTIVE, namedQuery]) : { term: { status } };
}

function buildFittingFilter({ fits, machines }: Pick<SearchQuery, "fits" | "machines">): Query[] {
  if (machines) return [{ terms: { fits: [...machines] } }, ...buildFittingFilter({ fits })];
  if (!fits) return [];
  const partsByVendor = Map.groupBy(fits.parts, ({ vendor }) => vendor);
  return [
    joinAny([
      { terms: { fits: [...(fits.machines ?? [])] } },
      ...[...partsByVendor].map(([vendor, parts]) =>
        limitToVendor({ terms: { pnNorm: parts.map(({ pnNorm }) => pnNorm) } }, vendor),
      ),
    ]),
  ];
}

function toSort({ sort }: SearchQuery): estypes.SortCombinations[] {
  const relevance: estypes.SortCombinations[] = [
    { _score: { order: "desc" } },
    { "search.quality": "desc" },
    { id: "asc" },
  ];
  switch (sort) {
    case "relevance":
      return relevance;
    case "price_asc":
      return [{ "search.cents": { order: "asc", missing: "_last" } }, ...relevance];
    case "price_desc":
      return [{ "search.cents": { order: "desc", missing: "_last" } }, ...relevance];
    case "newest":
      return [{ createdAt: { order: "desc" } }, ...relevance];
  }
}
