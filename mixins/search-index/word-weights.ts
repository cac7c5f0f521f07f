/** What a matching word counts, the same in every engine. */

/**
 * By the field that it is in; a word in several counts their sum. The head of a title says what the part is, its thing
 * above all: a `Wheel Bearing` is no wheel, however short its title. The rest says which one. A name of the maker
 * counts less than either: `Kawasaki Engines` makes no part one for an engine.
 */
export const FIELD_WEIGHT = {
  number: 8,
  head: 10,
  thing: 10,
  title: 3,
  manufacturer: 2,
  category: 3,
  description: 1,
} as const;

/** What a match counts that is not the very word that was typed. */
export const FACTOR = { synonym: 0.9, compact: 0.9, beginning: 0.8, misspelt: 0.6 } as const;

/** A head of this many terms weighs as it stands: a word says more in a shorter one. */
const USUAL_HEAD = 5;
/** A head that is longer, as where a title has no comma, weighs no less. */
const LONG_HEAD = 15;

/** What the weight of a title's head is multiplied by, from the number of its terms. */
export function headFactor(terms: number): number {
  return (2 * USUAL_HEAD) / (USUAL_HEAD + Math.min(terms, LONG_HEAD));
}

/** How much one group of words says, beside others: the fewer of all parts have it, the more. */
export function rarity(all: number, found: number): number {
  return Math.log(1 + all / (1 + found));
}
