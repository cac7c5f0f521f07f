import { availableParallelism } from "node:os";
import { RequestThread, type Ask } from "../../request-thread.ts";
import { SearchIndexError, type IndexDocument, type SearchPage, type SearchQuery, type Suggestion } from "../port.ts";
import type { ShownPage } from "../shown.ts";
import type { IndexView } from "./index-memory.ts";
import type { Effort } from "./index-reader.ts";
import { OpenIndexes, type OpenIndexesData, type ReadIndex } from "./open-indexes.ts";

/**
 * What searches may take in the thread that asks, in a turn of its event loop (`Effort`): a page of hits, 0.2 ms and 0.5
 * at most, or some ten numbers. More are asked of the readers, which also lets the event loop go on.
 */
const EFFORT_A_TURN = 60_000;
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
  readonly #effortATurn: number;
  #effort: Effort | undefined;
  #synonyms: readonly string[];

  constructor({
    synonyms,
    threads = availableParallelism(),
    readWithinMs,
    effortATurn = EFFORT_A_TURN,
  }: {
    synonyms: readonly string[];
    threads?: number;
    readWithinMs?: number;
    /** In the thread that asks. */
    effortATurn?: number;
  }) {
    this.#synonyms = synonyms;
    this.#effortATurn = effortATurn;
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
        reads: ["searchWritten", "searchShown", "suggest", "get"],
        // Options come with a request that the thread may have begun.
        unavailable: (reason, options) =>
          new (options ? ThreadDied : SearchIndexError)(
            "UNAVAILABLE",
            `The search index is unavailable: ${reason}`,
            options,
          ),
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
      this.#here((effort) => this.#own.search(name, query, effort)) ??
      (JSON.parse(await this.#ask((ask) => ask("searchWritten", name, query))) as SearchPage)
    );
  }

  async searchShown(name: string, query: SearchQuery): Promise<ShownPage> {
    return (
      this.#here((effort) => this.#own.searchShown(name, query, effort)) ??
      this.#ask((ask) => ask("searchShown", name, query))
    );
  }

  suggest(name: string, query: { q: string; limit: number }): Promise<Suggestion[]> {
    return this.#ask((ask) => ask("suggest", name, query));
  }

  get(name: string, ids: string[]): Promise<IndexDocument[]> {
    return this.#ask((ask) => ask("get", name, ids));
  }

  async close(): Promise<void> {
    this.#own.close();
    await Promise.all(this.#readers.map(({ thread }) => thread.close()));
  }

  running(): RequestThread<OpenIndexes>[] {
    return this.#readers.flatMap(({ thread }) => (thread.worker ? [thread] : []));
  }

  /** Undefined if it would take too long, or the file cannot be read now: a reader waits for it, or says why. */
  #here<T>(search: (effort: Effort) => T): T | undefined {
    const effort = this.#effortOfTurn();
    if (effort.left <= 0) return undefined;
    try {
      return search(effort);
    } catch {
      return undefined;
    }
  }

  #effortOfTurn(): Effort {
    if (!this.#effort) {
      this.#effort = { left: this.#effortATurn };
      setImmediate(() => (this.#effort = undefined));
    }
    return this.#effort;
  }

  /** A thread that is not running learns everything when it starts. */
  async #tellAll(tell: (ask: Ask<OpenIndexes>) => Promise<unknown>): Promise<void> {
    await Promise.all(
      this.running().map((thread) =>
        tell(thread.request).catch((error: unknown) => {
          if (!(error instanceof ThreadDied)) throw error;
        }),
      ),
    );
  }

  async #ask<T>(read: (ask: Ask<OpenIndexes>) => Promise<T>): Promise<T> {
    try {
      return await this.#askOne(read);
    } catch (error) {
      if (!(error instanceof ThreadDied)) throw error;
      return this.#askOne(read);
    }
  }

  async #askOne<T>(read: (ask: Ask<OpenIndexes>) => Promise<T>): Promise<T> {
    const reader = this.#leastBusy();
    reader.waiting += 1;
    try {
      return await read(reader.thread.request);
    } finally {
      reader.waiting -= 1;
    }
  }

  /** Of those that are equally busy, the first. */
  #leastBusy(): Reader {
    return this.#readers.reduce((least, each) => (each.waiting < least.waiting ? each : least));
  }
}
