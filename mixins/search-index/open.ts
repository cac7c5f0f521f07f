import type { SearchIndex } from "./port.ts";
import type { Logger } from "./embedded/open-live.ts";
import { openEmbeddedIndex } from "./embedded/search-index.ts";

export interface SearchIndexOptions {
  /** Given, the index is on Elasticsearch; the URL may carry credentials. */
  elasticsearchUrl?: string;
  /** Put before the names of its indexes and aliases: systems with different ones share a server without meeting. */
  elasticsearchPrefix?: string;
  /** Directory of the embedded index. */
  directory: string;
  /** Groups of words or phrases that mean the same. */
  synonyms: readonly (readonly string[])[];
  /** Hears of files of the embedded index that cannot be used. */
  logger?: Logger;
}

/** @throws UNAVAILABLE when the index cannot be reached, or is embedded and open in another process */
export async function openSearchIndex({
  elasticsearchUrl,
  elasticsearchPrefix = "",
  directory,
  synonyms,
  logger,
}: SearchIndexOptions): Promise<SearchIndex> {
  if (elasticsearchUrl === undefined) return openEmbeddedIndex({ directory, synonyms, ...(logger && { logger }) });
  // Loaded on demand: an embedded start does not pay for the client.
  const { openElasticsearchIndex } = await import("./elasticsearch/search-index.ts");
  return openElasticsearchIndex({ url: elasticsearchUrl, prefix: elasticsearchPrefix, synonyms });
}
