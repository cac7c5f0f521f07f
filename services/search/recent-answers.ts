import { LRUCache } from "lru-cache";

const MOST_ANSWERS = 500;
/** Longest that a process shows what another one has changed, milliseconds. */
const KEPT_MS = 5_000;

/**
 * Answers that are the same for everybody, kept for five seconds. Each is made once at a time; a failure is not kept.
 */
export class RecentAnswers {
  readonly #kept = new LRUCache<string, Promise<unknown>>({ max: MOST_ANSWERS, ttl: KEPT_MS });

  /**
   * Returns the answer to `question`, a JSON value; makes it where none is kept. Callers
   * share it and must not change it.
   */
  get<T>(question: unknown, make: () => Promise<T>): Promise<T> {
    const key = JSON.stringify(question);
    const known = this.#kept.get(key) as Promise<T> | undefined;
    if (known) return known;
    const made = make();
    this.#kept.set(key, made);
    made.catch(() => {
      if (this.#kept.peek(key) === made) this.#kept.delete(key);
    });
    return made;
  }

  /** Forgets all, also what is being made: it may hold what was there before a change. */
  clear(): void {
    this.#kept.clear();
  }
}
