import { queryChunks } from "@partline/parts-language/terms";
import { escapeHtml, createHighlighter } from "./highlight.ts";
import type { Suggestion } from "./port.ts";
import type { HitDocument } from "./index-document.ts";
import { MAX_CHUNKS, MAX_QUERY, type PlannedTerm, type QueryPlan } from "./query-plan.ts";

/** Suggests a part whose number begins as typed. */
export function toPartSuggestion(document: HitDocument, plan: QueryPlan): Suggestion {
  const { partNumber } = document;
  return {
    text: partNumber,
    highlighted: createHighlighter(plan)(document).partNumber ?? escapeHtml(partNumber),
    document,
  };
}

/** Puts numbers first, and leaves at least half of the places to words if there are so many. */
export function withNumbers(numbers: readonly Suggestion[], words: readonly Suggestion[], limit: number): Suggestion[] {
  const most = Math.max(Math.ceil(limit / 2), limit - words.length);
  return [...numbers.slice(0, most), ...words].slice(0, limit);
}

/** The words of a query, for a suggestion in its place. */
export function listTypedWords(q: string): Pick<PlannedTerm, "text" | "typed">[] {
  return queryChunks(q.slice(0, MAX_QUERY).toWellFormed())
    .slice(0, MAX_CHUNKS)
    .flatMap(({ terms, words = terms, compact }) =>
      compact === undefined
        ? terms.map((text, index) => ({ text, typed: words[index]! }))
        : [{ text: compact, typed: compact }],
    );
}

/**
 * Returns all of the words, or as many of the first as find something together.
 * @param finds returns undefined while it is not known
 */
export function findLongest(
  words: readonly string[],
  finds: (query: string) => boolean | undefined,
): string | undefined {
  for (let count = words.length; count > 0; count -= 1) {
    const query = words.slice(0, count).join(" ");
    const isFound = finds(query);
    if (isFound !== false) return isFound ? query : undefined;
  }
  return undefined;
}
