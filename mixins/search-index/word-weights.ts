/** What a matching word counts, the same in every engine. */

/** By the field that it is in; a word in several counts their sum. */
export const FIELD_WEIGHT = { number: 8, title: 10, manufacturer: 4, category: 3, description: 1 } as const;
export type WordField = keyof typeof FIELD_WEIGHT;

/** What a match counts that is not the very word that was typed. */
export const FACTOR = { synonym: 0.9, compact: 0.9, beginning: 0.8, misspelt: 0.6 } as const;

/** A title of this many terms weighs as it stands: a word says more in a shorter one. */
const USUAL_TITLE = 5;

/** What the weight of a title is multiplied by, from the number of its terms. */
export function titleFactor(terms: number): number {
  return (2 * USUAL_TITLE) / (USUAL_TITLE + Math.max(terms, USUAL_TITLE / 2));
}

/** How much one group of words says, beside others: the fewer of all parts have it, the more. */
export function rarity(all: number, found: number): number {
  return Math.log(1 + all / (1 + found));
}
