/**
 * The judgement: which parts of the catalog answer a query, and how well (3 is best, 0 is not at all). It reads the
 * catalog's rows alone, never an engine's answer, and knows what the query was made from.
 *
 * Numbers
 * - The part of the number is a 3, at every vendor that has it; behind a vendor's code, at that vendor alone.
 * - A part that is discontinued and replaced is a 2 for its own number, the active part at the end of its chain of
 *   successors a 3: that is what can be ordered. Discontinued without such a successor it is a 3, since nothing is
 *   better.
 * - An active part whose number begins with the whole number (a revision, a kit of it) is a 1.
 * - A beginning of a number: active parts whose number begins so are a 3, those that end so a 1.
 * - An end of a number (such that no number begins so): active parts whose number ends so are a 3.
 * - Nothing else answers a number, not even the same kind of part of the same maker: it would not fit.
 *
 * Words
 * - An active part that is what was asked for (its noun is the one asked) is a 3, a kind of it (`Engine Oil Filter` for
 *   oil filter) a 2, what belongs to it (`Carburetor Repair Kit` for carburetor) a 1, and so is what may match and does
 *   not say so (`Oil Filter` for engine oil filter). A plural asks for the same.
 * - A maker, a model: only parts of that maker, only parts that say that they fit that model.
 * - A misspelt word is the word that it was made from, a synonym the noun that the trade means by it.
 * - Discontinued parts answer no words.
 *
 * Nothing to find: a number that nothing is, begins or ends like, words of other trades, a noun that the maker does not
 * have and whose words none of its parts has. Nothing answers it.
 */
import type { CatalogFacts, PartFacts } from "./catalog-facts.ts";
import type { Grades } from "./measures.ts";

export interface WordsAsked {
  /** Any of these, each as words. */
  nouns: string[][];
  vendor?: string;
  /** A word of a model's name, in lower case. */
  model?: string;
}

export class Judge {
  readonly #parts: PartFacts[];

  constructor({ parts }: CatalogFacts) {
    this.#parts = parts;
  }

  /** @param number letters and digits, upper case */
  ofNumber(number: string, vendor?: string): Grades {
    const vendorParts = this.#parts.filter((part) => vendor === undefined || part.vendor === vendor);
    const successors = new Set(
      vendorParts.filter((part) => part.number === number).map((part) => this.#successor(part)),
    );
    return this.#grade((part) => {
      if (successors.has(part)) return 3;
      if (vendor !== undefined && part.vendor !== vendor) return 0;
      if (part.number === number) return this.#successor(part) ? 2 : 3;
      return part.isActive && part.number.startsWith(number) ? 1 : 0;
    });
  }

  ofBeginning(beginning: string): Grades {
    return this.#grade(({ number, isActive }) =>
      !isActive ? 0 : number.startsWith(beginning) ? 3 : number.endsWith(beginning) ? 1 : 0,
    );
  }

  ofEnd(end: string): Grades {
    return this.#grade(({ number, isActive }) => (isActive && number.endsWith(end) ? 3 : 0));
  }

  ofWords({ nouns, vendor, model }: WordsAsked): Grades {
    return this.#grade((part) => {
      if (
        !part.isActive ||
        (vendor !== undefined && part.vendor !== vendor) ||
        (model !== undefined && !part.models.has(model))
      )
        return 0;
      return Math.max(...nouns.map((noun) => gradeOfNoun(part.noun, noun)));
    });
  }

  /** The active part that is at the end of a discontinued part's chain of successors. */
  #successor(part: PartFacts): PartFacts | undefined {
    const seenParts = new Set<PartFacts>();
    let current = part;
    while (!current.isActive && current.supersededBy !== undefined && !seenParts.has(current)) {
      seenParts.add(current);
      const next = this.#parts.find(({ vendor, number }) => vendor === part.vendor && number === current.supersededBy);
      if (!next) return undefined;
      current = next;
    }
    return current.isActive && current !== part ? current : undefined;
  }

  #grade(gradeOf: (part: PartFacts) => number): Grades {
    return Object.fromEntries(
      this.#parts.map((part) => [part.id, gradeOf(part)] as const).filter(([, grade]) => grade > 0),
    );
  }
}

function gradeOfNoun(has: readonly string[], askedWords: readonly string[]): number {
  if (endsWith(has, askedWords)) return has.length === askedWords.length ? 3 : 2;
  return endsWith(askedWords, has) ||
    has.some((_, start) => askedWords.every((word, offset) => has[start + offset] === word))
    ? 1
    : 0;
}

function endsWith(words: readonly string[], end: readonly string[]): boolean {
  return words.length >= end.length && end.every((word, index) => words[words.length - end.length + index] === word);
}
