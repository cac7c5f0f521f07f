import type { Client, estypes } from "@elastic/elasticsearch";
import { highlightsOf } from "../highlight.ts";
import type { SearchPage, SearchQuery } from "../port.ts";
import { planQuery, TIER, type QueryPlan, type Synonyms } from "../query-plan.ts";
import { PROMPT } from "./client.ts";
import { unavailable } from "./errors.ts";
import { facetAggregations, facetFilters, toFacets, type FacetAnswers } from "./facets.ts";
import { toDocument } from "./mapping.ts";
import { anyOf, beginningSo, endingSo } from "./number-query.ts";
import { readPlan, type Reading } from "./reading.ts";
import { suggestQuery } from "./correction.ts";
import { groupQuery } from "./word-query.ts";

type Query = estypes.QueryDslQueryContainer;

/** The server refuses what goes deeper. */
const MAX_DEPTH = 10_000;
/** Above whatever words can score, and exact in 32 bits. */
const TIER_SCORE = 1_000_000;

const ACTIVE: Query = { term: { status: "active" } };

/** What matches, with its score, and which parts are shown though they are discontinued. */
interface Matching {
  query: Query;
  named: Query;
  /** Nothing matches, whatever the filters. */
  isNothing: boolean;
}

/** @param index the alias, or name on the server, of what is searched: a page comes from one request, and so from one index */
export async function search(client: Client, index: string, query: SearchQuery, synonyms: Synonyms): Promise<SearchPage> {
  const isEmpty = query.q.trim() === "";
  const plan: QueryPlan | undefined = isEmpty ? undefined : planQuery(query.q, synonyms);
  const matching = plan === undefined ? EVERYTHING : toMatching(plan, await readPlan(client, index, plan));
  const filters = facetFilters(query);
  const from = Math.min(query.offset, MAX_DEPTH);
  const answer = await client.search<unknown, Record<string, unknown>>({
    index, from, size: Math.min(query.limit, MAX_DEPTH - from),
    query: { bool: { must: matching.query, filter: statusFilter(query, matching.named) } },
    post_filter: { bool: { filter: Object.values(filters) } },
    aggs: facetAggregations(filters),
    sort: sortOf(query),
    track_total_hits: true,
    allow_partial_search_results: false,
  }, PROMPT);
  if (answer.timed_out) throw unavailable("the search took too long");
  const page: SearchPage = {
    hits: answer.hits.hits.map(({ _source }) => {
      const document = toDocument(_source);
      return { document, highlights: plan === undefined ? {} : highlightsOf(document, plan) };
    }),
    total: (answer.hits.total as estypes.SearchTotalHits).value,
    facets: toFacets(answer.aggregations as unknown as FacetAnswers),
  };
  const suggestion = matching.isNothing ? await suggestQuery(client, index, query.q, synonyms) : undefined;
  return suggestion === undefined ? page : { ...page, suggestion };
}

const EVERYTHING: Matching = { query: { constant_score: { filter: { match_all: {} } } }, named: { match_none: {} }, isNothing: false };

function toMatching({ numbers }: QueryPlan, reading: Reading): Matching {
  const named = anyOf([reading.exact, reading.variant]);
  const tiers: Record<Exclude<keyof typeof TIER, "words">, Query> = {
    exact: { bool: { filter: [reading.exact, ACTIVE] } },
    variant: { bool: { filter: [reading.variant, ACTIVE] } },
    successor: { terms: { id: reading.successors } },
    replaced: { bool: { filter: named, must_not: ACTIVE } },
    prefix: anyOf(beginningSo(numbers)),
    suffix: anyOf(endingSo(numbers)),
  };
  const queries = (Object.entries(tiers) as [keyof typeof tiers, Query][]).map(([tier, filter]): Query => ({
    constant_score: { filter, boost: (TIER.words - TIER[tier]) * TIER_SCORE },
  }));
  // Of parts that are named by number, what else the words hit says nothing: the best tier alone counts.
  return { query: { dis_max: { queries: [...queries, wordsQuery(reading)] } }, named, isNothing: reading.isNothing };
}

function wordsQuery({ words, corrections }: Reading): Query {
  if (words.length === 0) return { match_none: {} };
  return { bool: { must: words.map(({ group, weight }) => ({ bool: { must: groupQuery(group, corrections), boost: weight } })) } };
}

/** A part that is named by its number is shown though it is discontinued. */
function statusFilter({ status }: SearchQuery, named: Query): Query {
  return status === "active" ? anyOf([ACTIVE, named]) : { term: { status } };
}

function sortOf({ sort }: SearchQuery): estypes.SortCombinations[] {
  const relevance: estypes.SortCombinations[] = [{ _score: { order: "desc" } }, { "search.quality": "desc" }, { id: "asc" }];
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
