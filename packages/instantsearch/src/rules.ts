import { any, array, boolean, integer, oneOf, rules, string } from "@partline/api-contracts";
import { ATTRIBUTES, MAX_DEPTH } from "@partline/parts-search";

/** Hits of all requests in one call: about half of a NATS message. */
export const MAX_HITS = 500;

/** Parameters of one request. Algolia has fewer. */
export const MOST_PARAMETERS = 100;

export const HIT_ATTRIBUTES = [
  "objectID",
  "id",
  "productId",
  "slug",
  "sku",
  "partNumber",
  "title",
  "manufacturer",
  "category",
  "price",
  "unitPrice",
  "currency",
  "imageUrl",
  "availability",
  "status",
  "supersededBy",
] as const;
export const HIGHLIGHTED_ATTRIBUTES = ["partNumber", "title"] as const;

const createNamesRule = <const V extends string>(values: readonly V[]) => array(oneOf(values), { optional: true });

const anything = any({ optional: true });

/** Parameters of a search that are read. */
export const PARAMETERS = rules({
  query: string({ max: 512, default: "" }),
  page: integer({ min: 0, max: MAX_DEPTH, default: 0 }),
  hitsPerPage: integer({ min: 0, max: 100, default: 20 }),
  facets: createNamesRule(["manufacturer", "category", "availability", ...ATTRIBUTES, "price"]),
  maxValuesPerFacet: integer({ min: 1, max: 100, default: 10 }),
  sortFacetValuesBy: oneOf(["count", "alpha"], { default: "count" }),
  facetFilters: anything,
  numericFilters: anything,
  filters: anything,
  highlightPreTag: string({ max: 100, default: "<em>" }),
  highlightPostTag: string({ max: 100, default: "</em>" }),
  attributesToRetrieve: createNamesRule(HIT_ATTRIBUTES),
  attributesToHighlight: createNamesRule(HIGHLIGHTED_ATTRIBUTES),
  analytics: boolean({ default: true }),
});

/** Further parameters of a search in the values of a facet. */
export const FACET_PARAMETERS = rules({
  facet: oneOf(["manufacturer", "category", "availability", ...ATTRIBUTES]),
  facetQuery: string({ max: 512, default: "" }),
  maxFacetHits: integer({ min: 1, max: 100, default: 10 }),
});

/** Unsupported parameters of Algolia, accepted if they are off. */
export const ONLY_OFF = [
  "clickAnalytics",
  "enablePersonalization",
  "enableABTest",
  "enableReRanking",
  "getRankingInfo",
  "distinct",
];
/** Unsupported lists, accepted if they are empty. */
export const ONLY_EMPTY = ["attributesToSnippet", "tagFilters", "ruleContexts", "optionalFilters", "optionalWords"];

/** Parameters of a request that is the whole body. */
export const SEARCH_PARAMETERS = ["params", ...Object.keys(PARAMETERS), ...ONLY_OFF, ...ONLY_EMPTY];
