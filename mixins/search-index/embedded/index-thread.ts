import { KeyedQueue } from "../../keyed-queue.ts";
import { RequestThread, type Ask } from "../../request-thread.ts";
import type { IndexChanges } from "../changes.ts";
import {
  SearchIndexError,
  type IndexDocument,
  type Progress,
  type SearchPage,
  type SearchQuery,
  type Suggestion,
} from "../port.ts";
import type { Readers } from "./readers.ts";
import type { WriterData, WriterOperations } from "./writer-worker.ts";

/**
 * A dated index, written in a worker thread of its own and searched by `Readers`. Node's own limit of its memory ends the
 * thread and not the process.
 */
export class IndexThread {
  readonly name: string;
  readonly request: Ask<WriterOperations>;
  readonly #data: WriterData;
  readonly #readers: Readers;
  readonly #thread: RequestThread<WriterOperations>;
  readonly #writes = new KeyedQueue();

  constructor(name: string, data: WriterData, readers: Readers) {
    this.name = name;
    this.#data = { ...data };
    this.#readers = readers;
    this.#thread = new RequestThread({
      module: new URL("./writer-worker.ts", import.meta.url),
      name: "search-writer",
      youngGenerationMb: 24,
      data: () => this.#data,
      unavailable: (reason, cause) =>
        new SearchIndexError("UNAVAILABLE", `The search index is unavailable: ${reason}`, cause),
    });
    this.request = this.#thread.request;
  }

  search(query: SearchQuery): Promise<SearchPage> {
    return this.#readers.search(this.name, query);
  }

  suggest(query: { q: string; limit: number }): Promise<Suggestion[]> {
    return this.#readers.suggest(this.name, query);
  }

  get(ids: string[]): Promise<IndexDocument[]> {
    return this.#readers.get(this.name, ids);
  }

  /** Makes it searchable. */
  async open(): Promise<void> {
    await this.#readers.see(this.name, this.#data.path, await this.request("view"));
  }

  /** Writes all of a batch or nothing, one batch at a time; resolves when searches see it. */
  write(changes: IndexChanges, progress: Progress): Promise<void> {
    return this.#writes.run("write", async () => {
      const view = await this.request("write", changes, progress, { isBuild: this.#data.isBuild });
      if (view) await this.#readers.see(this.name, this.#data.path, view);
    });
  }

  /** Ends a build: its documents are on disk and searchable then, and so is each later write. */
  async finish(): Promise<void> {
    await this.#writes.run("write", async () => {
      await this.request("finish");
      this.#data.isBuild = false;
      await this.open();
    });
  }

  close(): Promise<void> {
    return this.#writes.run("write", async () => {
      await this.#readers.forget(this.name);
      await this.#thread.close();
    });
  }
}
