import { closeSync, fsyncSync, openSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { listNamings } from "../completions.ts";
import type { IndexChanges } from "../builds.ts";
import type { Progress } from "../port.ts";
import type { IndexDocument } from "../index-document.ts";
import { createMemory, createView, type IndexMemory, type IndexView } from "./index-memory.ts";
import { connect, prepareWrites, UnusableIndexError, type WriteStatements } from "./index-schema.ts";
import { toSearchable, type Searchable } from "./searchable.ts";
import { readDocument, toStoredDocument, type StoredDocument } from "../stored-document.ts";

/** Rows of a file that are read at once. */
const READ_AT_ONCE = 2_000;

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

type AddedPart = Staged & Required<Pick<Staged, "document" | "searchable">>;

interface ReadyPart extends StoredDocument {
  document: IndexDocument;
  searchable: Searchable;
}

/**
 * The one writer of a dated index: its file, and the memory that readers share, which follows what is committed.
 * Readers see it once they are given a view.
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
    this.#memory = createMemory(view);
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
    return { ...createView(this.#memory), count: this.#count, progress: this.progress() };
  }

  /** Writes all of a batch with the progress of the sources, or nothing. */
  write({ put, removed }: IndexChanges, progress: Progress): void {
    const staged: Staged[] = [];
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const knownParts = this.#readKnown(put);
      // Step by step for all of them, in three quarters of the time: a step's code and tables stay in the cache.
      const searchables = put.map(toSearchable);
      const texts = put.map(toStoredDocument);
      for (const [index, document] of put.entries())
        staged.push(
          this.#put({ ...texts[index]!, document, searchable: searchables[index]! }, knownParts.get(document.id)),
        );
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
    this.#remember(staged);
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

  #readKnown(documents: readonly IndexDocument[]): ReadonlyMap<string, KnownPart> {
    const ids = JSON.stringify(documents.map(({ id }) => id));
    return new Map((this.#statements.known.all(ids) as unknown as KnownPart[]).map((part) => [part.id, part]));
  }

  #put({ document, searchable, hit, rest }: ReadyPart, knownPart: KnownPart | undefined): Staged {
    const { id } = document;
    const [numbers, terms] = [searchable.numbers.join(" "), searchable.terms.join(" ")];
    // A row in place shows a profile at once, so only one that readers know.
    if (
      knownPart?.terms === terms &&
      knownPart.numbers === numbers &&
      Buffer.compare(knownPart.weights, searchable.weights) === 0 &&
      this.#memory.columns.profiles.isShown(document)
    ) {
      this.#statements.update.run(hit, rest, knownPart.row);
      return { row: knownPart.row, document };
    }
    if (knownPart) this.#statements.remove.run(knownPart.row);
    const row = Number(this.#statements.insert.run(id, hit, rest, numbers, terms, searchable.weights).lastInsertRowid);
    return { row, document, searchable, before: knownPart?.row };
  }

  #remember(changes: readonly Staged[]): void {
    const { columns, numbers, completions, machines } = this.#memory;
    for (const { row, document, searchable, before: previousRow } of changes) {
      if (previousRow !== undefined) columns.remove(previousRow);
      else if (searchable) this.#count += 1;
      if (document) columns.set(row, document);
      else {
        columns.remove(row);
        this.#count -= 1;
      }
    }
    const added = changes.filter((change): change is AddedPart => change.searchable !== undefined);
    for (const { row, searchable } of added) {
      const [ownNumber, ...variants] = searchable.numbers;
      numbers.add(row, ownNumber!, variants);
    }
    for (const { row, document } of added) machines.add(row, document.fits ?? []);
    for (const { row, document } of added) for (const naming of listNamings(document)) completions.add(row, naming);
    for (const { row, searchable } of added) this.#learn(row, searchable);
  }

  #learn(row: number, { terms, weights }: Searchable): void {
    for (const [index, term] of terms.entries()) {
      const id = this.#memory.words.add(row, term, weights[index]!);
      if (id !== undefined) this.#memory.corrector.learn(term, id);
    }
  }

  #load(): void {
    let batch: StoredPart[] = [];
    for (const part of this.#statements.everything.iterate() as Iterable<StoredPart>) {
      if (batch.push(part) < READ_AT_ONCE) continue;
      this.#take(batch);
      batch = [];
    }
    this.#take(batch);
  }

  #take(parts: readonly StoredPart[]): void {
    const readParts = parts.map((part) => assertReadable(`Row ${part.row}`, () => readPart(part)));
    assertReadable(`One of the rows ${parts[0]?.row} to ${parts.at(-1)?.row}`, () => this.#remember(readParts));
  }
}

/** @throws UnusableIndexError, if it throws */
function assertReadable<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new UnusableIndexError("UNREADABLE", `${what} of the index cannot be read`, { cause: error });
  }
}

function readPart({ row, numbers, terms, weights, ...stored }: StoredPart): AddedPart {
  return {
    row,
    document: readDocument(stored),
    searchable: { numbers: numbers.split(" "), terms: terms === "" ? [] : terms.split(" "), weights },
  };
}

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
