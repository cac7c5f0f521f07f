/** What came of a request to a writer thread. Values and errors travel as JSON text. */
export type Outcome<T, Wire> = { ok: true; value: T } | { ok: false; error: Wire };

/**
 * What the stores of a process and its writer thread say to each other, as JSON text: nothing depends on which realm an
 * object came from.
 */

export type ToThread =
  /** `open` comes with a store's first requests: the module that writes for it, and what that is given. */
  | { store: number; open?: { module: string; options: OpeningOptions }; id: number; requests: unknown[] }
  | { store: number; close: true };

/** What a store's module is given; the rest is the module's own. */
export interface OpeningOptions {
  /** Longest wait for a file that another process holds locked. */
  busyTimeoutMs: number;
}

export type FromThread =
  | { store: number; id: number; replies: Outcome<unknown, unknown>[] }
  /** The store could not be opened: nothing that it was asked was done. */
  | { store: number; failed: string }
  | { store: number; closed: true };

/** What a store's module makes of its options, in the thread. */
export interface Writer<Request> {
  /**
   * One reply a request, in order. What is answered `ok` is on disk.
   * @throws what `isBusy` knows when another process holds the file locked: nothing was done, and nothing waited
   */
  run(requests: readonly Request[]): Outcome<unknown, unknown>[];
  /** The replies to requests that are given up. */
  refuse(requests: readonly Request[], error: unknown): Outcome<unknown, unknown>[];
  close(): void;
}
