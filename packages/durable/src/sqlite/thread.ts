import { answerRequests, isBusy } from "@partline/toolkit";
import type { GroupCommit, OpeningOptions, Outcome } from "./group-commit.ts";

/**
 * The writer thread: the only place of a process that waits for the disk. It runs all waiting requests of a store
 * together. It does not wait for a locked file: it tries again, and serves other stores meanwhile.
 */

const PAUSE_MS = 20;

/** The module that writes for a store: it exports `openWriter(options)`. */
export interface Opening {
  module: string;
  options: OpeningOptions;
}

type Replies = Outcome<unknown, unknown>[];

interface Batch {
  requests: unknown[];
  until: number;
  resolve(replies: Replies): void;
}

class Store {
  readonly #writer: GroupCommit<unknown, unknown>;
  readonly #patienceMs: number;
  #waiting: Batch[] = [];
  #isDue = false;

  constructor(writer: GroupCommit<unknown, unknown>, patienceMs: number) {
    this.#writer = writer;
    this.#patienceMs = patienceMs;
  }

  static async open({ module, options }: Opening): Promise<Store> {
    const { openWriter } = (await import(module)) as {
      openWriter: (options: unknown) => GroupCommit<unknown, unknown>;
    };
    return new Store(openWriter(options), options.busyTimeoutMs);
  }

  run(requests: unknown[]): Promise<Replies> {
    return new Promise((resolve) => {
      this.#waiting.push({ requests, until: performance.now() + this.#patienceMs, resolve });
      // After all messages that have come.
      if (!this.#isDue) setImmediate(() => this.#serve());
      this.#isDue = true;
    });
  }

  close(): void {
    this.#writer.close();
  }

  #serve(): void {
    const batches = this.#waiting;
    this.#waiting = [];
    this.#isDue = false;
    try {
      const replies = this.#writer.run(batches.flatMap(({ requests }) => requests));
      for (const { requests, resolve } of batches) resolve(replies.splice(0, requests.length));
    } catch (error) {
      if (!isBusy(error)) throw error;
      const now = performance.now();
      for (const { requests, resolve } of batches.filter(({ until }) => until <= now))
        resolve(this.#writer.refuse(requests, error));
      this.#waiting = batches.filter(({ until }) => until > now);
      this.#isDue = this.#waiting.length > 0;
      if (this.#isDue) setTimeout(() => this.#serve(), PAUSE_MS);
    }
  }
}

const stores = new Map<number, Promise<Store>>();

export type WriterOperations = typeof operations;

const operations = {
  /**
   * Requests and replies are JSON text, so that realms do not matter.
   * @param opening if this thread has not answered for the store yet
   */
  write: async (store: number, requests: string, opening?: Opening): Promise<string> => {
    if (opening && !stores.has(store)) stores.set(store, Store.open(opening));
    try {
      const opened = await stores.get(store)!;
      return JSON.stringify(await opened.run(JSON.parse(requests) as unknown[]));
    } catch (error) {
      stores.delete(store);
      throw error;
    }
  },
  /** Once all of its requests are answered. */
  leave: async (store: number): Promise<void> => {
    const opened = await stores.get(store);
    stores.delete(store);
    opened?.close();
  },
};

answerRequests(operations);
