import { MAX_COMPLETION, readCompletion, typingKey } from "./completions.ts";
import { escapeHtml } from "./highlight.ts";
import type { Suggestion } from "./port.ts";
import { MAX_QUERY, planQuery, type Synonyms, type WordGroup } from "./query-plan.ts";
import { compoundsOf, hasDigit, queryChunks } from "./text.ts";

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
export function cutsOf(q: string): Cut[] {
  const text = q.slice(0, MAX_QUERY).toWellFormed().trimEnd();
  const starts = [...text.matchAll(/[^\s,;]+/g)].map(({ index }) => index);
  const last = text.slice(starts.at(-1) ?? text.length);
  if (typingKey(last) === "" || last.endsWith("&")) return [];
  return starts
    .slice(-MAX_TYPED)
    .reverse()
    .flatMap((start): Cut[] => {
      const tail = text.slice(start);
      const keys = keysOf(tail).filter((key) => key.length <= MAX_COMPLETION);
      return keys.length === 0 ? [] : [{ before: text.slice(0, start), keys: [...new Set(keys)].slice(0, MAX_KEYS) }];
    });
}

/** `air-f` may be `air filter`, `gx 16` may be `gx160`, `23x8.5-12` is a size. */
function keysOf(tail: string): string[] {
  const key = typingKey(tail);
  if (!hasDigit(tail)) return [key, typingKey(tail.replaceAll("-", " "))];
  return key.includes(" ") ? [key, key.replaceAll(" ", "")] : [key, ...compoundsOf(tail)];
}

/** Returns the typed beginning if a letter of it may be wrong; undefined if it is too short or not letters only. */
export function mistyped({ keys: [key = ""] }: Cut): string | undefined {
  // A letter outside the basic plane is two UTF-16 units.
  return key.length >= MIN_MISTYPED && key.length === [...key].length && /^\p{L}+$/u.test(key)
    ? key.slice(0, MAX_MISTYPED)
    : undefined;
}

/**
 * Whether a word begins as typed, except for one letter (not the first) that is extra, missing, wrong or swapped with
 * its neighbour.
 */
export function beginsAlmostAs(word: string, typed: string): boolean {
  let at = 0;
  while (at < typed.length && typed[at] === word[at]) at += 1;
  if (at === typed.length) return true;
  if (at === 0) return false;
  const rest = typed.slice(at + 1);
  const isSwapped = word[at] === rest[0] && word[at + 1] === typed[at] && word.startsWith(rest.slice(1), at + 2);
  return (
    word.startsWith(rest, at) || word.startsWith(typed.slice(at), at + 1) || word.startsWith(rest, at + 1) || isSwapped
  );
}

/** The words in front of a completion are whole: `oi filter` asks for no oil. */
export function wordsInFront({ before }: Cut, synonyms: Synonyms): WordGroup[] {
  return planQuery(before, synonyms).words.map(({ alternatives }) => ({
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
export function ranked(candidates: readonly Candidate[], limit: number, synonyms: Synonyms): Suggestion[] {
  const read = candidates.map(({ cut, entry, parts }) => ({ cut, parts, ...readCompletion(entry) }));
  const order = read
    .filter(({ cut, text, parts }) => parts > 0 && !isSaidAgain(cut.before, text))
    .map((each) => ({
      ...each,
      query: each.cut.before + each.text,
      isPhrase: wordsIn(each.text) > wordsIn(each.cut.keys[0]!),
    }))
    .sort(
      (a, b) =>
        Number(a.isPhrase) - Number(b.isPhrase) ||
        b.parts - a.parts ||
        (a.query < b.query ? -1 : Number(a.query > b.query)),
    );
  const told = new Map<string, Suggestion>();
  for (const { cut, text, query } of order) {
    if (told.size >= limit) break;
    const asked = queryChunks(query)
      .flatMap(({ terms }) => terms)
      .sort()
      .join(" ");
    if (!told.has(asked) && !isReadAsOne(cut.before, query, synonyms))
      told.set(asked, { text: query, highlighted: markFront(cut.before) + markTyped(text, cut.keys) });
  }
  return [...told.values()];
}

/**
 * Whether the last word in front and the completion together are another model or measure, as `fs 730` and `hp`,
 * which may be nowhere.
 */
function isReadAsOne(before: string, query: string, synonyms: Synonyms): boolean {
  const [front, whole] = [before, query].map((text) =>
    planQuery(text, synonyms).words.map(({ alternatives: [typed] }) =>
      typed!.terms.map(({ text: term }) => term).join(" "),
    ),
  );
  const lost = front!.filter((words) => !whole!.includes(words));
  return (
    lost.length > 0 && !whole!.some((words) => synonyms.of.has(words) && lost.every((each) => words.includes(each)))
  );
}

function wordsIn(text: string): number {
  return typingKey(text).split(" ").length;
}

function isSaidAgain(before: string, text: string): boolean {
  const front = new Set(typingKey(before).split(" "));
  return typingKey(text)
    .split(" ")
    .some((word) => front.has(word));
}

function markFront(before: string): string {
  return before
    .split(/([\p{L}\p{N}\p{M}]+)/u)
    .map((piece, index) => (index % 2 === 1 ? `<em>${piece}</em>` : escapeHtml(piece)))
    .join("");
}

/** Marks as much as was typed; all of it if it was typed in another way. */
function markTyped(text: string, keys: readonly string[]): string {
  for (const { index: start } of text.matchAll(/(?<![^\s-])[^\s]/gu)) {
    const key = keys.find((each) => typingKey(text.slice(start)).startsWith(each));
    if (key === undefined) continue;
    let end = start + 1;
    while (end < text.length && typingKey(text.slice(start, end)).length < key.length) end += 1;
    return `${escapeHtml(text.slice(0, start))}<em>${escapeHtml(text.slice(start, end))}</em>${escapeHtml(text.slice(end))}`;
  }
  return `<em>${escapeHtml(text)}</em>`;
}
