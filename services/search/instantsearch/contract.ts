import type { ActionDefinition, HttpRoute } from "../../../broker/contract/define.ts";
import { any, array, object, oneOf, record, rules, string } from "@partline/api-contracts";
import { MAX_HITS, MOST_PARAMETERS, SEARCH_PARAMETERS } from "@partline/instantsearch";
import { SEARCH_BULKHEAD } from "../limits.ts";

/** The supported part of the search API of InstantSearch and Algolia's clients. */

const shared = {
  method: "POST",
  entries: ["search", "gateway"],
  access: "none",
  envelope: false,
  errors: "message",
} as const satisfies Partial<HttpRoute>;

const searching = { errors: ["SERVICE_UNAVAILABLE"], bulkhead: SEARCH_BULKHEAD, idempotent: true } as const;

const requestParams = rules({
  requests: array(record(string(), any(), { max: MOST_PARAMETERS }), {
    min: 1,
    max: 50,
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
  }),
  strategy: oneOf(["none"], { default: "none" }),
});

const resultRule = record(string(), any(), {
  description:
    "`hits` (a part preview with `objectID` and `_highlightResult`, whose values are not escaped), " +
    "`nbHits`, `page`, `nbPages`, `hitsPerPage`, `facets`, `facets_stats`, `exhaustiveNbHits`, " +
    "`exhaustiveFacetsCount`, `query`, `params`, `index`, `processingTimeMS`. `facets_stats.price` is " +
    "given without the filter on price, and its values are not counted one by one. Of a search in facet " +
    "values: `facetHits`, `exhaustiveFacetsCount`, `processingTimeMS`",
});

const results = object({ results: array(resultRule) });

export const instantsearchAction = {
  summary: "Search as InstantSearch does",
  description:
    'For a searchClient of one line: `{ search: (requests) => fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, ' +
    "body: JSON.stringify({ requests }) }).then((response) => response.json()) }`.",
  params: requestParams,
  result: results,
  http: [{ ...shared, path: "/api/search/instantsearch" }],
  ...searching,
} as const satisfies ActionDefinition;

/** Parameters of Algolia's clients that are ignored. */
const client = rules({
  "x-algolia-agent": string({
    max: 2_000,
    optional: true,
    example: "Algolia for JavaScript (5.0.0)",
    description: "The client's name",
  }),
  "x-algolia-application-id": string({ max: 200, optional: true, example: "partline" }),
  "x-algolia-api-key": string({ max: 2_000, optional: true, example: "any" }),
});
const clientRoute = {
  ...shared,
  consumes: ["application/json", "text/plain", "application/x-www-form-urlencoded"],
  query: Object.keys(client),
} as const;
const anyIndex = string({ pattern: /^\*$/, words: "*", example: "*" });
const indexName = string({ max: 100, description: "`parts`, or one of its sorted replicas", example: "parts" });
const attributes = array(string({ max: 100 }), {
  max: 50,
  optional: true,
  description: "Without it, or with `*`, all values",
});
const parameter = any({ nullable: true, optional: true });
const objectRule = record(string(), any({ nullable: true }), { description: "A hit without highlights" });

export const algoliaQueriesAction = {
  summary: "Search as Algolia's own clients do",
  description:
    "What `algoliasearch` sends when its `hosts` are this address. Its application id and key are not looked at.",
  params: {
    indexes: anyIndex,
    ...requestParams,
    ...client,
  },
  result: results,
  http: [{ ...clientRoute, path: "/1/indexes/{indexes}/queries" }],
  ...searching,
} as const satisfies ActionDefinition;

export const algoliaQueryAction = {
  summary: "Search one index as Algolia's own clients do",
  description: "`searchSingleIndex`: the parameters that a request of `/1/indexes/*/queries` has, as the body.",
  params: { indexName, ...Object.fromEntries(SEARCH_PARAMETERS.map((name) => [name, parameter])), ...client },
  result: { ...resultRule },
  http: [{ ...clientRoute, path: "/1/indexes/{indexName}/query" }],
  ...searching,
} as const satisfies ActionDefinition;

export const algoliaFacetAction = {
  summary: "Search the values of a facet as Algolia's own clients do",
  description: "`searchForFacetValues`: `params` is the search whose parts are counted.",
  params: {
    indexName,
    facetName: string({ max: 100, example: "category" }),
    params: parameter,
    facetQuery: parameter,
    maxFacetHits: parameter,
    ...client,
  },
  result: { ...resultRule },
  http: [{ ...clientRoute, path: "/1/indexes/{indexName}/facets/{facetName}/query" }],
  ...searching,
} as const satisfies ActionDefinition;

export const algoliaObjectAction = {
  summary: "Get a part by its objectID as Algolia's own clients do",
  params: {
    indexName,
    objectID: string({ max: 200, example: "kaw-159648141" }),
    attributesToRetrieve: string({
      max: 1_000,
      optional: true,
      example: "title,price",
      description: "Joined by commas",
    }),
    ...client,
  },
  result: { ...objectRule },
  http: [{ ...shared, method: "GET", path: "/1/indexes/{indexName}/{objectID}" }],
  ...searching,
  errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
} as const satisfies ActionDefinition;

export const algoliaObjectsAction = {
  summary: "Get parts by their objectIDs as Algolia's own clients do",
  params: {
    indexes: anyIndex,
    requests: array(
      object({
        indexName,
        objectID: string({ max: 200, example: "kaw-159648141" }),
        attributesToRetrieve: attributes,
      }),
      { min: 1, max: 100 },
    ),
    ...client,
  },
  result: object(rules({ results: array({ ...objectRule, nullable: true }) })),
  http: [{ ...clientRoute, path: "/1/indexes/{indexes}/objects" }],
  ...searching,
  errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
} as const satisfies ActionDefinition;
