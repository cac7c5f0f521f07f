import { Worker } from "node:worker_threads";
import { KeyedQueue } from "../../keyed-queue.ts";
import type { IndexChanges } from "../changes.ts";
import { SearchIndexError, type Progress } from "../port.ts";
import type { Operations, Request, Response, WorkerData } from "./worker.ts";

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

type Value<O extends keyof Operations> = Awaited<ReturnType<Operations[O]>>;

/** What somebody waits for; the rest is owed to the index itself. */
const READS: ReadonlySet<keyof Operations> = new Set(["search", "suggest", "get"]);
/** Longest that anybody waits for a read, in milliseconds: later the thread would work for nobody. */
const READ_WITHIN_MS = 5_000;
/** Reads that wait for the thread: a few milliseconds each, about as many as are answered before they are overdue. */
const MOST_READS = 1_000;

/** Documents that go to the thread in one message: a search that comes meanwhile waits for so many. */
const SLICE = 100;

/**
 * A dated index in a worker thread of its own, started by its first request; one that dies is started again by the
 * next. Its memory has no limit but Node's own, which ends the thread and not the process: the words of the whole
 * catalog are in it, however many there are.
 */
export class IndexThread {
  readonly name: string;
  readonly #data: WorkerData;
  readonly #waiting = new Map<Worker, Map<number, Waiting>>();
  readonly #writes = new KeyedQueue();
  readonly #readWithinMs: number;
  #reads = 0;
  #worker: Worker | undefined;
  #nextId = 1;
  #isClosed = false;

  constructor(name: string, data: WorkerData, { readWithinMs = READ_WITHIN_MS } = {}) {
    this.name = name;
    this.#readWithinMs = readWithinMs;
    this.#data = { ...data };
  }

  /** @throws UNAVAILABLE, for a read also when too many wait already, at once, or when it was not begun in time */
  async request<O extends keyof Operations>(operation: O, ...args: Parameters<Operations[O]>): Promise<Value<O>> {
    if (this.#isClosed) throw new SearchIndexError("UNAVAILABLE", "The search index is closed");
    this.#worker ??= this.#start();
    if (!READS.has(operation)) return this.#post(this.#worker, { operation, args });
    if (this.#reads >= MOST_READS) throw new SearchIndexError("UNAVAILABLE", "The search index is overloaded");
    this.#reads += 1;
    try {
      return await this.#post(this.#worker, { operation, args, until: Date.now() + this.#readWithinMs });
    } finally {
      this.#reads -= 1;
    }
  }

  /** All of a batch or nothing, one batch at a time. */
  write({ put, removed }: IndexChanges, progress: Progress): Promise<void> {
    return this.#writes.run("write", async () => {
      if (this.#isClosed) throw new SearchIndexError("UNAVAILABLE", "The search index is closed");
      // A thread that is started anew knows nothing of the slices that went to the one before.
      const worker = (this.#worker ??= this.#start());
      for (let start = 0; start < put.length; start += SLICE) {
        await this.#post(worker, { operation: "stage", args: [put.slice(start, start + SLICE)] });
      }
      if (removed.length > 0) await this.#post(worker, { operation: "stageRemoval", args: [removed] });
      await this.#post(worker, { operation: "commit", args: [progress] });
    });
  }

  /** Ends a build: what is in it is on disk, and so is what will be written. */
  async finish(): Promise<void> {
    await this.#writes.run("write", () => this.request("finish"));
    this.#data.isBuild = false;
  }

  /** Answers what it was asked, and ends. */
  async close(): Promise<void> {
    await this.#writes.run("write", async () => {
      this.#isClosed = true;
      const worker = this.#worker;
      if (!worker) return;
      const ended = new Promise((resolve) => worker.once("exit", resolve));
      this.#post(worker, { operation: "close", args: [] }).catch(() => worker.terminate());
      await ended;
    });
  }

  #post<O extends keyof Operations>(
    worker: Worker,
    request: { operation: O; args: Parameters<Operations[O]>; until?: number },
  ): Promise<Value<O>> {
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(worker);
      if (!waiting) {
        reject(new SearchIndexError("UNAVAILABLE", "The search index has stopped"));
        return;
      }
      waiting.set(id, { resolve: resolve, reject });
      worker.postMessage({ id, ...request } satisfies Request);
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), {
      workerData: this.#data,
      execArgv: ["--disable-warning=ExperimentalWarning"],
      // V8 would give new objects a hundred megabytes of room in each thread before it looks at them.
      resourceLimits: { maxYoungGenerationSizeMb: 24 },
    });
    const waiting = new Map<number, Waiting>();
    this.#waiting.set(worker, waiting);
    let reason: unknown;
    worker.on("message", (response: Response) => {
      const { resolve, reject } = waiting.get(response.id)!;
      waiting.delete(response.id);
      if ("error" in response) reject(new SearchIndexError("UNAVAILABLE", response.error));
      else resolve(response.value);
    });
    worker.on("error", (error) => {
      reason = error;
    });
    worker.on("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
      this.#waiting.delete(worker);
      const error = new SearchIndexError("UNAVAILABLE", "The search index has stopped", { cause: reason });
      for (const { reject } of waiting.values()) reject(error);
    });
    return worker;
  }
}
