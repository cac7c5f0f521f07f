import { closeSync, existsSync, openSync } from "node:fs";
import { OpenedFile } from "../opened-file.ts";
import { Thread } from "./host.ts";
import type { FromThread, OpeningOptions, Outcome } from "./protocol.ts";
import type { StoreErrors, WireError } from "./store-errors.ts";

interface Waiting<Request> {
  request: Request;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

interface WriterThreadParts<Request> {
  path: string;
  /** Exports `openWriter(options)`, which returns a `Writer` of this store. */
  module: URL;
  /** Options as JSON; asked for whenever the store is opened in a thread. */
  options(): OpeningOptions;
  errors: StoreErrors;
  logger?: { error(message: string): void };
  /** The request succeeded. */
  done?(request: Request): unknown;
}

/**
 * A store's way to the writer thread. Requests of one turn travel in one message. If the thread dies, unanswered
 * requests are rejected, and the next one starts another thread.
 */
export class WriterThread<Request> {
  /** What the thread writes, watched. */
  readonly file: OpenedFile;
  readonly #parts: WriterThreadParts<Request>;
  readonly #inFlight = new Map<number, Waiting<Request>[]>();
  #queue: Waiting<Request>[] = [];
  #place: { thread: Thread; store: number } | undefined;
  #nextId = 1;
  #closed = false;
  #whenClosed: () => void = () => undefined;

  /** @throws UNAVAILABLE when the file cannot be opened */
  constructor(parts: WriterThreadParts<Request>) {
    this.#parts = parts;
    try {
      // SQLite takes an empty file for an empty database.
      if (!existsSync(parts.path)) closeSync(openSync(parts.path, "a"));
      this.file = new OpenedFile(parts.path).watch((reason) => this.#report(reason));
    } catch (error) {
      throw parts.errors.unavailable((error as Error).message);
    }
  }

  /** The thread that writes for the store now. */
  get worker(): Thread["worker"] | undefined {
    return this.#place?.thread.worker;
  }

  /**
   * Resolves when the request is on disk. @throws the request's error; OUTCOME_UNKNOWN when the thread ends meanwhile
   */
  request(request: Request): Promise<unknown> {
    if (this.#closed) return Promise.reject(this.#parts.errors.unavailable("it is closed"));
    // The thread would write to whatever file is there.
    if (this.file.moved !== undefined) return Promise.reject(this.#parts.errors.unavailable(this.file.moved));
    return new Promise((resolve, reject) => {
      this.#queue.push({ request, resolve, reject });
      if (this.#queue.length === 1) queueMicrotask(() => this.#send());
    });
  }

  /** Waits for what is under way, then leaves the thread. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.file.close();
    this.#send();
    const place = this.#place;
    if (!place) return;
    const closed = new Promise<void>((resolve) => (this.#whenClosed = resolve));
    place.thread.ask({ store: place.store, close: true });
    await closed;
    await place.thread.dismiss(place.store);
  }

  #send(): void {
    if (this.#queue.length === 0) return;
    const batch = this.#queue;
    this.#queue = [];
    const id = this.#nextId++;
    this.#inFlight.set(id, batch);
    try {
      const isNew = this.#place === undefined;
      const { thread, store } = (this.#place ??= this.#enter());
      const open = isNew ? { open: { module: this.#parts.module.href, options: this.#parts.options() } } : {};
      thread.ask({ store, ...open, id, requests: batch.map(({ request }) => request) });
    } catch (error) {
      const reason = `the writer thread cannot be started: ${String(error)}`;
      this.#abandon(reason, this.#parts.errors.unavailable(reason));
    }
  }

  #enter(): { thread: Thread; store: number } {
    const thread = Thread.running();
    const store = thread.admit({
      heard: (message) => this.#heard(thread, message),
      gone: (reason) => this.#abandon(reason, this.#parts.errors.outcomeUnknown(reason)),
    });
    return { thread, store };
  }

  #heard(thread: Thread, message: FromThread): void {
    thread.answered(message.store);
    if ("failed" in message) {
      this.#abandon(message.failed, this.#parts.errors.unavailable(message.failed));
      void thread.dismiss(message.store);
    } else if ("closed" in message) {
      this.#whenClosed();
    } else {
      this.#settle(message.id, message.replies as Outcome<unknown, WireError>[]);
    }
  }

  #settle(id: number, replies: readonly Outcome<unknown, WireError>[]): void {
    const batch = this.#inFlight.get(id) ?? [];
    this.#inFlight.delete(id);
    for (const [index, { request, resolve, reject }] of batch.entries()) {
      const reply = replies[index]!;
      if (!reply.ok) {
        reject(this.#parts.errors.fromWire(reply.error));
        continue;
      }
      this.#parts.done?.(request);
      resolve(reply.value);
    }
  }

  #abandon(reason: string, error: Error): void {
    this.#place = undefined;
    const abandoned = [...this.#inFlight.values()].flat();
    this.#inFlight.clear();
    if (!this.#closed) this.#report(`${reason}; ${abandoned.length} writes are unanswered`);
    for (const { reject } of abandoned) reject(error);
    this.#whenClosed();
  }

  #report(what: string): void {
    const { errors, logger } = this.#parts;
    logger?.error(`The ${errors.store}: ${what}`);
  }
}
