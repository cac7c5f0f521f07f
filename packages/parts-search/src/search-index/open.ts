import type { SearchIndex } from "./port.ts";
import type { Logger } from "./embedded/open-live.ts";
import { openEmbeddedIndex } from "./embedded/search-index.ts";

export interface SearchIndexOptions {
  /** Selects Elasticsearch; may carry credentials. */
  elasticsearchUrl?: string;
  /** Precedes the names of indexes and aliases, so that systems with different ones can share a server. */
  elasticsearchPrefix?: string;
  /** Shards of an index that is made from now on. */
  elasticsearchShards?: number;
  /** Directory of the embedded index. */
  directory: string;
  /** Lines of synonyms as `parseSynonyms` reads them. */
  synonyms: readonly string[];
  /** Logs files of the embedded index that are unusable. */
  logger?: Logger;
}

/** @throws UNAVAILABLE when the index cannot be reached, or is embedded and open in another process */
export async function openSearchIndex({
  elasticsearchUrl,
  elasticsearchPrefix = "",
  elasticsearchShards = 1,
  directory,
  synonyms,
  logger,
}: SearchIndexOptions): Promise<SearchIndex> {
  if (elasticsearchUrl === undefined) return openEmbeddedIndex({ directory, synonyms, logger });
  // Loaded on demand: an embedded start does without the client.
  const { openElasticsearchIndex } = await import("./elasticsearch/search-index.ts");
  return openElasticsearchIndex(elasticsearchUrl, elasticsearchPrefix, elasticsearchShards, synonyms);
}
