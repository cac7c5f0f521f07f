import {
  isDescribing,
  isPlain,
  isYear,
  isMachineName,
  findNamingWords,
  findRatings,
  listSplits,
  dropExtras,
  dropUnits,
  dropYear,
} from "@partline/parts-language/words";
import { MAX_QUERY } from "./query-plan.ts";
import { getAt } from "@partline/toolkit";

/** Share of the naming words that must match, and a lower one with a matching size, model or number. */
const LEAST_SHARE = { ofWords: 0.7, identified: 0.55 };
/** Searches for one query; a word that is nowhere may be cut in as many ways as it has letters. */
const MOST_SEARCHES = 60;
/** For all of them, milliseconds: their caller waits for the answer that there is nothing. */
const LONGEST_SEARCHING = 2_000;
/** Choices of words to leave out. */
const MOST_TRIES = 20;
const MOST_WORDS = 12;
/** Words of a model, and letters of one without a digit. */
const MOST_OF_A_MODEL = 3;
const LONGEST_OF_A_MODEL = 3;

interface WordCount {
  word: string;
  hits: number;
}

export interface Relaxed {
  q: string;
  /** The hits are of this equipment, as its manuals list them. */
  equipment?: string;
}

export interface Catalog {
  /** Parts that a query finds, of all or of an equipment. */
  count(q: string, equipment?: string): Promise<number>;
  /** Returns whether manuals list parts of an equipment. */
  isEquipment(model: string): Promise<boolean>;
}

interface RelaxContext extends Catalog {
  /** The words as a query, if they find something. */
  finds(words: readonly string[]): Promise<Relaxed | undefined>;
}

/**
 * Returns a query for what a query that finds nothing most likely means: without the words that name no part, without
 * those that name a machine as a whole, a unit or are part of a story, with a model taken for the equipment that the
 * parts are of, and so without a model's year, and without what comes `with` the part; then with words cut that are
 * several, and without the most common of the rest. Words with a digit are sizes, models and numbers: none is left out,
 * but a model's year, and a machine's power or width beside its model. Undefined if too little would be met.
 */
export async function relaxQuery(q: string, { count: search, isEquipment }: Catalog): Promise<Relaxed | undefined> {
  let searches = 0;
  const until = performance.now() + LONGEST_SEARCHING;
  const isEnough = (): boolean => (searches += 1) > MOST_SEARCHES || performance.now() > until;
  const count: Catalog["count"] = async (...args) => (isEnough() ? 0 : search(...args));
  const tried = new Set(["", q]);
  const tryWords = async (words: readonly string[]): Promise<Relaxed | undefined> => {
    for (const query of [words.join(" "), moveNumberLast(words).join(" ")]) {
      if (tried.has(query)) continue;
      tried.add(query);
      if ((await count(query)) > 0) return { q: query };
    }
    return undefined;
  };
  const context = { count, isEquipment, finds: tryWords };
  const isText = (text: string | undefined): text is string => text !== undefined;
  const yearless = dropYear(q);
  const texts = [yearless ?? q, dropExtras(yearless ?? q)].filter(isText);
  for (const text of [...(yearless === undefined ? [] : [q]), ...texts]) {
    const relaxedQuery = await dropNoise(text, context);
    if (relaxedQuery) return relaxedQuery;
  }
  for (const text of texts.toReversed()) {
    const kept = await keepMostWords(text, context, yearless !== undefined);
    if (kept) return kept;
  }
  return undefined;
}

const readWords = (q: string): string[] => findNamingWords(q.slice(0, MAX_QUERY));
const nameNoPart = (word: string): boolean => isMachineName(word) || isPlain(word);

async function dropNoise(q: string, { finds, count, isEquipment }: RelaxContext): Promise<Relaxed | undefined> {
  const typed = readWords(q);
  const wordsWithoutUnits = dropUnits(typed).filter((word) => !isMachineName(word));
  for (const words of [typed, wordsWithoutUnits, wordsWithoutUnits.filter((word) => !isPlain(word))]) {
    const relaxedQuery = await finds(words);
    if (relaxedQuery) return relaxedQuery;
  }
  for (const { model, rest } of findModels(typed.slice(0, MOST_WORDS)))
    if ((await isEquipment(model)) && (await count(rest, model)) > 0) return { q: rest, equipment: model };
  return undefined;
}

