import type { Random } from "../generators/random.ts";

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

/**
 * A word of at least five letters as it may be mistyped: a letter too many, missing, wrong, or two changed about; twice
 * in one of three long words. The first letter stays. Undefined when that gives a word of the catalog, or the word
 * itself.
 */
export function misspell(random: Random, word: string, knownWords: ReadonlySet<string>): string | undefined {
  if (word.length < 5 || !/^[a-z]+$/.test(word)) return undefined;
  const once = slip(random, word);
  const wrong = word.length >= 9 && random.chance(1 / 3) ? slip(random, once) : once;
  return wrong === word || knownWords.has(wrong) ? undefined : wrong;
}

/** One slip in a text; its first letter stays. */
export function slip(random: Random, word: string): string {
  const index = random.integer(1, word.length - 2);
  const rest = word.slice(index + 1);
  switch (random.integer(0, 3)) {
    case 0:
      return `${word.slice(0, index)}${random.pick(LETTERS)}${word.slice(index)}`;
    case 1:
      return `${word.slice(0, index)}${rest}`;
    case 2:
      return `${word.slice(0, index)}${random.pick(LETTERS)}${rest}`;
    default:
      return `${word.slice(0, index)}${rest[0]}${word[index]}${rest.slice(1)}`;
  }
}
