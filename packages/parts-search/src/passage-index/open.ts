import type { SearchIndexOptions } from "../search-index/open.ts";
import type { PassageIndex } from "./port.ts";
import { openEmbeddedPassages } from "./embedded/passage-index.ts";

/** @throws UNAVAILABLE when the index cannot be reached, or is embedded and open in another process */
export async function openPassageIndex({
  elasticsearchUrl,
  elasticsearchPrefix = "",
  directory,
  synonyms,
}: Omit<SearchIndexOptions, "logger">): Promise<PassageIndex> {
  if (elasticsearchUrl === undefined) return openEmbeddedPassages(directory, synonyms);
  // Loaded on demand: an embedded start does without the client.
  const { openElasticsearchPassages } = await import("./elasticsearch/passage-index.ts");
  return openElasticsearchPassages(elasticsearchUrl, elasticsearchPrefix, synonyms);
}
