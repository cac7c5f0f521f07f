import type { PassageIndex } from "./port.ts";
import { openEmbeddedPassages } from "./embedded/passage-index.ts";

export interface PassageIndexOptions {
  /** Given, the index is on Elasticsearch; the URL may carry credentials. */
  elasticsearchUrl?: string;
  /** Put before the name of its index: systems with different ones share a server without meeting. */
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
  // Loaded on demand: an embedded start does not pay for the client.
  const { openElasticsearchPassages } = await import("./elasticsearch/passage-index.ts");
  return openElasticsearchPassages({ url: elasticsearchUrl, prefix: elasticsearchPrefix, synonyms });
}
