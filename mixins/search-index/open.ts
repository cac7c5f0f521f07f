import type { SearchIndex } from "./port.ts";
import { openEmbeddedIndex } from "./sqlite/search-index.ts";

export interface SearchIndexOptions {
  /** Directory of the embedded index. */
  directory: string;
  /** Groups of words or phrases that mean the same. */
  synonyms: readonly (readonly string[])[];
}

/** @throws UNAVAILABLE when the index cannot be opened, or is embedded and open in another process */
export function openSearchIndex(options: SearchIndexOptions): Promise<SearchIndex> {
  return openEmbeddedIndex(options);
}
