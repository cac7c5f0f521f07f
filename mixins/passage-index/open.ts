import type { PassageIndex } from "./port.ts";
import { openEmbeddedPassages } from "./embedded/passage-index.ts";

export interface PassageIndexOptions {
  /** Selects Elasticsearch; may carry credentials. */
  elasticsearchUrl?: string;
  /** Precedes index names, so that systems with different ones can share a server. */
  elasticsearchPrefix?: string;
  /** Directory of the embedded index. */
  directory: string;
  /** Groups of words or phrases that mean the same. */
  synonyms: readonly (readonly string[])[];
}

/** @throws UNAVAILABLE when the index cannot be reached, or is embedded and open in another process */
export async function openPassageIndex({
  elasticsearchUrl,
  elasticsearchPrefix = "",
  directory,
  synonyms,
}: PassageIndexOptions): Promise<PassageIndex> {
  if (elasticsearchUrl === undefined) return openEmbeddedPassages({ directory, synonyms });
  // Loaded on demand: an embedded start does without the client.
  const { openElasticsearchPassages } = await import("./elasticsearch/passage-index.ts");
  return openElasticsearchPassages({ url: elasticsearchUrl, prefix: elasticsearchPrefix, synonyms });
}
