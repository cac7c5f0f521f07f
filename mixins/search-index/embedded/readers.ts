import { availableParallelism } from "node:os";
import { RequestThread, type Ask } from "../../request-thread.ts";
import { SearchIndexError, type IndexDocument, type SearchPage, type SearchQuery, type Suggestion } from "../port.ts";
import type { IndexView } from "./index-memory.ts";
import type { ReaderData, ReaderOperations, ReadIndex } from "./reader-worker.ts";

/** Searches at once, over all threads: about as many are answered before they are overdue. */
const MOST_READS = 1_000;

interface Reader {
  thread: RequestThread<ReaderOperations>;
  /** Requests that it has not answered. */
  waiting: number;
}

/** Marks what a thread had not answered when it died: another one may. */
class ThreadDied extends SearchIndexError {}

/**
 * Threads that search all open indexes, over memory that they share with the writers: as many as there are processors,
 * each started once the others are busy. One that dies is replaced, and another one answers what it was asked.
 */
export class Readers {
  readonly #indexes = new Map<string, ReadIndex>();
  readonly #readers: Reader[];
  #synonyms: readonly string[];

  constructor({
    synonyms,
    threads = availableParallelism(),
    readWithinMs,
  }: {
    synonyms: readonly string[];
    threads?: number;
    readWithinMs?: number;
  }) {
    this.#synonyms = synonyms;
    this.#readers = Array.from({ length: threads }, () => ({
      waiting: 0,
      thread: new RequestThread<ReaderOperations>({
        ...(readWithinMs !== undefined && { readWithinMs }),
        mostReads: Math.ceil(MOST_READS / threads),
        module: new URL("./reader-worker.ts", import.meta.url),
        name: "search-reader",
        youngGenerationMb: 24,
        data: (): ReaderData => ({ indexes: this.#indexes, synonyms: this.#synonyms }),
        reads: ["search", "suggest", "get"],
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
    await this.#tellAll((ask) => ask("see", name, { path, view }));
  }

  async forget(name: string): Promise<void> {
    if (this.#indexes.delete(name)) await this.#tellAll((ask) => ask("forget", name));
  }

  async useSynonyms(lines: readonly string[]): Promise<void> {
    this.#synonyms = lines;
    await this.#tellAll((ask) => ask("useSynonyms", lines));
  }

  async search(name: string, query: SearchQuery): Promise<SearchPage> {
    return JSON.parse(await this.#ask((ask) => ask("search", name, query))) as SearchPage;
  }

  suggest(name: string, query: { q: string; limit: number }): Promise<Suggestion[]> {
    return this.#ask((ask) => ask("suggest", name, query));
  }

  get(name: string, ids: string[]): Promise<IndexDocument[]> {
    return this.#ask((ask) => ask("get", name, ids));
  }

  async close(): Promise<void> {
    await Promise.all(this.#readers.map(({ thread }) => thread.close()));
  }

  running(): RequestThread<ReaderOperations>[] {
    return this.#readers.flatMap(({ thread }) => (thread.worker ? [thread] : []));
  }

  /** A thread that is not running learns everything when it starts. */
  async #tellAll(tell: (ask: Ask<ReaderOperations>) => Promise<unknown>): Promise<void> {
    await Promise.all(
      this.running().map((thread) =>
        tell(thread.request).catch((error: unknown) => {
          if (!(error instanceof ThreadDied)) throw error;
        }),
      ),
    );
  }

  async #ask<T>(read: (ask: Ask<ReaderOperations>) => Promise<T>): Promise<T> {
    try {
      return await this.#askOne(read);
    } catch (error) {
      if (!(error instanceof ThreadDied)) throw error;
      return this.#askOne(read);
    }
  }

  async #askOne<T>(read: (ask: Ask<ReaderOperations>) => Promise<T>): Promise<T> {
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
