/** Shortest word that may be misspelt. */
const SHORT = 4;
/** The nearest words that replace a misspelt one. */
export const MAX_CORRECTIONS = 5;

const MOST_TYPOS = 2;

/** Letters that may be wrong: none below 4 letters or with a digit, one below 9, else two. */
function countAllowedTypos(word: string): 0 | 1 | 2 {
  if (word.length < SHORT || !/^\p{L}+$/u.test(word)) return 0;
  return word.length < 9 ? 1 : MOST_TYPOS;
}

/** `countAllowedTypos` of a singular or, if that is too short, of the word that was typed. */
export function countForgivenTypos(text: string, typed: string): 0 | 1 | 2 {
  return countAllowedTypos(text) || countAllowedTypos(typed);
}

/** A short word may be misspelt only if no known word begins like it. */
export function isShort(word: string): boolean {
  return word.length <= SHORT;
}

/**
 * Returns the edits from the text to the word; undefined if it is no misspelling of it. A short text may lack one
 * letter, not the first, have one twice or one that sounds alike, or two neighbours swapped: too many words of four
 * letters differ by one.
 * @param typed the word whose singular the text is: `woos`, typed for `Woods`, has three letters without its s
 */
export function computeForgivenEdits(text: string, word: string, typed = text): number | undefined {
  if (!isNear(text, word, MOST_TYPOS)) return undefined;
  const max = countForgivenTypos(text, typed);
  if (isShort(typed) && (word[0] !== text[0] || (word.length <= text.length && !isSlip(text, word)))) return undefined;
  return computeEditsWithin(text, word, max);
}

/** The edits from one word to the other; undefined if they are more. */
export function computeEditsWithin(a: string, b: string, most: number): number | undefined {
  if (!isNear(a, b, most)) return undefined;
  const edits = computeEditDistance(a, b);
  return edits <= most ? edits : undefined;
}

/** Returns whether so few edits may do, at a small part of the cost of counting them. */
function isNear(a: string, b: string, edits: number): boolean {
  return (
    Math.abs(a.length - b.length) <= edits && countMissingLetters(a, b) <= edits && countMissingLetters(b, a) <= edits
  );
}

/** Counts the letters of one word that the other lacks, a lower bound of the distance: an edit mends one of them. */
function countMissingLetters(a: string, b: string): number {
  let missing = toLetters(a) & ~toLetters(b);
  let count = 0;
  for (; missing !== 0; missing &= missing - 1) count += 1;
  return count;
}

/** A bit for each letter, of which some share one. */
function toLetters(word: string): number {
  let letters = 0;
  for (let index = 0; index < word.length; index += 1) letters |= 1 << (word.charCodeAt(index) & 31);
  return letters;
}

/** Returns those of the words that are nearest to a misspelt one, the most frequent first. */
export function findNearestWords(
  { text, typed }: { text: string; typed: string },
  words: readonly string[],
  frequencyOf: (word: string) => number,
  most = MAX_CORRECTIONS,
): string[] {
  let nearest: string[] = [];
  let least = Infinity;
  for (const word of words) {
    const edits = computeForgivenEdits(text, word, typed) ?? 0;
    if (edits === 0 || edits > least) continue;
    if (edits < least) nearest = [];
    least = edits;
    nearest.push(word);
  }
  return nearest
    .map((word) => ({ word, frequency: frequencyOf(word) }))
    .sort((a, b) => b.frequency - a.frequency || (a.word < b.word ? -1 : 1))
    .slice(0, most)
    .map(({ word }) => word);
}

/** Letters of words that are corrected. */
export const SHORTEST_CORRECTED = 3;
export const LONGEST_CORRECTED = 30;

/** Returns the halves that a word may be: `sparkplug` is `spark plug`. */
export function listHalves(text: string): [string, string][] {
  if (text.length > LONGEST_CORRECTED) return [];
  return Array.from({ length: Math.max(0, text.length - 2 * SHORTEST_CORRECTED + 1) }, (_, index) => [
    text.slice(0, index + SHORTEST_CORRECTED),
    text.slice(index + SHORTEST_CORRECTED),
  ]);
}

/** Letters that are written for each other by ear: `hoze`, `coyl`. */
const BY_EAR = ["iy", "sz", "cs", "ck", "kq", "gj", "fv"];

/** The word by ear, with its letters in another order, or with one of them twice: `rodd`. */
export function isSlip(text: string, word: string): boolean {
  if (text.length === word.length + 1) return text.replace(/(.)\1/, "$1") === word;
  return (
    text.length === word.length &&
    (isSoundAlike(text, word) ||
      (toLetters(text) === toLetters(word) && [...text].sort().join("") === [...word].sort().join("")))
  );
}

function isSoundAlike(text: string, word: string): boolean {
  return [...text].every(
    (letter, index) =>
      letter === word[index] || BY_EAR.some((pair) => pair.includes(letter) && pair.includes(word[index]!)),
  );
}

/** Optimal string alignment (Damerau-Levenshtein) distance: a swap of neighbours is one edit. */
export function computeEditDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let distance = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        distance = Math.min(distance, beforeLast[j - 2]! + 1);
      row.push(distance);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
