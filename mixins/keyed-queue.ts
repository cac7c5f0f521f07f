/** Runs tasks one after another for each key, side by side for different keys. A key costs nothing once its tasks are done. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<void>>();

  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const result = before ? before.then(task) : task();
    const settled: Promise<void> = result.then(noop, noop).then(() => {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    });
    this.#last.set(key, settled);
    return result;
  }
}

function noop(): void {}
