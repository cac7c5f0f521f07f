import { LRUCache } from "lru-cache";

const MOST_ANSWERS = 500;
/** Longest that a change by another process does not show, milliseconds. */
const KEPT_MS = 5_000;

/** Answers that are the same for everyone, kept for 5 s. Each is made once at a time; a failure is not kept. */
export class RecentAnswers {
  readonly #kept = new LRUCache<string, Promise<unknown>>({ max: MOST_ANSWERS, ttl: KEPT_MS });

  /** Returns the kept answer to `question`, a JSON value, or makes it. Callers share it and must not change it. */
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

  /** Forgets also what is being made: it may precede the change. */
  clear(): void {
    this.#kept.clear();
  }
}
