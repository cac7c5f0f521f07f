import { namingWords, splitsOf } from "./shopper-words.ts";

/** So much of what names a part must be met. */
const LEAST_SHARE = 0.7;
/** Searches for one query, beside those for its single words. */
const MOST_TRIES = 20;
const MOST_WORDS = 12;
/** Words of a model, and letters of one without a digit. */
const MOST_OF_A_MODEL = 3;
const LONGEST_OF_A_MODEL = 3;

interface Counted {
  word: string;
  hits: number;
}

export interface Relaxed {
  q: string;
  /** The hits are of this equipment, as its manuals list them. */
  equipment?: string;
}

export interface Catalog {
  /** How many parts a query finds, of all or of an equipment. */
  count(q: string, equipment?: string): Promise<number>;
  /** Whether manuals list parts of an equipment. */
  isEquipment(model: string): Promise<boolean>;
}

/**
 * Returns a query for what a query that finds nothing most likely means: without the words that name no part, with a
 * model taken for the equipment that the parts are of, with words cut that are several, and then without the most common
 * of the rest. Words with a digit are sizes, models and numbers: none is left out. Undefined if less than 70 % of the
 * words would be met.
 */
export async function relaxed(q: string, { count, isEquipment }: Catalog): Promise<Relaxed | undefined> {
  const typed = namingWords(q).slice(0, MOST_WORDS);
  const finds = async (words: readonly string[]): Promise<Relaxed | undefined> => {
    const query = words.join(" ");
    return query !== "" && query !== q && (await count(query)) > 0 ? { q: query } : undefined;
  };
  const whole = await finds(typed);
  if (whole) return whole;
  for (const { model, rest } of modelsAmong(typed))
    if ((await isEquipment(model)) && (await count(rest, model)) > 0) return { q: rest, equipment: model };
  const counted = (await Promise.all(typed.map((word) => countedParts(word, count)))).flat();
  const known = counted.filter(({ hits }) => hits > 0);
  if (counted.some(({ word, hits }) => hits === 0 && hasDigit(word))) return undefined;
  const leftOut = Math.floor(counted.length * (1 - LEAST_SHARE)) - (counted.length - known.length);
  const mostCommon = known.filter(({ word }) => !hasDigit(word)).sort((a, b) => b.hits - a.hits);
  let tries = 0;
  for (const dropped of choices(mostCommon, leftOut)) {
    if ((tries += 1) > MOST_TRIES) return undefined;
    const rest = known.filter((each) => !dropped.includes(each)).map(({ word }) => word);
    const found = await finds(rest);
    if (found) return found;
  }
  return undefined;
}

/** Yields neighbours that may be a model, as `gt 2254` and no word of a part, with the words around them. */
function* modelsAmong(words: readonly string[]): Generator<{ model: string; rest: string }> {
  for (let length = Math.min(MOST_OF_A_MODEL, words.length); length > 0; length -= 1)
    for (let at = 0; at + length <= words.length; at += 1) {
      const model = words.slice(at, at + length);
      if (model.some(hasDigit) && model.every((word) => hasDigit(word) || word.length <= LONGEST_OF_A_MODEL))
        yield { model: model.join(" "), rest: words.toSpliced(at, length).join(" ") };
    }
}

/** The word, or its parts if it is nowhere and they are. */
async function countedParts(word: string, count: Catalog["count"]): Promise<Counted[]> {
  const hits = await count(word);
  if (hits > 0) return [{ word, hits }];
  for (const parts of splitsOf(word)) {
    const counts = await Promise.all(parts.map((part) => count(part)));
    if (counts.every((each) => each > 0)) return parts.map((part, at) => ({ word: part, hits: counts[at]! }));
  }
  return [{ word, hits: 0 }];
}

/** Yields none, each one, each two and so on of the values, at most so many; the first ones first. */
function* choices<T>(values: readonly T[], most: number): Generator<T[]> {
  for (let size = 0; size <= Math.min(most, values.length); size += 1) yield* chosen(values, size);
}

function* chosen<T>(values: readonly T[], size: number): Generator<T[]> {
  if (size === 0) yield [];
  else
    for (const [at, value] of values.entries())
      for (const rest of chosen(values.slice(at + 1), size - 1)) yield [value, ...rest];
}

function hasDigit(word: string): boolean {
  return /\d/.test(word);
}
