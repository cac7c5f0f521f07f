/** The outcome of a request to a writer thread. */
export type Outcome<T, Wire> = { ok: true; value: T } | { ok: false; error: Wire };

/** Messages between the stores of a process and its writer thread, as JSON text, so that realms do not matter. */

export type ToThread =
  /** `open` comes with a store's first requests: the module that writes for it, and its options. */
  | { store: number; open?: { module: string; options: OpeningOptions }; id: number; requests: unknown[] }
  | { store: number; close: true };

/** The rest of the options is the module's own. */
export interface OpeningOptions {
  /** Longest wait for a file that another process holds locked. */
  busyTimeoutMs: number;
}

export type FromThread =
  | { store: number; id: number; replies: Outcome<unknown, unknown>[] }
  /** The store could not be opened: nothing was done. */
  | { store: number; failed: string }
  | { store: number; closed: true };

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
