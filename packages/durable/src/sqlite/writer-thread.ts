import { closeSync, existsSync, openSync } from "node:fs";
import type { Worker } from "node:worker_threads";
import { OpenedFile, RequestThread } from "@partline/toolkit";
import type { OpeningOptions, Outcome } from "./group-commit.ts";
import type { StoreErrors, WireError } from "./store-errors.ts";
import type { WriterOperations } from "./thread.ts";

interface Waiting<Request> {
  request: Request;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export interface WriterThreadOptions extends OpeningOptions {
  /** Exports `openWriter(options)`, which returns a `Writer` of this store. */
  module: URL;
  /** Options of its own, as JSON; asked for whenever the store is opened in a thread. */
  getWriterOptions?(): object;
  errors: StoreErrors;
  logger?: { error(message: string): void };
}

class ThreadError extends Error {
  /** The thread may have begun the request. */
  readonly isMidway: boolean;

  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.isMidway = options !== undefined;
  }
}

/** Milliseconds without a store after which the thread ends: the next store often follows at once. */
const IDLE_MS = 1_000;
let stores = 0;
/** Writer thread of this process: each thread costs tens of megabytes. */
const thread = new RequestThread<WriterOperations>({
  module: new URL("./thread.ts", import.meta.url),
  name: "sqlite-writer",
  // V8 would give new objects a hundred megabytes of room.
  youngGenerationMb: 12,
  idleMs: () => (stores > 0 ? undefined : IDLE_MS),
  unavailable: (reason, options) => new ThreadError(reason, options),
});
let nextStore = 1;

/**
 * A store's way to the writer thread. Requests of one turn travel in one message. If the thread dies, unanswered
 * requests are rejected, and the next one starts another.
 */
export class WriterThread<Request> {
  /** File that the thread writes, watched. */
  readonly file: OpenedFile;
  readonly #options: WriterThreadOptions;
  readonly #store = nextStore++;
  readonly #underWay = new Set<Promise<void>>();
  #queue: Waiting<Request>[] = [];
  /** The thread that has answered for the store. */
  #openIn: Worker | undefined;
  #closing: Promise<void> | undefined;

  /** @throws UNAVAILABLE when the file cannot be opened */
  constructor(options: WriterThreadOptions) {
    this.#options = options;
    try {
      // SQLite takes an empty file for an empty database.
      if (!existsSync(options.path)) closeSync(openSync(options.path, "a"));
      this.file = new OpenedFile(options.path).watch((reason) => this.#report(reason));
    } catch (error) {
      throw options.errors.unavailable((error as Error).message);
    }
    stores += 1;
  }

  get worker(): Worker | undefined {
    return thread.worker;
  }

  /**
   * Resolves when the request is on disk. @throws the request's error; OUTCOME_UNKNOWN when the thread ends meanwhile
   */
  request(request: Request): Promise<unknown> {
    if (this.#closing) return Promise.reject(this.#options.errors.unavailable("it is closed"));
    // The thread would write to another file of that name.
    if (this.file.moved !== undefined) return Promise.reject(this.#options.errors.unavailable(this.file.moved));
    return new Promise((resolve, reject) => {
      this.#queue.push({ request, resolve, reject });
      if (this.#queue.length === 1) queueMicrotask(() => this.#send());
    });
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.file.close();
    this.#send();
    await Promise.all(this.#underWay);
    stores -= 1;
    // A thread that died meanwhile has closed the file.
    if (thread.worker) await thread.request("leave", this.#store).catch(() => undefined);
  }

  #send(): void {
    const batch = this.#queue;
    this.#queue = [];
    if (batch.length === 0) return;
    const exchange = this.#exchange(batch).finally(() => this.#underWay.delete(exchange));
    this.#underWay.add(exchange);
  }

  async #exchange(batch: readonly Waiting<Request>[]): Promise<void> {
    const { module, path, busyTimeoutMs, getWriterOptions: writerOptions, errors } = this.#options;
    const requests = JSON.stringify(batch.map(({ request }) => request));
    try {
      const isOpen = this.#openIn !== undefined && this.#openIn === thread.worker;
      const opening = isOpen
        ? undefined
        : { module: module.href, options: { path, busyTimeoutMs, ...writerOptions?.() } };
      const replies = await thread.request("write", this.#store, requests, opening);
      this.#openIn = thread.worker;
      this.#settle(batch, JSON.parse(replies) as Outcome<unknown, WireError>[]);
    } catch (error) {
      const reason =
        error instanceof ThreadError ? error.message : `the writer thread cannot be started: ${String(error)}`;
      if (!this.#closing) this.#report(`${reason}; ${batch.length} writes are unanswered`);
      const isMidway = error instanceof ThreadError && error.isMidway;
      for (const { reject } of batch) reject(isMidway ? errors.outcomeUnknown(reason) : errors.unavailable(reason));
    }
  }

  #settle(batch: readonly Waiting<Request>[], replies: readonly Outcome<unknown, WireError>[]): void {
    for (const [index, { resolve, reject }] of batch.entries()) {
      const reply = replies[index]!;
      if (reply.ok) resolve(reply.value);
      else reject(this.#options.errors.fromWire(reply.error));
    }
  }

  #report(what: string): void {
    const { errors, logger } = this.#options;
    logger?.error(`The ${errors.store}: ${what}`);
  }
}
