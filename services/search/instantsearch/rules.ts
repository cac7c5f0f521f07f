/** The parameters of a search that are read, beside those that may only be off or empty. */
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

/** Parameters of algolia that would ask for something we do not do; off they are what we do anyway. */
export const ONLY_OFF = [
  "clickAnalytics",
  "enablePersonalization",
  "enableABTest",
  "enableReRanking",
  "getRankingInfo",
  "distinct",
];
/** Lists that ask for nothing when they are empty. */
export const ONLY_EMPTY = ["attributesToSnippet", "tagFilters", "ruleContexts", "optionalFilters", "optionalWords"];

/** What a request that is a body of its own may have. */
export const SEARCH_PARAMETERS = [...READ, ...ONLY_OFF, ...ONLY_EMPTY];
