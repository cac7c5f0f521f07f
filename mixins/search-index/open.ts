import type { SearchIndex } from "./port.ts";
import { openEmbeddedIndex } from "./sqlite/search-index.ts";

export interface SearchIndexOptions {
  /** Directory of the embedded index. */
  directory: string;
}

/** @throws UNAVAILABLE when the index cannot be opened, or is embedded and open in another process */
export function openSearchIndex({ directory }: SearchIndexOptions): Promise<SearchIndex> {
  return openEmbeddedIndex(directory);
}
