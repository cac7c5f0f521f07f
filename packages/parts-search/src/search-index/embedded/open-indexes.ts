import type { SearchQuery, Suggestion } from "../port.ts";
import type { SearchPage } from "../search-page.ts";
import type { IndexDocument } from "../index-document.ts";
import { readSynonyms, type Synonyms } from "../query-plan.ts";
import type { IndexView } from "./index-memory.ts";
import { IndexReader, type Effort, type ReadOptions } from "./index-reader.ts";
import type { CatalogMachine } from "../fits.ts";
import type { ShownPage } from "../shown.ts";
import { searchIndex, searchShown } from "./search.ts";
import { suggestIn } from "./suggest.ts";

export interface ReadIndex {
  path: string;
  view: IndexView;
}

export interface OpenIndexesData {
  /** By name. */
  indexes: ReadonlyMap<string, ReadIndex>;
  synonyms: readonly string[];
}

/** All open indexes, as one thread searches them. */
export class OpenIndexes {
  readonly #views: Map<string, ReadIndex>;
  /** Opened when they are asked for: one that cannot be does not take the others with it. */
  readonly #readers = new Map<string, IndexReader>();
  readonly #options: ReadOptions;
  #synonyms: Synonyms;

  constructor({ indexes, synonyms }: OpenIndexesData, options: ReadOptions = {}) {
    this.#views = new Map(indexes);
    this.#options = options;
    this.#synonyms = readSynonyms(synonyms);
  }

  see(name: string, index: ReadIndex): void {
    this.#views.set(name, index);
    this.#readers.get(name)?.see(index.view);
  }

  forget(name: string): void {
    this.#views.delete(name);
    this.#readers.get(name)?.close();
    this.#readers.delete(name);
  }

  useSynonyms(lines: readonly string[]): void {
    this.#synonyms = readSynonyms(lines);
  }

  /** @throws Error when it would take more effort */
  search(name: string, query: SearchQuery, effort: Effort): SearchPage {
    return searchIndex(this.#getReader(name), query, this.#getSynonyms(query), effort);
  }

  /** Returns JSON, since copying objects from thread to thread takes longer. */
  searchWritten(name: string, query: SearchQuery): string {
    return JSON.stringify(searchIndex(this.#getReader(name), query, this.#getSynonyms(query)));
  }

  /** @throws Error when it would take more effort */
  searchShown(name: string, query: SearchQuery, effort?: Effort): ShownPage {
    return searchShown(this.#getReader(name), query, this.#getSynonyms(query), effort);
  }

  suggest(name: string, query: { q: string; limit: number }): Suggestion[] {
    return suggestIn(this.#getReader(name), query, this.#synonyms);
  }

  listMachines(name: string): CatalogMachine[] {
    const reader = this.#getReader(name);
    return reader.machines.list(reader.columns);
  }

  get(name: string, ids: string[]): IndexDocument[] {
    return this.#getReader(name).documentsOf(ids);
  }

  close(): void {
    for (const name of this.#readers.keys()) this.forget(name);
  }

  #getSynonyms({ synonyms }: SearchQuery): Synonyms {
    return synonyms ? readSynonyms(synonyms) : this.#synonyms;
  }

  #getReader(name: string): IndexReader {
    const openReader = this.#readers.get(name);
    if (openReader) return openReader;
    const index = this.#views.get(name);
    if (!index) throw new Error(`${name} is not open`);
    const opened = new IndexReader(index.path, index.view, this.#options);
    this.#readers.set(name, opened);
    return opened;
  }
}
