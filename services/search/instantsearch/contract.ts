import type { ActionDefinition, HttpRoute } from "../../../broker/contract/define.ts";
import { rule, rules } from "../../../broker/contract/rules.ts";
import { MAX_HITS, SEARCH_BULKHEAD } from "../limits.ts";

/** The search API that InstantSearch and Algolia's clients speak, as far as it is supported. */

const shared = {
  method: "POST",
  entries: ["search", "gateway"],
  access: "none",
  envelope: false,
  errors: "message",
} as const satisfies Partial<HttpRoute>;

const requestParams = rules({
  requests: {
    type: "array",
    min: 1,
    max: 50,
    items: { type: "record", key: { type: "string" }, value: { type: "any" } },
    description:
      "Each has `indexName` and its parameters: under `params` as an object or as a URL-encoded string, or beside `indexName`. " +
      "Indexes: `parts`, and its sorted replicas `parts_price_asc`, `parts_price_desc` and `parts_newest`. " +
      `Parameters: \`query\`, \`page\` (from 0), \`hitsPerPage\` (20, at most 100, of all requests together ${MAX_HITS}), ` +
      "`facets` and `facetFilters` of `manufacturer`, `category` and `status` " +
      "(the last is a filter only), `facets` also of `price` (its `facets_stats`), `numericFilters` of `price`, `filters` joined by AND of terms " +
      "and of alternatives joined by OR, `maxValuesPerFacet` (10, at most 100), `sortFacetValuesBy`, `highlightPreTag`, `highlightPostTag`, " +
      '`attributesToRetrieve`, `attributesToHighlight`, `analytics` (`false` records no event). With `type: "facet"`, `facet`, `facetQuery` and `maxFacetHits` it searches ' +
      "the values of a facet. Any other parameter is refused by name.",
    example: [
      { indexName: "parts", params: { query: "carburetor", hitsPerPage: 5, facets: ["category", "manufacturer"] } },
    ],
  },
  strategy: { type: "enum", values: ["none"], default: "none" },
});

const resultRule = rule({
  type: "record",
  key: { type: "string" },
  value: { type: "any" },
  description:
    "`hits` (a part preview with `objectID` and `_highlightResult`, whose values are not escaped), `nbHits`, `page`, `nbPages`, `hitsPerPage`, " +
    "`facets`, `facets_stats`, `exhaustiveNbHits`, `exhaustiveFacetsCount`, `query`, `params`, `index`, `processingTimeMS`. `facets_stats.price` is told without the filter on " +
    "price, and its values are not counted one by one. Of a search in facet values: `facetHits`, `exhaustiveFacetsCount`, `processingTimeMS`",
});

const results = rule({ type: "object", props: { results: { type: "array", items: resultRule } } });

export const instantsearchAction = {
  summary: "Search as InstantSearch does",
  description:
    'For a searchClient of one line: `{ search: (requests) => fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, ' +
    "body: JSON.stringify({ requests }) }).then((response) => response.json()) }`.",
  params: requestParams,
  result: results,
  errors: ["SERVICE_UNAVAILABLE"],
  http: [{ ...shared, path: "/api/search/instantsearch" }],
  bulkhead: SEARCH_BULKHEAD,
  idempotent: true,
} as const satisfies ActionDefinition;

export const algoliaQueriesAction = {
  summary: "Search as Algolia's own clients do",
  description:
    "What `algoliasearch` sends when its `hosts` are this address. Its application id and key are not looked at.",
  params: {
    indexes: { type: "string", pattern: /^\*$/, words: "*", example: "*" },
    ...requestParams,
    "x-algolia-agent": {
      type: "string",
      max: 2_000,
      optional: true,
      description: "The client's name; comes in the query",
    },
    "x-algolia-application-id": { type: "string", max: 200, optional: true },
    "x-algolia-api-key": { type: "string", max: 2_000, optional: true },
  },
  result: results,
  errors: ["SERVICE_UNAVAILABLE"],
  http: [
    {
      ...shared,
      path: "/1/indexes/{indexes}/queries",
      consumes: ["application/json", "text/plain", "application/x-www-form-urlencoded"],
    },
  ],
  bulkhead: SEARCH_BULKHEAD,
  idempotent: true,
} as const satisfies ActionDefinition;
