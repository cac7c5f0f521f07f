import { MAX_COMPLETION, readCompletion, typingKey } from "./completions.ts";
import { escapeHtml } from "./highlight.ts";
import type { Suggestion } from "./port.ts";
import { MAX_QUERY, planQuery, type Synonyms, type WordGroup } from "./query-plan.ts";
import { compoundsOf, hasDigit, queryChunks } from "./text.ts";

/**
 * One way to read a query that is still being typed: the words in front stand, the rest is the beginning of a
 * completion.
 */
export interface Cut {
  before: string;
  /** How that completion begins, any of these: a size has several spellings. Of several words, only a phrase is one. */
  keys: string[];
}

/** An entry of the index that begins so, and the active parts that it leads to beside the words in front. */
export interface Candidate {
  cut: Cut;
  entry: string;
  parts: number;
}

/**
 * Of each cut so many candidates are ranked, those that lead to most parts: enough are left without those that ask for
 * the same.
 */
export const MAX_COMPLETIONS = 300;
/** Words of a phrase that may have been typed. */
const MAX_TYPED = 4;
const MAX_KEYS = 8;
/**
 * A word is taken for mistyped from this length on, and by its first letters only, so that what looks for it stays
 * small.
 */
const MIN_MISTYPED = 4;
const MAX_MISTYPED = 12;

/** The last word alone comes first. None where the query ends in no word, or in the middle of a name such as `B&S`. */
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

/**
 * The beginning of the last word as it may be mistyped by one letter; undefined where it is too short or has a digit.
 */
export function mistyped({ keys: [key = ""] }: Cut): string | undefined {
  // A letter outside the basic plane is two characters, of which neither is one.
  return key.length >= MIN_MISTYPED && key.length === [...key].length && /^\p{L}+$/u.test(key)
    ? key.slice(0, MAX_MISTYPED)
    : undefined;
}

/**
 * Whether a word begins as was typed but for one letter that is too many, missing, wrong or in its neighbour's place,
 * and not the first.
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

/** What parts must have for the words in front of a completion. They are whole: `oi filter` asks for no oil. */
export function wordsInFront({ before }: Cut, synonyms: Synonyms): WordGroup[] {
  return planQuery(before, synonyms).words.map(({ alternatives }) => ({
    alternatives: alternatives.map((alternative) => ({
      ...alternative,
      terms: alternative.terms.map((term) => ({ ...term, isBeginning: false })),
    })),
  }));
}

/**
 * Completions in the order in which they are told: of the last word, then what goes on behind it, those that lead to
 * most parts first. One of several that ask for the same is told, and none that says again what stands in front.
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
 * Whether the last word in front is another model or measure together with the completion, as that of `fs 730` with
 * `hp`: that may be nowhere.
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

/** As much as was typed, of the word that begins so; all of what was typed in another way. */
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
