import { normalizePartNumber } from "../../../mixins/part-number.ts";
import { marksOf } from "../../../mixins/personal-data.ts";
import { partsOf } from "./compose.ts";
import type { Searched } from "./guarded.ts";
import { isCalled } from "./names.ts";
import { saidOf, type FoundPart } from "./port.ts";
import type { Item, Question } from "./question.ts";
import type { Finding } from "./retrieval.ts";
import { cleanText } from "../../../mixins/safe-words.ts";

/** What a question was a search for. */
export interface LookedFor {
  query: string;
  /** Parts. */
  resultsCount: number;
}

/**
 * What is kept of a question (docs/decisions/0012-what-is-kept-of-a-search.md): the numbers or words of it that found
 * parts; if none did, all of it, or the marks alone of what may not be kept, since a name and an address stand beside
 * those. Undefined if nothing was looked up, or not all that could be.
 */
export function lookedFor(
  { items }: Question,
  typed: string,
  findings: readonly Finding[],
  failed: ReadonlySet<Searched>,
): LookedFor | undefined {
  const parts = partsOf(findings);
  if (parts.length > 0) {
    const found = findings.filter((finding) => finding.parts.length > 0);
    const words = found.flatMap(({ item, parts: own }) => thatFound(item, own));
    return { query: [...new Set(words)].join(" "), resultsCount: parts.length };
  }
  if (items.length === 0 || failed.size > 0) return undefined;
  const text = cleanText(typed);
  return { query: marksOf(text) ?? text, resultsCount: 0 };
}

/** A number as the part has it, which is nobody's but the part's. */
function thatFound({ mentions, terms, models }: Item, parts: readonly FoundPart[]): string[] {
  const numbers = parts
    .filter(({ partNumber }) => mentions.some(({ pnNorm }) => pnNorm.endsWith(normalizePartNumber(partNumber))))
    .map(({ partNumber }) => partNumber);
  if (numbers.length > 0) return numbers;
  const words = [...terms.filter((term) => parts.some((part) => isCalled([term], saidOf(part)))), ...models];
  // A number with a slip, a vector: none of the question's own words.
  return words.length > 0 ? words : parts.slice(0, 1).map(({ partNumber }) => partNumber);
}
