import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Outcome } from "./outcome.ts";

interface Waiting<Request> {
  request: Request;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export interface WriterThreadParts<Request, Wire> {
  /** Module that the thread runs, which calls `serveWriter`. */
  entry: URL;
  name: string;
  /** What a thread that starts now is given; asked for each. */
  workerData(): object;
  fromWire(error: Wire): Error;
  unavailable(reason: string): Error;
  /** The request went through. */
  done?(request: Request): unknown;
  /** The thread ended by itself, and this many requests are unanswered. */
  lost(reason: string, unanswered: number): void;
}

/**
 * The calling thread's end of a writer thread. Requests made in the same turn go over in one message. A thread that dies is
 * started again by the next request; what it had not answered is rejected.
 */
export class WriterThread<Request, Wire> {
  readonly #parts: WriterThreadParts<Request, Wire>;
  readonly #inFlight = new Map<number, Waiting<Request>[]>();
  #queue: Waiting<Request>[] = [];
  #worker: Worker | undefined;
  #nextId = 1;
  #closed = false;

  constructor(parts: WriterThreadParts<Request, Wire>) {
    this.#parts = parts;
  }

  /** The thread that runs now. */
  get worker(): Worker | undefined {
    return this.#worker;
  }

  /** Resolves when the request is on disk. @throws whatever the request failed with; UNAVAILABLE when the thread is gone */
  request(request: Request): Promise<unknown> {
    if (this.#closed) return Promise.reject(this.#parts.unavailable("it is closed"));
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
    const { entry, name, workerData } = this.#parts;
    const worker = new Worker(fileURLToPath(entry), { workerData: workerData(), name });
    let reason = "the writer thread ended";
    worker.on("message", (text: string) => this.#settle(JSON.parse(text) as [id: number, replies: Outcome<unknown, Wire>[]][]));
    worker.on("error", (error) => {
      reason = `the writer thread failed: ${error instanceof Error ? error.message : String(error)}`;
    });
    worker.on("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
      this.#abandon(reason);
    });
    return worker;
  }

  #settle(batches: [id: number, replies: Outcome<unknown, Wire>[]][]): void {
    for (const [id, replies] of batches) {
      const batch = this.#inFlight.get(id) ?? [];
      this.#inFlight.delete(id);
      for (const [index, { request, resolve, reject }] of batch.entries()) {
        const reply = replies[index]!;
        if (!reply.ok) {
          reject(this.#parts.fromWire(reply.error));
          continue;
        }
        this.#parts.done?.(request);
        resolve(reply.value);
      }
    }
    if (this.#inFlight.size === 0) this.#worker?.unref();
  }

  #abandon(reason: string): void {
    const abandoned = [...this.#inFlight.values()].flat();
    this.#inFlight.clear();
    if (!this.#closed) this.#parts.lost(reason, abandoned.length);
    for (const { reject } of abandoned) reject(this.#parts.unavailable(reason));
  }
}
