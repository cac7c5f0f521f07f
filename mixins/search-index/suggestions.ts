import { escapeHtml, highlighterOf } from "./highlight.ts";
import type { IndexDocument, Suggestion } from "./port.ts";
import type { QueryPlan } from "./query-plan.ts";

/** A part whose number begins as was typed. */
export function suggestedPart(document: IndexDocument, plan: QueryPlan): Suggestion {
  const { partNumber } = document;
  return {
    text: partNumber,
    highlighted: highlighterOf(plan)(document).partNumber ?? escapeHtml(partNumber),
    document,
  };
}

/** Numbers come first, and leave half of the room to words where there are words. */
export function withNumbers(numbers: readonly Suggestion[], words: readonly Suggestion[], limit: number): Suggestion[] {
  const most = Math.max(Math.ceil(limit / 2), limit - words.length);
  return [...numbers.slice(0, most), ...words].slice(0, limit);
}
