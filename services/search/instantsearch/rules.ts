/** Parameters of a search that are read. */
const READ = [
  "params",
  "query",
  "page",
  "hitsPerPage",
  "facets",
  "maxValuesPerFacet",
  "sortFacetValuesBy",
  "facetFilters",
  "numericFilters",
  "filters",
  "highlightPreTag",
  "highlightPostTag",
  "attributesToRetrieve",
  "attributesToHighlight",
  "analytics",
] as const;

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
export const SEARCH_PARAMETERS = [...READ, ...ONLY_OFF, ...ONLY_EMPTY];
