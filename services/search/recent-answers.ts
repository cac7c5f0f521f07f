import { LRUCache } from "lru-cache";

const MOST_ANSWERS = 5_000;
/** Characters of all answers and questions, as JSON, about. */
const MOST_KEPT = 32_000_000;
const LONGEST_KEPT = 400_000;

/** Answers that are the same for everyone. Each is made once at a time; a failure is not kept. */
export class RecentAnswers {
  readonly #kept: LRUCache<string, Promise<unknown>>;
  /** An answer is entered above once, when its size is known: to enter it twice takes as long as to plan a search. */
  readonly #making = new Map<string, Promise<unknown>>();

  /** @param keptMs longest that another process's change does not show; unless given, until `clear` */
  constructor(keptMs = 0) {
    this.#kept = new LRUCache({
      max: MOST_ANSWERS,
      maxSize: MOST_KEPT,
      maxEntrySize: LONGEST_KEPT,
      ttl: keptMs,
    });
  }

  /**
   * Returns the kept answer to `question`, a JSON value, or makes it. Callers share it and must not change it.
   * @param sizeOf characters of an answer, about: to write each as JSON takes as long as a search
   */
  get<T>(question: unknown, make: () => Promise<T>, sizeOf: (answer: T) => number): Promise<T> {
    const key = JSON.stringify(question);
    const cached = (this.#kept.get(key) ?? this.#making.get(key)) as Promise<T> | undefined;
    if (cached) return cached;
    const promise = make();
    const start = performance.now();
    this.#making.set(key, promise);
    const isOver = (): boolean => this.#making.get(key) === promise && this.#making.delete(key);
    promise.then(
      // One that took longer than answers are kept is over at once.
      (answer) => isOver() && this.#kept.set(key, promise, { start, size: key.length + sizeOf(answer) }),
      isOver,
    );
    return promise;
  }

  /** Forgets also what is being made: it may precede the change. */
  clear(): void {
    this.#kept.clear();
    this.#making.clear();
  }
}
