import { KeyedQueue } from "../../keyed-queue.ts";
import { RequestThread, type Ask } from "../../request-thread.ts";
import type { IndexChanges } from "../changes.ts";
import { SearchIndexError, type Progress } from "../port.ts";
import type { IndexOperations, WorkerData } from "./worker.ts";

/** A dated index in a worker thread of its own. Node's own limit of its memory ends the thread and not the process. */
export class IndexThread {
  readonly name: string;
  readonly request: Ask<IndexOperations>;
  readonly #data: WorkerData;
  readonly #thread: RequestThread<IndexOperations>;
  readonly #writes = new KeyedQueue();

  constructor(name: string, data: WorkerData, options: { readWithinMs?: number } = {}) {
    this.name = name;
    this.#data = { ...data };
    this.#thread = new RequestThread({
      ...options,
      module: new URL("./worker.ts", import.meta.url),
      name: "search-index",
      youngGenerationMb: 24,
      data: () => this.#data,
      reads: ["search", "suggest", "get"],
      unavailable: (reason, cause) =>
        new SearchIndexError("UNAVAILABLE", `The search index is unavailable: ${reason}`, cause),
    });
    this.request = this.#thread.request;
  }

  /** Writes all of a batch or nothing, one batch at a time. */
  write(changes: IndexChanges, progress: Progress): Promise<void> {
    return this.#writes.run("write", () => this.request("write", changes, progress));
  }

  async useSynonyms(lines: readonly string[]): Promise<void> {
    this.#data.synonyms = lines;
    await this.request("useSynonyms", lines);
  }

  /** Ends a build: its documents are on disk then, and so is each later write. */
  async finish(): Promise<void> {
    await this.#writes.run("write", () => this.request("finish"));
    this.#data.isBuild = false;
  }

  close(): Promise<void> {
    return this.#writes.run("write", () => this.#thread.close());
  }
}
