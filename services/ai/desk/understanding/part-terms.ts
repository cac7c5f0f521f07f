import { queryChunks } from "../../../../mixins/search-index/text.ts";
import { QUESTION_WORDS } from "./question-words.ts";

/** Terms of one question that count. */
const MOST_TERMS = 12;

/** What of a text may name a part: its terms without the words of questions. */
export function partTerms(text: string): string[] {
  const telling = text
    .split(/\s+/)
    .filter((word) => !QUESTION_WORDS.has(word.toLowerCase()))
    .join(" ");
  const terms = queryChunks(telling).flatMap(({ terms: own, compact, only }) =>
    only === undefined ? (own.length > 1 && compact !== undefined ? [compact] : own) : [only],
  );
  return [...new Set(terms)]
    .filter((term) => !QUESTION_WORDS.has(term) && (term.length > 1 || /\d/.test(term)) && !/^\d{1,3}$/.test(term))
    .slice(0, MOST_TERMS);
}
