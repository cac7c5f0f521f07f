import { LRUCache } from "lru-cache";

const MOST_ANSWERS = 500;
/** Characters of all answers and questions, as JSON. */
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

  /** Returns the kept answer to `question`, a JSON value, or makes it. Callers share it and must not change it. */
  get<T>(question: unknown, make: () => Promise<T>): Promise<T> {
    const key = JSON.stringify(question);
    const known = this.#kept.get(key) as Promise<T> | undefined;
    if (known) return known;
    const made = make();
    const start = performance.now();
    this.#kept.set(key, made, { start, size: key.length });
    const resize = (answer?: T): void => {
      // Also drops one that took longer than it is kept.
      if (this.#kept.get(key) !== made) return;
      this.#kept.delete(key);
      if (answer !== undefined) this.#kept.set(key, made, { start, size: key.length + JSON.stringify(answer).length });
    };
    made.then(resize, () => resize());
    return made;
  }

  /** Forgets also what is being made: it may precede the change. */
  clear(): void {
    this.#kept.clear();
  }
}
