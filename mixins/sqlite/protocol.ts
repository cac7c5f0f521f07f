/** The outcome of a request to a writer thread. */
export type Outcome<T, Wire> = { ok: true; value: T } | { ok: false; error: Wire };

/** The rest of the options is the module's own. */
export interface OpeningOptions {
  path: string;
  /** Longest wait for a file that another process holds locked. */
  busyTimeoutMs: number;
}

/** What a store's module makes of its options, in the thread. */
export interface Writer<Request> {
  /**
   * Returns one reply a request, in order. What is `ok` is on disk.
   * @throws an error that `isBusy` knows when another process holds the file locked: nothing was done
   */
  run(requests: readonly Request[]): Outcome<unknown, unknown>[];
  /** Replies to requests that are given up. */
  refuse(requests: readonly Request[], error: unknown): Outcome<unknown, unknown>[];
  close(): void;
}
