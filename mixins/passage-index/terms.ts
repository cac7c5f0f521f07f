import { normalizePartNumber } from "../part-number.ts";
import { planQuery, type PlannedTerm, type Synonyms } from "../search-index/query-plan.ts";
import { termsOf } from "../search-index/text.ts";
import type { Passage } from "./port.ts";

/**
 * How passages and questions become terms, the same on every adapter. Terms hold lower-case letters and digits only.
 */

/** Words of a question that say nothing of what is asked for, beside those that no query counts. */
const ASKING = new Set([
  "what",
  "which",
  "who",
  "where",
  "when",
  "why",
  "how",
  "many",
  "much",
  "do",
  "doe",
  "does",
  "did",
  "can",
  "could",
  "would",
  "should",
  "will",
  "is",
  "are",
  "was",
  "be",
  "been",
  "am",
  "it",
  "its",
  "this",
  "that",
  "these",
  "those",
  "there",
  "i",
  "me",
  "my",
  "mine",
  "we",
  "our",
  "you",
  "your",
  "have",
  "has",
  "had",
  "need",
  "want",
  "please",
  "tell",
  "show",
  "find",
  "give",
  "get",
  "fit",
  "fits",
  "use",
  "used",
  "about",
  "any",
  "some",
  "if",
  "as",
  "not",
  "no",
  "so",
  "than",
  "then",
]);

/** Several spellings of one thing that is asked for; any one of them matches. In each, all terms must be there. */
export interface AskedWord {
  spellings: string[][];
  /** Terms that may be misspelt: where nothing has them, what is near counts instead. */
  correctable: PlannedTerm[];
}

/** What of a passage is searched: its own words, and those that say what it is about. */
export function termsOfPassage({ text, schema, heading, equipment }: Passage): {
  words: string;
  about: string;
  models: string[];
} {
  return {
    words: termsOf(text).join(" "),
    about: termsOf([schema ?? "", heading ?? "", ...equipment].join(" ")).join(" "),
    models: modelKeys(equipment),
  };
}

export function modelKeys(models: readonly string[]): string[] {
  return [...new Set(models.map((model) => normalizePartNumber(model).toLowerCase()))].filter((key) => key !== "");
}

/** What a question asks for; empty where it has no word that tells. */
export function askedWords(question: string, synonyms: Synonyms): AskedWord[] {
  const groups = planQuery(question, synonyms).words;
  const telling = groups.filter(
    ({ alternatives: [typed] }) => !typed!.terms.every(({ text, typed: word }) => ASKING.has(text) || ASKING.has(word)),
  );
  return telling.map(({ alternatives }) => ({
    spellings: alternatives.map(({ terms }) => terms.map(({ text }) => text)),
    correctable: alternatives.flatMap(({ kind, terms }) =>
      kind === "typed" ? terms.filter(({ typos }) => typos > 0) : [],
    ),
  }));
}

/** How much what a passage is about counts beside its own words. */
export const ABOUT_WEIGHT = 0.6;
