import { closeSync, fsyncSync, openSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { namingsOf } from "../completions.ts";
import type { IndexChanges } from "../changes.ts";
import type { IndexDocument, Progress } from "../port.ts";
import { memoryOf, viewOf, type IndexMemory, type IndexView } from "./index-memory.ts";
import { connect, prepareWrites, UnusableIndexError, type WriteStatements } from "./index-schema.ts";
import { searchableOf, type Searchable } from "./searchable.ts";
import { readDocument, storedDocument, type StoredDocument } from "../stored-document.ts";

/** A change in the open transaction that is not in memory yet. */
interface Staged {
  row: number;
  /** Undefined if the row is removed. */
  document?: IndexDocument;
  /** Undefined if its terms are unchanged. */
  searchable?: Searchable;
  /** Its row before its terms changed. */
  before?: number;
}

/**
 * The one writer of a dated index: its file, and the memory that readers share, which follows what is committed. Readers
 * see it once they are given a view.
 */
export class IndexWriter {
  readonly #memory: IndexMemory;
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #statements: WriteStatements;
  #count: number;

  /**
   * @param view of all that the file holds; without one, the file is read
   * @throws UnusableIndexError when the file is of another version or cannot be read, SQLite's error when it is
   * damaged
   */
  constructor(path: string, { isBuild = false, view }: { isBuild?: boolean; view?: IndexView } = {}) {
    this.#path = path;
    this.#memory = memoryOf(view);
    this.#count = view?.count ?? 0;
    this.#database = connect(path, { isBuild });
    try {
      this.#statements = prepareWrites(this.#database);
      if (!view) this.#load();
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  get count(): number {
    return this.#count;
  }

  view(): IndexView {
    return { ...viewOf(this.#memory), count: this.#count, progress: this.progress() };
  }

  /** Writes all of a batch with the progress of the sources, or nothing. */
  write({ put, removed }: IndexChanges, progress: Progress): void {
    const staged: Staged[] = [];
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const known = this.#known(put);
      for (const document of put) staged.push(this.#put(document, known.get(document.id)));
      for (const { row } of this.#statements.rowsOf.all(JSON.stringify(removed)) as { row: number }[]) {
        this.#statements.remove.run(row);
        staged.push({ row });
      }
      for (const [source, revision] of Object.entries(progress)) this.#statements.setProgress.run(source, revision);
      this.#database.exec("COMMIT");
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
    for (const entry of staged) this.#remember(entry);
  }

  /** Makes a build safe from a power cut. */
  finish(): void {
    this.#database.exec("PRAGMA journal_mode = WAL");
    const file = openSync(this.#path, "r+");
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    this.#database.exec("PRAGMA synchronous = NORMAL");
  }

  progress(): Progress {
    const rows = this.#statements.progress.all() as { source: string; revision: number }[];
    return Object.fromEntries(rows.map(({ source, revision }) => [source, revision]));
  }

  close(): void {
    this.#database.close();
  }

  #known(documents: readonly IndexDocument[]): ReadonlyMap<string, KnownPart> {
    const ids = JSON.stringify(documents.map(({ id }) => id));
    return new Map((this.#statements.known.all(ids) as unknown as KnownPart[]).map((part) => [part.id, part]));
  }

  #put(document: IndexDocument, known: KnownPart | undefined): Staged {
    const { id } = document;
    const searchable = searchableOf(document);
    const [numbers, terms] = [searchable.numbers.join(" "), searchable.terms.join(" ")];
    const { hit, rest } = storedDocument(document);
    // A row in place shows a profile at once, so only one that readers know.
    if (
      known?.terms === terms &&
      known.numbers === numbers &&
      Buffer.compare(known.weights, searchable.weights) === 0 &&
      this.#memory.columns.profiles.isShown(document)
    ) {
      this.#statements.update.run(hit, rest, known.row);
      return { row: known.row, document };
    }
    if (known) this.#statements.remove.run(known.row);
    const row = Number(this.#statements.insert.run(id, hit, rest, numbers, terms, searchable.weights).lastInsertRowid);
    return { row, document, searchable, before: known?.row };
  }

  #remember({ row, document, searchable, before }: Staged): void {
    if (!document) {
      this.#memory.columns.remove(row);
      this.#count -= 1;
      return;
    }
    if (before !== undefined) this.#memory.columns.remove(before);
    else if (searchable) this.#count += 1;
    this.#memory.columns.set(row, document);
    if (searchable) this.#learn(row, document, searchable);
  }

  #learn(row: number, document: IndexDocument, { numbers: [own, ...variants], terms, weights }: Searchable): void {
    this.#memory.numbers.add(row, own!, variants);
    for (const naming of namingsOf(document)) this.#memory.completions.add(row, naming);
    for (const [at, term] of terms.entries()) {
      const id = this.#memory.words.add(row, term, weights[at]!);
      if (id !== undefined) this.#memory.corrector.learn(term, id);
    }
  }

  #load(): void {
    for (const part of this.#statements.everything.iterate() as Iterable<StoredPart>) this.#take(part);
  }

  #take({ row, numbers, terms, weights, ...stored }: StoredPart): void {
    try {
      const document = readDocument(stored);
      this.#memory.columns.set(row, document);
      this.#learn(row, document, {
        numbers: numbers.split(" "),
        terms: terms === "" ? [] : terms.split(" "),
        weights,
      });
    } catch (error) {
      throw new UnusableIndexError("UNREADABLE", `Row ${row} of the index cannot be read`, { cause: error });
    }
    this.#count += 1;
  }
}

/** What a part is found by, as the file has it. */
interface FoundBy {
  row: number;
  numbers: string;
  terms: string;
  weights: Uint8Array;
}

interface KnownPart extends FoundBy {
  id: string;
}

type StoredPart = FoundBy & StoredDocument;
