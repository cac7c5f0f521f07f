import { expect } from "@jest/globals";
import type { SearchIndex, SearchQuery } from "../src/search-index/port.ts";
import type { SearchPage } from "../src/search-index/search-page.ts";
import { presentPage, type ShownPage } from "../src/search-index/shown.ts";

/** Searches for parts, and for the same as it is sent. */
export async function searched(index: SearchIndex, asked: SearchQuery): Promise<SearchPage> {
  const [page, shown] = await Promise.all([index.search("parts", asked), index.searchShown("parts", asked)]);
  const parsed = ({ hits, facets, ...others }: ShownPage): unknown => ({
    hits: JSON.parse(hits) as unknown,
    facets: JSON.parse(facets) as unknown,
    ...others,
  });
  expect(parsed(shown)).toEqual(parsed(presentPage(page)));
  return page;
}
