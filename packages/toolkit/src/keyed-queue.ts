/** Runs tasks one after another for each key, side by side for different keys. An idle key costs nothing. */
export class KeyedQueue {
  readonly #keys = new Map<string, { tasks: number; last?: Promise<void> }>();
  readonly #most: number;
  readonly #refuse: () => Error;

  /**
   * @param most tasks of one key, the one that runs included
   * @param refuse makes the error of a task beyond them
   */
  constructor(most = Infinity, refuse = () => new Error(`More than ${most} tasks of one key`)) {
    this.#most = most;
    this.#refuse = refuse;
  }

  /** @throws what `refuse` returns when the key has too many tasks; what the task throws */
  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const lane = this.#keys.get(key) ?? { tasks: 0 };
    if (lane.tasks >= this.#most) return Promise.reject(this.#refuse());
    const result = lane.last ? lane.last.then(task) : task();
    lane.tasks += 1;
    lane.last = Promise.allSettled([result]).then(() => {
      lane.tasks -= 1;
      if (lane.tasks === 0) this.#keys.delete(key);
    });
    this.#keys.set(key, lane);
    return result;
  }
}
