import { queryChunks } from "../../mixins/search-index/text.ts";

/**
 * Whether a suggested query is worth showing: `and` alone is not, although parts have words that begin like it. Beside a term
 * that tells something the index drops such words from a query; a digit is one.
 */
export function isWorthShowing(suggestion: string): boolean {
  return queryChunks(`${suggestion} 0`).length > 1;
}