/** @param isYearless a year, which is left out, is a word that is not met */
async function keepMostWords(
  q: string,
  { finds, count }: RelaxContext,
  isYearless: boolean,
): Promise<Relaxed | undefined> {
  const namingWordsOfQuery = dropUnits(readWords(q)).filter((word) => !nameNoPart(word));
  const counted = await countWords(namingWordsOfQuery.slice(0, MOST_WORDS), count);
  const metWords = counted.filter(({ hits }) => hits > 0);
  const ratings = findRatings(q);
  const hasRating = ({ word }: WordCount) => ratings.has(/^[\d.]+/.exec(word)?.[0] ?? "");
  const isIdentified = metWords.some((word) => getWeight(word) > 1);
  /** Returns whether a word is a machine's power or width, which says little beside its model. */
  const isRating = (word: WordCount) =>
    hasRating(word) && metWords.some((otherWord) => getWeight(otherWord) > 1 && !hasRating(otherWord));
  const toDropRank = (word: WordCount) => (isRating(word) ? 2 : Number(isDescribing(word.word)));
  if (counted.some((word) => word.hits === 0 && hasDigit(word.word) && !isRating(word))) return undefined;
  const least = isIdentified ? LEAST_SHARE.identified : LEAST_SHARE.ofWords;
  const unmet = counted.length - metWords.length + Number(isYearless);
  const weight = counted.reduce((sum, word) => sum + getWeight(word), Number(isYearless));
  const leftOut = Math.floor(weight * (1 - least)) - unmet;
  const mostCommon = metWords
    .filter((word) => !hasDigit(word.word) || isRating(word))
    .sort((a, b) => toDropRank(b) - toDropRank(a) || b.hits - a.hits);
  let tries = 0;
  for (const dropped of listChoices(mostCommon, leftOut)) {
    if ((tries += 1) > MOST_TRIES) return undefined;
    const keptWords = metWords.flatMap((word) => (dropped.includes(word) ? [] : [word.word]));
    // Loose digits alone are of any part's number.
    if (dropped.length > 0 && keptWords.every((word) => /^[\d./]{1,4}$/.test(word))) continue;
    const relaxedQuery = await finds(keptWords);
    if (relaxedQuery) return relaxedQuery;
  }
  return undefined;
}

/** Yields neighbours that may be a model, as `gt 2254` and no word of a part, with the words around them. */
function* findModels(words: readonly string[]): Generator<{ model: string; rest: string }> {
  for (let length = Math.min(MOST_OF_A_MODEL, words.length); length > 0; length -= 1)
    for (let start = 0; start + length <= words.length; start += 1) {
      const model = words.slice(start, start + length);
      if (model.some(hasDigit) && model.every((word) => hasDigit(word) || word.length <= LONGEST_OF_A_MODEL))
        yield { model: model.join(" "), rest: words.toSpliced(start, length).join(" ") };
    }
}

/** Counts words; one that is nowhere is met by its parts, or with a neighbour: `hydraulic ram`, `dee stone`. */
async function countWords(words: readonly string[], count: Catalog["count"]): Promise<WordCount[]> {
  const counted = (await Promise.all(words.map((word) => countParts(word, count)))).flat();
  for (const [index, { hits }] of counted.entries()) {
    if (hits > 0) continue;
    for (const first of [index - 1, index]) {
      const [left, right] = [counted[first], counted[first + 1]];
      if (!left || !right) continue;
      for (const phrase of [`${left.word} ${right.word}`, left.word + right.word]) {
        const together = await count(phrase);
        if (together > 0) return counted.toSpliced(first, 2, { word: phrase, hits: together });
      }
    }
  }
  return counted;
}

/** The word, or its parts if it is nowhere and they are. */
async function countParts(word: string, count: Catalog["count"]): Promise<WordCount[]> {
  const hits = await count(word);
  if (hits > 0) return [{ word, hits }];
  for (const parts of listSplits(word)) {
    const together = await count(parts.join(" "));
    if (together > 0) return parts.map((part) => ({ word: part, hits: together }));
  }
  return [{ word, hits: 0 }];
}

/** Yields none, each one, each two and so on of the values, at most so many; the first ones first. */
function* listChoices<T>(values: readonly T[], most: number): Generator<T[]> {
  for (let size = 0; size <= Math.min(most, values.length); size += 1) yield* listCombinations(values, size);
}

function* listCombinations<T>(values: readonly T[], size: number): Generator<T[]> {
  if (size === 0) yield [];
  else
    for (const [index, value] of values.entries())
      for (const rest of listCombinations(values.slice(index + 1), size - 1)) yield [value, ...rest];
}

/** Moves a number to the end, where it may be a beginning: `4520` of `4520N`. */
function moveNumberLast(words: readonly string[]): readonly string[] {
  const index = words.findLastIndex(hasDigit);
  return index < 0 ? words : [...words.toSpliced(index, 1), getAt(words, index)];
}

/** A size, model or number says more than a word, or a year. */
function getWeight({ word, hits }: WordCount): number {
  return hits > 0 && hasDigit(word) && !isYear(word) && /\p{L}|[/x-]|\d{4}/u.test(word) ? 2 : 1;
}

function hasDigit(word: string): boolean {
  return /\d/.test(word);
}
