import { Worker } from "node:worker_threads";
import type { OpenedFile } from "../../opened-file.ts";
import { SearchIndexError } from "../../search-index/port.ts";
import type { Operation, Operations, Request, Response, ThreadData } from "./protocol.ts";

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const READS: ReadonlySet<Operation> = new Set<Operation>(["byWords", "byVector", "manuals"]);
/** Longest that anybody waits for a read to begin, in milliseconds. */
const READ_WITHIN_MS = 5_000;
const MOST_READS = 1_000;

/**
 * The thread of the passage file: begun with the first request, ended when nobody has asked for a while, so that an
 * idle process does without its memory.
 */
export class PassageThread {
  readonly #data: ThreadData;
  readonly #idleMs: number;
  readonly #file: OpenedFile;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** Of a thread that ends: the next one waits for it. */
  #ending: Promise<void> = Promise.resolve();
  #reads = 0;
  #nextId = 1;
  #isClosed = false;

  /** @param file in the folder of the index, watched: when it is gone, so is the index */
  constructor(data: ThreadData, { idleMs, file }: { idleMs: number; file: OpenedFile }) {
    this.#data = data;
    this.#file = file;
    this.#idleMs = idleMs;
  }

  /** @throws UNAVAILABLE, for a read also when too many wait already, at once, or when it was not begun in time */
  async request<O extends Operation>(
    operation: O,
    ...args: Parameters<Operations[O]>
  ): Promise<ReturnType<Operations[O]>> {
    if (this.#isClosed) throw unavailable("it is closed");
    if (this.#file.moved !== undefined) throw unavailable(this.#file.moved);
    const isRead = READS.has(operation);
    if (isRead && this.#reads >= MOST_READS) throw unavailable("it is overloaded");
    if (isRead) this.#reads += 1;
    try {
      return (await this.#post({
        operation,
        args,
        ...(isRead ? { until: Date.now() + READ_WITHIN_MS } : {}),
      })) as ReturnType<Operations[O]>;
    } finally {
      if (isRead) this.#reads -= 1;
    }
  }

  /** Whether the thread runs. */
  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  async #post(request: Omit<Request, "id">): Promise<unknown> {
    clearTimeout(this.#idle);
    await this.#ending;
    if (this.#isClosed) throw unavailable("it is closed");
    const worker = (this.#worker ??= this.#start());
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id, ...request } satisfies Request);
    });
  }

  #answered(worker: Worker): void {
    if (this.#waiting.size > 0) return;
    worker.unref();
    clearTimeout(this.#idle);
    if (!this.#isClosed) this.#idle = setTimeout(() => void this.#end(), this.#idleMs).unref();
  }

  #end(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    if (!worker) return this.#ending;
    this.#worker = undefined;
    worker.ref();
    this.#ending = new Promise((resolve) => worker.once("exit", () => resolve()));
    worker.postMessage({ id: 0, operation: "close", args: [] } satisfies Request);
    return this.#ending;
  }

  #start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), {
      name: "passages",
      workerData: this.#data,
      execArgv: ["--disable-warning=ExperimentalWarning"],
      resourceLimits: { maxYoungGenerationSizeMb: 12 },
    });
    let reason = "its thread ended";
    worker.on("message", (response: Response) => {
      const waiting = this.#waiting.get(response.id);
      this.#waiting.delete(response.id);
      if ("error" in response) waiting?.reject(unavailable(response.error));
      else waiting?.resolve(response.value);
      this.#answered(worker);
    });
    worker.on("error", (error) => (reason = error instanceof Error ? error.message : String(error)));
    worker.on("exit", () => {
      if (this.#worker !== worker && this.#worker !== undefined) return;
      this.#worker = undefined;
      for (const { reject } of this.#waiting.values()) reject(unavailable(reason));
      this.#waiting.clear();
    });
    return worker;
  }
}

function unavailable(reason: string): SearchIndexError {
  return new SearchIndexError("UNAVAILABLE", `The passage index is unavailable: ${reason}`);
}
