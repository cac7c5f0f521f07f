import { LRUCache } from "lru-cache";

const MOST_ANSWERS = 500;
/** Characters of all answers and questions, as JSON, about. */
const MOST_KEPT = 4_000_000;
/** Longest that a change by another process does not show, milliseconds. */
const KEPT_MS = 5_000;

/** Answers that are the same for everyone, kept for 5 s. Each is made once at a time; a failure is not kept. */
export class RecentAnswers {
  readonly #kept = new LRUCache<string, Promise<unknown>>({
    max: MOST_ANSWERS,
    maxSize: MOST_KEPT,
    maxEntrySize: MOST_KEPT / 10,
    ttl: KEPT_MS,
  });

  /**
   * Returns the kept answer to `question`, a JSON value, or makes it. Callers share it and must not change it.
   * @param sizeOf characters of an answer, about: to write each as JSON takes as long as a search
   */
  get<T>(question: unknown, make: () => Promise<T>, sizeOf: (answer: T) => number): Promise<T> {
    const key = JSON.stringify(question);
    const known = this.#kept.get(key) as Promise<T> | undefined;
    if (known) return known;
    const made = make();
    const start = performance.now();
    this.#kept.set(key, made, { start, size: key.length });
    const resize = (size: number | undefined): void => {
      // Also drops one that took longer than it is kept.
      if (this.#kept.get(key) !== made) return;
      this.#kept.delete(key);
      if (size !== undefined) this.#kept.set(key, made, { start, size: key.length + size });
    };
    made.then(
      (answer) => resize(sizeOf(answer)),
      () => resize(undefined),
    );
    return made;
  }

  /** Forgets also what is being made: it may precede the change. */
  clear(): void {
    this.#kept.clear();
  }
}
