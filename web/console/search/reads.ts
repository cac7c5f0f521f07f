import { partline } from "../partline.ts";

/** What the search page reads. */
export const searchLists = {
  "search-indexes": async () => {
    const { indexes } = await partline.search.indexes();
    return { data: indexes.map((index) => ({ ...index, id: index.name })), total: indexes.length };
  },
  "search-builds": async () => {
    const { builds } = await partline.search.builds();
    return { data: builds.map((build) => ({ ...build, id: build.buildId })), total: builds.length };
  },
  synonyms: async () => {
    const { sets } = await partline.search.synonyms();
    return { data: sets.map((set) => ({ ...set, id: set.language })), total: sets.length };
  },
  "zero-hits": async () => {
    const { queries } = await partline.analytics.zeroHits({ limit: 20 });
    return { data: queries.map((query) => ({ ...query, id: query.query })), total: queries.length };
  },
};
