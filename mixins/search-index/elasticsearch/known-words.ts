import { LRUCache } from "lru-cache";
import type { WordQuestion } from "./word-questions.ts";

/**
 * How long an answer counts: what this process changes is forgotten at once, what others do after so long.
 * Milliseconds.
 */
export const KNOWN_FOR_MS = 30_000;
/** Characters of the questions that are kept. */
const MOST_KEPT = 500_000;

type Answer = boolean | number | readonly string[];

/** What an index has lately answered about words. Numbers of parts are always asked for. */
export class KnownWords {
  readonly #answers = new LRUCache<string, Answer>({
    maxSize: MOST_KEPT,
    ttl: KNOWN_FOR_MS,
    sizeCalculation: (_, question) => question.length,
  });
  #index?: string;

  recall<T extends Answer>({ text }: WordQuestion<T>): T | undefined {
    return this.#answers.get(text) as T | undefined;
  }

  remember<T extends Answer>({ text }: WordQuestion<T>, answer: T): void {
    this.#answers.set(text, answer);
  }

  /**
   * @param index the name on the server of what answered now. @returns whether the answers so far are from it: an alias
   * may have moved
   */
  areOf(index: string): boolean {
    this.#index ??= index;
    return this.#index === index;
  }
}

/** What is known of the words behind each alias. */
export class WordMemory {
  readonly #known = new Map<string, KnownWords>();

  /**
   * Who asks goes on with what was given, so that an answer that was under way is not remembered after all is
   * forgotten.
   */
  of(alias: string): KnownWords {
    const known = this.#known.get(alias) ?? new KnownWords();
    this.#known.set(alias, known);
    return known;
  }

  forget(alias: string): void {
    this.#known.delete(alias);
  }

  forgetAll(): void {
    this.#known.clear();
  }
}
