import { closeSync, fsyncSync, openSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { inSlices } from "../../slices.ts";
import { namingsOf } from "../completions.ts";
import type { IndexChanges } from "../changes.ts";
import type { IndexDocument, Progress } from "../port.ts";
import { readSynonyms, variantNorms, type Synonyms } from "../query-plan.ts";
import { reviveDocument } from "../stored-document.ts";
import { Columns } from "./columns.ts";
import { CompletionIndex } from "./completion-index.ts";
import { Corrector } from "./corrector.ts";
import {
  connect,
  prepareReads,
  prepareWrites,
  UnusableIndexError,
  type ReadStatements,
  type WriteStatements,
} from "./index-schema.ts";
import { RowValuesPool } from "./row-values.ts";
import { searchableOf, type Searchable } from "./searchable.ts";
import { WordIndex } from "./word-index.ts";

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
 * One dated index: a file, and in memory its words, columns and corrections. Writes have a connection of their own,
 * so that a search sees what is committed.
 */
export class IndexFile {
  readonly columns = new Columns();
  readonly words = new WordIndex();
  readonly completions = new CompletionIndex();
  readonly corrector = new Corrector((word) => this.words.frequency(this.words.idOf(word)!));
  readonly pool = new RowValuesPool();
  synonyms: Synonyms;
  readonly #path: string;
  readonly #reader: DatabaseSync;
  readonly #writer: DatabaseSync;
  readonly #reads: ReadStatements;
  readonly #writes: WriteStatements;
  #count = 0;

  /**
   * @throws UnusableIndexError when the file is of another version or cannot be read, SQLite's error when it is
   * damaged
   */
  constructor(path: string, { synonyms, isBuild = false }: { synonyms: readonly string[]; isBuild?: boolean }) {
    this.#path = path;
    this.synonyms = readSynonyms(synonyms);
    this.#writer = connect(path, { isBuild });
    try {
      this.#reader = connect(path, { isBuild });
      this.#reads = prepareReads(this.#reader);
      this.#writes = prepareWrites(this.#writer);
      this.#load();
    } catch (error) {
      this.#writer.close();
      throw error;
    }
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Writes all of a batch with the progress of the sources, or nothing; resolves when searches see it. Searches are
   * answered meanwhile.
   */
  async write({ put, removed }: IndexChanges, progress: Progress): Promise<void> {
    const staged: Staged[] = [];
    this.#writer.exec("BEGIN IMMEDIATE");
    try {
      await inSlices(put, (document) => staged.push(this.#put(document)));
      for (const { row } of this.#writes.rowsOf.all(JSON.stringify(removed)) as { row: number }[]) {
        this.#writes.removeVariants.run(row);
        this.#writes.remove.run(row);
        staged.push({ row });
      }
      for (const [source, revision] of Object.entries(progress)) this.#writes.setProgress.run(source, revision);
      this.#writer.exec("COMMIT");
    } catch (error) {
      if (this.#writer.isTransaction) this.#writer.exec("ROLLBACK");
      throw error;
    }
    // A removed document must not be found while the others are taken in.
    for (const entry of staged) if (!entry.document) this.#remember(entry);
    await inSlices(staged, (entry) => {
      if (entry.document) this.#remember(entry);
    });
  }

  useSynonyms(lines: readonly string[]): void {
    this.synonyms = readSynonyms(lines);
  }

  /** Makes a build searchable, and safe from a power cut. */
  finish(): void {
    this.#writer.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    const file = openSync(this.#path, "r+");
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    this.#writer.exec("PRAGMA synchronous = NORMAL");
    this.#sort();
  }

  progress(): Progress {
    const rows = this.#reads.progress.all() as { source: string; revision: number }[];
    return Object.fromEntries(rows.map(({ source, revision }) => [source, revision]));
  }

  document(row: number): IndexDocument {
    return this.documentOf(this.columns.ids[row]!)!;
  }

  documentOf(id: string): IndexDocument | undefined {
    const found = this.#reads.document.get(id) as { document: string } | undefined;
    return found && reviveDocument(JSON.parse(found.document));
  }

  rowsOfNumber(pnNorm: string): number[] {
    return this.#known(this.#reads.byNumber.get(pnNorm));
  }

  rowsOfVariant(norm: string): number[] {
    return this.#known(this.#reads.byVariant.get(norm));
  }

  /** Rows whose number begins like this; with a limit the first of them. */
  rowsOfNumberPrefix(prefix: string, limit?: number): number[] {
    const range = [prefix, `${prefix}\uFFFF`] as const;
    return this.#known(
      limit === undefined ? this.#reads.byPrefix.get(...range) : this.#reads.firstByPrefix.get(...range, limit),
    );
  }

  rowsOfNumberSuffix(suffix: string): number[] {
    const reversed = reverse(suffix);
    return this.#known(this.#reads.bySuffix.get(reversed, `${reversed}\uFFFF`));
  }

  close(): void {
    this.#reader.close();
    this.#writer.close();
  }

  #known(result: unknown): number[] {
    const rows = JSON.parse((result as { rows: string }).rows) as number[];
    return rows.filter((row) => this.columns.has(row));
  }

  #put(document: IndexDocument): Staged {
    const { id, pnNorm } = document;
    const searchable = searchableOf(document);
    const terms = searchable.terms.join(" ");
    const json = JSON.stringify(document);
    const known = this.#writes.known.get(id) as { row: number; terms: string; weights: Uint8Array } | undefined;
    if (known) this.#writes.removeVariants.run(known.row);
    if (known?.terms === terms && Buffer.compare(known.weights, searchable.weights) === 0) {
      this.#writes.update.run(pnNorm, reverse(pnNorm), json, known.row);
      this.#putVariants(known.row, document);
      return { row: known.row, document };
    }
    if (known) this.#writes.remove.run(known.row);
    const row = Number(
      this.#writes.insert.run(id, pnNorm, reverse(pnNorm), terms, searchable.weights, json).lastInsertRowid,
    );
    this.#putVariants(row, document);
    return { row, document, searchable, before: known?.row };
  }

  #putVariants(row: number, document: IndexDocument): void {
    for (const norm of variantNorms(document)) this.#writes.insertVariant.run(norm, row);
  }

  #remember({ row, document, searchable, before }: Staged): void {
    if (!document) {
      this.columns.remove(row);
      this.#count -= 1;
      return;
    }
    if (before !== undefined) this.columns.remove(before);
    else if (searchable) this.#count += 1;
    this.columns.set(row, document);
    if (searchable) this.#learn(row, document, searchable);
  }

  #learn(row: number, document: IndexDocument, { terms, weights }: Searchable): void {
    for (const naming of namingsOf(document)) this.completions.add(row, naming);
    for (const [at, term] of terms.entries()) {
      if (this.words.add(row, term, weights[at]!)) this.corrector.learn(term);
    }
  }

  #load(): void {
    for (const part of this.#reads.everything.iterate() as Iterable<StoredPart>) this.#take(part);
    this.#sort();
  }

  #sort(): void {
    this.words.sort();
    this.completions.sort();
  }

  #take({ row, document: json, terms, weights }: StoredPart): void {
    try {
      const document = reviveDocument(JSON.parse(json));
      this.columns.set(row, document);
      this.#learn(row, document, { terms: terms === "" ? [] : terms.split(" "), weights });
    } catch (error) {
      throw new UnusableIndexError("UNREADABLE", `Row ${row} of the index cannot be read`, { cause: error });
    }
    this.#count += 1;
  }
}

interface StoredPart {
  row: number;
  document: string;
  terms: string;
  weights: Uint8Array;
}

function reverse(text: string): string {
  return [...text].reverse().join("");
}
