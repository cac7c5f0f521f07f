import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { CollectionDefinition, StoreLogger } from "../port.ts";
import { fromWire, unavailable } from "./errors.ts";
import type { Reply, Request, WriterOptions } from "./protocol.ts";

interface Waiting {
  request: Request;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * The calling thread's end of the writer. Requests made in the same turn go over in one message. A thread that dies is
 * started again by the next request; what it had not answered is rejected.
 */
export class WriterThread {
  readonly #options: WriterOptions;
  readonly #logger: StoreLogger | undefined;
  readonly #prepared = new Map<string, CollectionDefinition>();
  readonly #inFlight = new Map<number, Waiting[]>();
  #queue: Waiting[] = [];
  #worker: Worker | undefined;
  #nextId = 1;
  #closed = false;

  constructor(options: WriterOptions, logger?: StoreLogger) {
    this.#options = options;
    this.#logger = logger;
  }

  /** The thread that runs now. */
  get worker(): Worker | undefined {
    return this.#worker;
  }

  /** Resolves when the request is on disk. @throws whatever the request failed with; UNAVAILABLE when the thread is gone */
  request(request: Request): Promise<unknown> {
    if (this.#closed) return Promise.reject(unavailable("it is closed"));
    return new Promise((resolve, reject) => {
      this.#queue.push({ request, resolve, reject });
      if (this.#queue.length === 1) queueMicrotask(() => this.#send());
    });
  }

  /** Waits for what is under way, then ends the thread. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#send();
    const worker = this.#worker;
    if (!worker) return;
    worker.ref();
    const exited = once(worker, "exit");
    worker.postMessage("close");
    await exited;
  }

  #send(): void {
    if (this.#queue.length === 0) return;
    const batch = this.#queue;
    this.#queue = [];
    const id = this.#nextId++;
    this.#inFlight.set(id, batch);
    try {
      const worker = (this.#worker ??= this.#start());
      worker.ref();
      worker.postMessage(JSON.stringify([id, batch.map(({ request }) => request)]));
    } catch (error) {
      this.#abandon(`the writer thread cannot be started: ${String(error)}`);
    }
  }

  #start(): Worker {
    const workerData = { ...this.#options, definitions: JSON.stringify([...this.#prepared.values()]) };
    const worker = new Worker(fileURLToPath(new URL("./writer.ts", import.meta.url)), { workerData, name: "document-store-writer" });
    let reason = "the writer thread ended";
    worker.on("message", (text: string) => this.#settle(JSON.parse(text) as [id: number, replies: Reply[]][]));
    worker.on("error", (error) => {
      reason = `the writer thread failed: ${error instanceof Error ? error.message : String(error)}`;
    });
    worker.on("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
      this.#abandon(reason);
    });
    return worker;
  }

  #settle(batches: [id: number, replies: Reply[]][]): void {
    for (const [id, replies] of batches) {
      const batch = this.#inFlight.get(id) ?? [];
      this.#inFlight.delete(id);
      for (const [index, { request, resolve, reject }] of batch.entries()) {
        const reply = replies[index]!;
        if (!reply.ok) {
          reject(fromWire(reply.error));
          continue;
        }
        if (request.kind === "ensure") this.#prepared.set(request.definition.name, request.definition);
        resolve(reply.value);
      }
    }
    if (this.#inFlight.size === 0) this.#worker?.unref();
  }

  #abandon(reason: string): void {
    const lost = [...this.#inFlight.values()].flat();
    this.#inFlight.clear();
    if (!this.#closed) this.#logger?.error(`Document store: ${reason}; ${lost.length} writes are unanswered`);
    for (const { reject } of lost) reject(unavailable(reason));
  }
}
