import { LRUCache } from "lru-cache";

/** Lifetime of an answer, milliseconds. A change by this process ends it at once. */
export const KNOWN_FOR_MS = 30_000;
/** Characters of the questions that are kept. */
const MOST_KEPT = 5_000_000;

export type WordAnswer = boolean | number | readonly string[];

/** Recent answers of one index about words, by question. */
export class KnownWords {
  /** Cache of answers by question. */
  readonly answers = new LRUCache<string, WordAnswer>({
    maxSize: MOST_KEPT,
    ttl: KNOWN_FOR_MS,
    sizeCalculation: (_, question) => question.length,
  });
  #index?: string;

  /**
   * Returns whether the answers are those of the index with this name on the server, which has answered now: the alias
   * may have moved.
   */
  isOfIndex(index: string): boolean {
    this.#index ??= index;
    return this.#index === index;
  }
}

/** The known words behind each alias. */
export class WordMemory {
  readonly #known = new Map<string, KnownWords>();

  /** A search keeps what it is given: an answer that arrives after `forget` is not remembered. */
  getWords(alias: string): KnownWords {
    const words = this.#known.get(alias) ?? new KnownWords();
    this.#known.set(alias, words);
    return words;
  }

  forget(alias: string): void {
    this.#known.delete(alias);
  }

  forgetAll(): void {
    this.#known.clear();
  }
}
