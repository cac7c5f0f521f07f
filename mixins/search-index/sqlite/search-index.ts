import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { lockFile, type FileLock } from "../../lock-file.ts";
import { SearchIndexError } from "../port.ts";
import type { IndexBatch, IndexBuild, IndexStatus, LogicalIndex, Progress, SearchIndex, SearchPage, SearchQuery } from "../port.ts";
import type { IndexDirectory } from "./index-directory.ts";
import type { Operation, Request, Response } from "./worker.ts";

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

type Value<O extends Operation> = ReturnType<IndexDirectory[O]>;

/**
 * The embedded index: all of its work is done in one worker thread, so the event loop never waits for a search, a
 * write or a build. A thread that dies is started again by the next request.
 * @throws UNAVAILABLE when another process has the directory open
 */
export async function openEmbeddedIndex(directory: string): Promise<SearchIndex> {
  mkdirSync(directory, { recursive: true });
  const lock = lockFile(join(directory, "lock.db"));
  if (!lock) throw new SearchIndexError("UNAVAILABLE", "The search index is open in another process, and an embedded one serves one process only");
  const index = new EmbeddedSearchIndex(directory, lock);
  try {
    await index.status();
  } catch (error) {
    await index.close();
    throw error;
  }
  return index;
}

class EmbeddedSearchIndex implements SearchIndex {
  readonly backend = "embedded";
  readonly #path: string;
  readonly #lock: FileLock;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #nextId = 1;
  #isClosed = false;

  constructor(path: string, lock: FileLock) {
    this.#path = path;
    this.#lock = lock;
  }

  search(index: LogicalIndex, query: SearchQuery): Promise<SearchPage> {
    return this.#request("search", index, query);
  }

  write(batch: IndexBatch): Promise<void> {
    return this.#request("write", batch);
  }

  progress(): Promise<Progress> {
    return this.#request("progress");
  }

  status(): Promise<IndexStatus> {
    return this.#request("status");
  }

  async startBuild(): Promise<IndexBuild> {
    const { build, names } = await this.#request("startBuild");
    return {
      names,
      add: (batch) => this.#request("addToBuild", build, batch),
      publish: (expected, options) => this.#request("publish", build, expected, options),
      discard: () => this.#request("discard", build),
    };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    const worker = this.#worker;
    if (worker) {
      const ended = new Promise((resolve) => worker.once("exit", resolve));
      this.#post(worker, "close", []).catch(() => worker.terminate());
      await ended;
    }
    this.#isClosed = true;
    this.#lock.release();
  }

  #request<O extends Operation>(operation: O, ...args: Parameters<IndexDirectory[O]>): Promise<Value<O>> {
    if (this.#isClosed) return Promise.reject(new SearchIndexError("UNAVAILABLE", "The search index is closed"));
    this.#worker ??= this.#start();
    return this.#post(this.#worker, operation, args) as Promise<Value<O>>;
  }

  #post(worker: Worker, operation: Request["operation"], args: unknown[]): Promise<unknown> {
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, operation, args } satisfies Request);
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), {
      workerData: { path: this.#path }, execArgv: ["--disable-warning=ExperimentalWarning"],
    });
    let reason: unknown;
    worker.on("message", (response: Response) => {
      const waiting = this.#waiting.get(response.id);
      this.#waiting.delete(response.id);
      if ("error" in response) waiting?.reject(toError(response.error));
      else waiting?.resolve(response.value);
    });
    worker.on("error", (error) => {
      reason = error;
    });
    worker.on("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
      const error = new SearchIndexError("UNAVAILABLE", "The search index has stopped", { cause: reason });
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    });
    return worker;
  }
}

function toError({ code, message }: { code?: string; message: string }): Error {
  if (code === "BUILD_REFUSED") return new SearchIndexError(code, message);
  return new SearchIndexError("UNAVAILABLE", message);
}
