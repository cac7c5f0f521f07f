import type { SearchQuery } from "../../../../parts-search/src/search-index/port.ts";
import type { IndexDocument } from "../../../../parts-search/src/search-index/index-document.ts";

/** A search engine as the benchmarks use it: the product's own two, and libraries beside them. */
export interface Engine {
  readonly name: string;
  /** Milliseconds of indexing alone, and until what is indexed is what is searched. */
  load(batches: Iterable<IndexDocument[]>): Promise<{ indexing: number; switching: number }>;
  /** The hits' ids in their order, with facets counted. */
  search(query: SearchQuery): Promise<{ ids: string[]; total: number }>;
  /** Queries that what is being typed may become; a library that has no such thing has none. */
  suggest?(q: string, limit: number): Promise<string[]>;
  /** Bytes on disk; undefined where it is all in memory. */
  fileSize(): number | undefined;
  close(): Promise<void>;
}

/** Words that say nothing in a query. */
export const STOP_WORDS = new Set(["a", "an", "and", "for", "of", "or", "the", "with"]);

/** Each of the values with how often it occurs. */
export function countValues(values: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
