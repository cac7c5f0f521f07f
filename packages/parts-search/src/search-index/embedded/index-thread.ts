import { KeyedQueue, RequestThread } from "@partline/toolkit";
import type { IndexChanges } from "../builds.ts";
import { createUnavailable, type Progress } from "../port.ts";
import type { IndexView } from "./index-memory.ts";
import type { Readers } from "./readers.ts";
import type { WriterData, WriterOperations } from "./writer-worker.ts";

/** A writer's own memory is larger than what it shares, and an index is not written to for most of the time. */
const IDLE_MS = 5_000;

/**
 * A dated index, written in a worker thread of its own and searched by `Readers`. The thread ends when nothing is
 * written, and the next one goes on with the memory that it has left. Node's own limit of its memory ends the thread
 * and not the process.
 */
export class IndexThread {
  readonly name: string;
  readonly #data: WriterData;
  readonly #readers: Readers;
  readonly #thread: RequestThread<WriterOperations>;
  readonly #writes = new KeyedQueue();

  constructor(name: string, data: Omit<WriterData, "view">, readers: Readers) {
    this.name = name;
    this.#data = { ...data };
    this.#readers = readers;
    this.#thread = new RequestThread({
      module: new URL("./writer-worker.ts", import.meta.url),
      name: "search-writer",
      youngGenerationMb: 24,
      data: () => this.#data,
      // A build has no view that another thread could go on with.
      idleMs: () => (this.#data.isBuild ? undefined : IDLE_MS),
      unavailable: createUnavailable,
    });
  }

  /** Documents. */
  async count(): Promise<number> {
    return this.#data.view?.count ?? this.#thread.request("count");
  }

  /** Returns the progress up to which documents are searchable. */
  async progress(): Promise<Progress> {
    if (this.#data.isBuild) return this.#thread.request("progress");
    return this.#writes.run("write", async () => {
      if (!this.#data.view) await this.open();
      return this.#data.view!.progress;
    });
  }

  /** Makes it searchable. */
  async open(): Promise<void> {
    await this.#see(await this.#thread.request("view"));
  }

  /** Writes all of a batch or nothing, one batch at a time; resolves when searches see it. */
  write(changes: IndexChanges, progress: Progress): Promise<void> {
    return this.#writes.run("write", async () => {
      const { isBuild } = this.#data;
      const after = await this.#thread
        .request("write", changes, progress, { isBuild })
        .catch(async (error: unknown) => {
          // The file may be ahead of the memory, or the memory half written: the next thread reads the file.
          delete this.#data.view;
          await this.#thread.end();
          throw error;
        });
      if (after) await this.#see(after);
    });
  }

  /** Ends a build: its documents are on disk and searchable then, and so is each later write. */
  async finish(): Promise<void> {
    await this.#writes.run("write", async () => {
      await this.#thread.request("finish");
      this.#data.isBuild = false;
      await this.open();
      await this.#thread.end();
    });
  }

  close(): Promise<void> {
    return this.#writes.run("write", async () => {
      delete this.#data.view;
      await this.#readers.forget(this.name);
      await this.#thread.close();
    });
  }

  async #see(view: IndexView): Promise<void> {
    this.#data.view = view;
    await this.#readers.see(this.name, this.#data.path, view);
  }
}
