import { allowedTypos, forgivenEdits, forgivenTypos } from "../edit-distance.ts";

/**
 * Finds the known words nearest to a misspelt one by the deletion map of SymSpell: both meet in what is left when
 * letters are removed. Distances are Damerau-Levenshtein.
 */
export class Corrector {
  readonly #frequencyOf: (word: string) => number;
  readonly #known = new Set<string>();
  /** Words by what is left of them. */
  readonly #deletions = new Map<string, string[]>();

  constructor(frequencyOf: (word: string) => number) {
    this.#frequencyOf = frequencyOf;
  }

  /** Words with digits are numbers, sizes and models, which are never corrected. */
  learn(word: string): void {
    if (word.length < 3 || word.length > 30 || !/^\p{L}+$/u.test(word) || this.#known.has(word)) return;
    this.#known.add(word);
    for (const rest of deletionsOf(word, allowedTypos(word))) {
      const words = this.#deletions.get(rest);
      if (words) words.push(word);
      else this.#deletions.set(rest, [word]);
    }
  }

  knows(word: string): boolean {
    return this.#known.has(word);
  }

  /** Returns the nearest words, the most frequent first. `typed` as in `forgivenEdits`. */
  corrections(word: string, limit: number, typed = word): string[] {
    const max = forgivenTypos(word, typed);
    if (max === 0 || word.length > 30) return [];
    const found = new Map<string, number>();
    for (const rest of deletionsOf(word, max)) {
      for (const candidate of this.#deletions.get(rest) ?? []) {
        if (candidate === word || found.has(candidate)) continue;
        const distance = forgivenEdits(word, candidate, typed);
        if (distance !== undefined) found.set(candidate, distance);
      }
    }
    const nearest = Math.min(...found.values());
    return [...found]
      .filter(([, distance]) => distance === nearest)
      .sort(([a], [b]) => this.#frequencyOf(b) - this.#frequencyOf(a) || (a < b ? -1 : 1))
      .slice(0, limit)
      .map(([candidate]) => candidate);
  }
}

function deletionsOf(word: string, distance: number): Set<string> {
  const all = new Set([word]);
  let edge = [word];
  for (let round = 0; round < distance; round += 1) {
    const next: string[] = [];
    for (const text of edge) {
      for (let index = 0; index < text.length; index += 1) {
        const rest = text.slice(0, index) + text.slice(index + 1);
        if (!all.has(rest)) {
          all.add(rest);
          next.push(rest);
        }
      }
    }
    edge = next;
  }
  return all;
}
