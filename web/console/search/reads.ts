import { wholeOf } from "../pages-of.ts";
import { partline } from "../partline.ts";

/** What the search page reads. */
export const searchLists = {
  "search-indexes": async () => wholeOf((await partline.search.indexes()).indexes, ({ name }) => name),
  "search-builds": async () => wholeOf((await partline.search.builds()).builds, ({ buildId }) => buildId),
  synonyms: async () => wholeOf((await partline.search.synonyms()).sets, ({ language }) => language),
  "zero-hits": async () => wholeOf((await partline.analytics.zeroHits({ limit: 20 })).queries, ({ query }) => query),
};
