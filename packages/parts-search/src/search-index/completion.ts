import { listCompounds, hasDigit, queryChunks } from "@partline/parts-language/terms";
import { MAX_COMPLETION, readCompletion, toTypingKey } from "./completions.ts";
import { escapeHtml } from "./highlight.ts";
import type { Suggestion } from "./port.ts";
import { MAX_QUERY, planQuery, type Synonyms, type WordGroup } from "./query-plan.ts";

/** One reading of a query that is being typed: whole words in front, then the beginning of a completion. */
export interface Cut {
  before: string;
  /** How the completion may begin: a size has several spellings. If several words were typed, it is a phrase. */
  keys: string[];
}

/** A completion and the number of active parts that it leads to, together with the words in front. */
export interface Candidate {
  cut: Cut;
  entry: string;
  parts: number;
}

/** Candidates of each cut, those with the most parts: enough, even though several ask for the same. */
export const MAX_COMPLETIONS = 300;
/** Words of a phrase that may have been typed. */
const MAX_TYPED = 4;
const MAX_KEYS = 8;
/** Lengths of a beginning in which an error is forgiven; more letters would make the search for it large. */
const MIN_MISTYPED = 4;
const MAX_MISTYPED = 12;

/** The last word alone comes first. Empty if the query ends in no word, or within a name such as `B&S`. */
export function listCuts(q: string): Cut[] {
  const text = q.slice(0, MAX_QUERY).toWellFormed().trimEnd();
  const starts = [...text.matchAll(/[^\s,;]+/g)].map(({ index }) => index);
  const last = text.slice(starts.at(-1) ?? text.length);
  if (toTypingKey(last) === "" || last.endsWith("&")) return [];
  return starts
    .slice(-MAX_TYPED)
    .reverse()
    .flatMap((start): Cut[] => {
      const tail = text.slice(start);
      const keys = listKeys(tail).filter((key) => key.length <= MAX_COMPLETION);
      return keys.length === 0 ? [] : [{ before: text.slice(0, start), keys: [...new Set(keys)].slice(0, MAX_KEYS) }];
    });
}

/** `air-f` may be `air filter`, `gx 16` may be `gx160`, `23x8.5-12` is a size. */
function listKeys(tail: string): string[] {
  const key = toTypingKey(tail);
  if (!hasDigit(tail)) return [key, toTypingKey(tail.replaceAll("-", " "))];
  return key.includes(" ") ? [key, key.replaceAll(" ", "")] : [key, ...listCompounds(tail)];
}

/** Returns the typed beginning if a letter of it may be wrong; undefined if it is too short or not letters only. */
export function findMistyped({ keys: [key = ""] }: Cut): string | undefined {
  // A letter outside the basic plane is two UTF-16 units.
  return key.length >= MIN_MISTYPED && key.length === [...key].length && /^\p{L}+$/u.test(key)
    ? key.slice(0, MAX_MISTYPED)
    : undefined;
}

/**
 * Returns whether a word begins as typed, except for one letter (not the first) that is extra, missing, wrong or
 * swapped with its neighbour.
 */
export function isAlmostBeginning(word: string, typed: string): boolean {
  let index = 0;
  while (index < typed.length && typed[index] === word[index]) index += 1;
  if (index === typed.length) return true;
  if (index === 0) return false;
  const rest = typed.slice(index + 1);
  const isSwapped =
    word[index] === rest[0] && word[index + 1] === typed[index] && word.startsWith(rest.slice(1), index + 2);
  return (
    word.startsWith(rest, index) ||
    word.startsWith(typed.slice(index), index + 1) ||
    word.startsWith(rest, index + 1) ||
    isSwapped
  );
}

/** The words in front of a completion are whole: `oi filter` asks for no oil. */
export function readWordsInFront({ before: textBefore }: Cut, synonyms: Synonyms): WordGroup[] {
  return planQuery(textBefore, synonyms).words.map(({ alternatives }) => ({
    alternatives: alternatives.map((alternative) => ({
      ...alternative,
      terms: alternative.terms.map((term) => ({ ...term, isBeginning: false })),
    })),
  }));
}

/**
 * Ranks completions of the last word, then phrases, those that lead to most parts first. Leaves out repetitions of
 * the words in front, and all but one of those that ask for the same.
 */
export function rankCandidates(candidates: readonly Candidate[], limit: number, synonyms: Synonyms): Suggestion[] {
  const readings = candidates.map(({ cut, entry, parts }) => ({ cut, parts, ...readCompletion(entry) }));
  const order = readings
    .filter(({ cut, text, parts }) => parts > 0 && !isSaidAgain(cut.before, text))
    .map((reading) => ({
      ...reading,
      query: reading.cut.before + reading.text,
      isPhrase: countWords(reading.text) > countWords(reading.cut.keys[0]!),
    }))
    .sort(
      (a, b) =>
        Number(a.isPhrase) - Number(b.isPhrase) ||
        b.parts - a.parts ||
        (a.query < b.query ? -1 : Number(a.query > b.query)),
    );
  const suggestions = new Map<string, Suggestion>();
  for (const { cut, text, query } of order) {
    if (suggestions.size >= limit) break;
    const queryTerms = queryChunks(query)
      .flatMap(({ terms }) => terms)
      .sort()
      .join(" ");
    if (!suggestions.has(queryTerms) && !isReadAsOne(cut.before, query, synonyms))
      suggestions.set(queryTerms, { text: query, highlighted: markFront(cut.before) + markTyped(text, cut.keys) });
  }
  return [...suggestions.values()];
}

/**
 * Returns whether the last word in front and the completion together are another model or measure, as `fs 730` and
 * `hp`, which may be nowhere.
 */
function isReadAsOne(textBefore: string, query: string, synonyms: Synonyms): boolean {
  const [front, wholeWords] = [textBefore, query].map((text) =>
    planQuery(text, synonyms).words.map(({ alternatives: [typed] }) =>
      typed!.terms.map(({ text: term }) => term).join(" "),
    ),
  );
  const lost = front!.filter((words) => !wholeWords!.includes(words));
  return (
    lost.length > 0 &&
    !wholeWords!.some((words) => synonyms.of.has(words) && lost.every((term) => words.includes(term)))
  );
}

function countWords(text: string): number {
  return toTypingKey(text).split(" ").length;
}

function isSaidAgain(textBefore: string, text: string): boolean {
  const front = new Set(toTypingKey(textBefore).split(" "));
  return toTypingKey(text)
    .split(" ")
    .some((word) => front.has(word));
}

function markFront(textBefore: string): string {
  return textBefore
    .split(/([\p{L}\p{N}\p{M}]+)/u)
    .map((piece, index) => (index % 2 === 1 ? `<em>${piece}</em>` : escapeHtml(piece)))
    .join("");
}

/** Marks as much as was typed; all of it if it was typed in another way. */
function markTyped(text: string, keys: readonly string[]): string {
  for (const { index: start } of text.matchAll(/(?<![^\s-])[^\s]/gu)) {
    const key = keys.find((candidate) => toTypingKey(text.slice(start)).startsWith(candidate));
    if (key === undefined) continue;
    let end = start + 1;
    while (end < text.length && toTypingKey(text.slice(start, end)).length < key.length) end += 1;
    return `${escapeHtml(text.slice(0, start))}<em>${escapeHtml(text.slice(start, end))}</em>${escapeHtml(text.slice(end))}`;
  }
  return `<em>${escapeHtml(text)}</em>`;
}
