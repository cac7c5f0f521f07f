import { fold } from "../fold.ts";
import { escapeHtml } from "./highlight.ts";
import type { Suggestion } from "./port.ts";
import { MAX_QUERY } from "./query-plan.ts";
import { hasDigit, isStopWord } from "./text.ts";

/** A query whose last word is still being typed. */
export interface Unfinished {
  before: string;
  /** Folded; never empty. */
  last: string;
}

/** Undefined where the query ends in something else than a word, in one with a digit, or in a name such as `B&S`. */
export function unfinished(q: string): Unfinished | undefined {
  const trimmed = q.slice(0, MAX_QUERY).toWellFormed().trimEnd();
  const word = /[\p{L}\p{N}\p{M}]*$/u.exec(trimmed)![0];
  const last = fold(word);
  const before = trimmed.slice(0, trimmed.length - word.length);
  return last === "" || hasDigit(last) || before.endsWith("&") ? undefined : { before, last };
}

/** Whether a word is worth completing to. */
export function isTelling(term: string): boolean {
  return !hasDigit(term) && !isStopWord(term);
}

export function completed({ before, last }: Unfinished, word: string): Suggestion {
  const marked = before.split(/([\p{L}\p{N}\p{M}]+)/u).map((piece, index) => (index % 2 === 1 ? `<em>${piece}</em>` : escapeHtml(piece)));
  return { text: before + word, highlighted: `${marked.join("")}<em>${last}</em>${word.slice(last.length)}` };
}
