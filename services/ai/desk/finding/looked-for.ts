import { normalizePartNumber } from "../../../../mixins/part-number.ts";
import { marksOf } from "../../../../mixins/personal-data.ts";
import { cleanText } from "../understanding/clean-text.ts";
import { partsOf } from "./evidence.ts";
import type { FoundPart } from "../facts.ts";
import { relevanceOf } from "./relevance.ts";
import type { Finding } from "./retrieval.ts";
import type { Searched } from "../sources/time-limit.ts";
import type { Ask, Question } from "../understanding/understanding.ts";

/** What a question was a search for. */
export interface LookedFor {
  query: string;
  /** Parts. */
  resultsCount: number;
}

/**
 * What is kept of a question (docs/decisions/0012-what-is-kept-of-a-search.md): the numbers or words of it that found
 * parts; where none did, all of it, or the marks alone of what may not be kept, since a name and an address stand
 * beside those. Undefined where nothing was looked up, or not all that could be.
 */
export function lookedFor(
  { text, asks }: Question,
  findings: readonly Finding[],
  failed: ReadonlySet<Searched>,
): LookedFor | undefined {
  const parts = partsOf(findings);
  if (parts.length > 0) {
    const found = findings.filter((finding) => finding.parts.length > 0);
    return {
      query: [...new Set(found.flatMap(({ ask, parts: own }) => thatFound(ask, own)))].join(" "),
      resultsCount: parts.length,
    };
  }
  if (asks.length === 0 || failed.size > 0) return undefined;
  const typed = cleanText(text);
  return { query: marksOf(typed) ?? typed, resultsCount: 0 };
}

/** A number as the part has it, which is nobody's but the part's. */
function thatFound({ mentions, terms, models }: Ask, parts: readonly FoundPart[]): string[] {
  const numbers = parts
    .filter(({ partNumber }) => mentions.some(({ pnNorm }) => pnNorm.endsWith(normalizePartNumber(partNumber))))
    .map(({ partNumber }) => partNumber);
  if (numbers.length > 0) return numbers;
  const isOf = (term: string, { description, rows, catalog }: FoundPart): boolean =>
    relevanceOf({ terms: [term] }, { description: `${description} ${catalog?.title ?? ""}`, schema: rows[0]?.schema })
      .coverage > 0;
  const words = [
    ...terms.filter((term) => parts.some((part) => isOf(term, part))),
    ...models.map(({ equipment }) => equipment),
  ];
  // A number with a slip, a vector: none of the question's own words.
  return words.length > 0 ? words : parts.slice(0, 1).map(({ partNumber }) => partNumber);
}
