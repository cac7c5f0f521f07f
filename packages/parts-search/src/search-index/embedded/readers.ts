import { availableParallelism } from "node:os";
import { type Ask, isUnavailable, RequestThread } from "@partline/toolkit";
import { SearchIndexError, createUnavailable, type SearchQuery, type Suggestion } from "../port.ts";
import type { SearchPage } from "../search-page.ts";
import type { IndexDocument } from "../index-document.ts";
import type { CatalogMachine } from "../fits.ts";
import type { ShownPage } from "../shown.ts";
import type { IndexView } from "./index-memory.ts";
import { TOO_LONG, type Effort } from "./index-reader.ts";
import { OpenIndexes, type OpenIndexesData, type ReadIndex } from "./open-indexes.ts";

/** Effort of a search in the calling thread: 0.8 ms at most. */
const EFFORT_HERE = 90_000;
/** Searches at once, over all threads: about as many are answered before they are overdue. */
const MOST_READS = 1_000;

interface Reader {
  thread: RequestThread<OpenIndexes>;
  /** Requests that it has not answered. */
  waiting: number;
}

/** Marks what a thread had not answered when it died: another one may. */
class ThreadDied extends SearchIndexError {}

/**
 * Threads that search all open indexes, over memory that they share with the writers: as many as there are processors,
 * each started once the others are busy. One that dies is replaced, and another one answers what it was asked. A short
 * search is answered in the thread that asks, without messages.
 */
export class Readers {
  readonly #indexes = new Map<string, ReadIndex>();
  readonly #readers: Reader[];
  readonly #own: OpenIndexes;
  readonly #effortHere: number;
  /** Searches in this turn of the event loop, and in the last one that had any. */
  #turn = { searches: 0, before: 0 };
  #synonyms: readonly string[];

  constructor({
    synonyms,
    threads = availableParallelism(),
    readWithinMs,
    effortHere = EFFORT_HERE,
  }: {
    synonyms: readonly string[];
    threads?: number;
    readWithinMs?: number;
    /** Effort of a search in the calling thread. */
    effortHere?: number;
  }) {
    this.#synonyms = synonyms;
    this.#effortHere = effortHere;
    this.#own = new OpenIndexes({ indexes: this.#indexes, synonyms }, { waits: false });
    this.#readers = Array.from({ length: threads }, () => ({
      waiting: 0,
      thread: new RequestThread<OpenIndexes>({
        ...(readWithinMs !== undefined && { readWithinMs }),
        mostReads: Math.ceil(MOST_READS / threads),
        module: new URL("./reader-worker.ts", import.meta.url),
        name: "search-reader",
        youngGenerationMb: 24,
        data: (): OpenIndexesData => ({ indexes: this.#indexes, synonyms: this.#synonyms }),
        reads: ["searchWritten", "searchShown", "suggest", "listMachines", "get"],
        // Options come with a request that the thread may have begun.
        unavailable: (reason, options) =>
          options
            ? new ThreadDied("UNAVAILABLE", createUnavailable(reason).message, options)
            : createUnavailable(reason),
      }),
    }));
  }

  /** Shows an index as it is now to all threads; resolves when no later search sees an older one. */
  async see(name: string, path: string, view: IndexView): Promise<void> {
    this.#indexes.set(name, { path, view });
    this.#own.see(name, { path, view });
    await this.#tellAll((ask) => ask("see", name, { path, view }));
  }

  async forget(name: string): Promise<void> {
    this.#own.forget(name);
    if (this.#indexes.delete(name)) await this.#tellAll((ask) => ask("forget", name));
  }

  async useSynonyms(lines: readonly string[]): Promise<void> {
    this.#synonyms = lines;
    this.#own.useSynonyms(lines);
    await this.#tellAll((ask) => ask("useSynonyms", lines));
  }

  async search(name: string, query: SearchQuery): Promise<SearchPage> {
    return (
      this.#tryHere((effort) => this.#own.search(name, query, effort)) ??
      (JSON.parse(await this.#ask((ask) => ask("searchWritten", name, query))) as SearchPage)
    );
  }

  async searchShown(name: string, query: SearchQuery): Promise<ShownPage> {
    return (
      this.#tryHere((effort) => this.#own.searchShown(name, query, effort)) ??
      this.#ask((ask) => ask("searchShown", name, query))
    );
  }

  suggest(name: string, query: { q: string; limit: number }): Promise<Suggestion[]> {
    return this.#ask((ask) => ask("suggest", name, query));
  }

  listMachines(name: string): Promise<CatalogMachine[]> {
    return this.#ask((ask) => ask("listMachines", name));
  }

  get(name: string, ids: string[]): Promise<IndexDocument[]> {
    return this.#ask((ask) => ask("get", name, ids));
  }

  async close(): Promise<void> {
    this.#own.close();
    await Promise.all(this.#readers.map(({ thread }) => thread.close()));
  }

  listRunning(): RequestThread<OpenIndexes>[] {
    return this.#readers.flatMap(({ thread }) => (thread.worker ? [thread] : []));
  }

  /** Undefined if a reader must be asked: it would take too long, or the file cannot be read now. */
  #tryHere<T>(search: (effort: Effort) => T): T | undefined {
    if (!this.#isAlone()) return undefined;
    try {
      return search({ left: this.#effortHere });
    } catch (error) {
      // Of a file that cannot be read, a reader says what is the matter, or waits until it can be.
      if (error === TOO_LONG || isUnavailable(error)) return undefined;
      throw error;
    }
  }

  /**
   * Returns whether searches come one by one: only then does the calling thread search itself, because several in a
   * turn keep it busy with their answers.
   */
  #isAlone(): boolean {
    const turn = this.#turn;
    turn.searches += 1;
    if (turn.searches > 1) return false;
    setImmediate(() => (this.#turn = { searches: 0, before: turn.searches }));
    return turn.before <= 1;
  }

  /** A thread that is not running learns everything when it starts. */
  async #tellAll(tell: (ask: Ask<OpenIndexes>) => Promise<unknown>): Promise<void> {
    await Promise.all(
      this.listRunning().map((thread) =>
        tell(thread.request).catch((error: unknown) => {
          if (!(error instanceof ThreadDied)) throw error;
        }),
      ),
    );
  }

  async #ask<T>(work: (ask: Ask<OpenIndexes>) => Promise<T>): Promise<T> {
    try {
      return await this.#askOne(work);
    } catch (error) {
      if (!(error instanceof ThreadDied)) throw error;
      return this.#askOne(work);
    }
  }

  async #askOne<T>(work: (ask: Ask<OpenIndexes>) => Promise<T>): Promise<T> {
    const reader = this.#pickLeastBusy();
    reader.waiting += 1;
    try {
      return await work(reader.thread.request);
    } finally {
      reader.waiting -= 1;
    }
  }

  /** Picks the least busy reader, the first of equals. */
  #pickLeastBusy(): Reader {
    return this.#readers.reduce((least, reader) => (reader.waiting < least.waiting ? reader : least));
  }
}
