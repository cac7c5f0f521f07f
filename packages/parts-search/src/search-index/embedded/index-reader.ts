import { DatabaseSync } from "node:sqlite";
import type { Corrector } from "../../embedded-index/corrector.ts";
import type { HitDocument, IndexDocument } from "../index-document.ts";
import type { Columns } from "./columns.ts";
import type { CompletionIndex } from "./completion-index.ts";
import { createMemory, type IndexView } from "./index-memory.ts";
import { prepareReads } from "./index-schema.ts";
import type { MachineIndex } from "./machine-index.ts";
import type { NumberIndex } from "./number-index.ts";
import { RowValuesPool, type RowValues } from "./row-values.ts";
import { readDocument, readHit, type StoredDocument } from "../stored-document.ts";
import type { WordIndex } from "./word-index.ts";

const BUSY_MS = 1_000;
const MAPPED = 128 * 2 ** 20;

export interface ReadOptions {
  /** True if it waits for a file that is locked. */
  waits?: boolean;
}

/** Effort that a search may still take, in rows of a word, which take a few nanoseconds each. */
export interface Effort {
  left: number;
}

/** Effort of counting the facets of a row and ordering it. */
export const EFFORT_OF_A_MATCH = 3;

/** Error created once, because its stack would take longer than a short search. */
export const TOO_LONG = new Error("The search would take too long for this thread");

/** A dated index as it is searched: its file, and its memory by the view that was given last. */
export class IndexReader {
  readonly pool = new RowValuesPool();
  readonly #database: DatabaseSync;
  readonly #reads: ReturnType<typeof prepareReads>;
  #effort: Effort = { left: Infinity };
  words!: WordIndex;
  columns!: Columns;
  completions!: CompletionIndex;
  corrector!: Corrector;
  numbers!: NumberIndex;
  machines!: MachineIndex;
  /** Documents. */
  count = 0;

  constructor(path: string, view: IndexView, { waits = true }: ReadOptions = {}) {
    // A writer that ends may hold the file while it removes its log.
    this.#database = new DatabaseSync(path, { readOnly: true, timeout: waits ? BUSY_MS : 0 });
    // A document out of a mapped file takes half as long; a larger file is mapped in part.
    this.#database.exec(`PRAGMA mmap_size = ${MAPPED}; PRAGMA cache_size = -2000; PRAGMA temp_store = MEMORY`);
    this.#reads = prepareReads(this.#database);
    this.see(view);
  }

  see(view: IndexView): void {
    ({
      words: this.words,
      columns: this.columns,
      completions: this.completions,
      corrector: this.corrector,
      numbers: this.numbers,
      machines: this.machines,
    } = createMemory(view, this.columns));
    this.count = view.count;
  }

  begin(effort: Effort): void {
    this.#effort = effort;
  }

  /** @throws Error when the search would take more than it may */
  spend(effort: number): void {
    this.#effort.left -= effort;
    if (this.#effort.left < 0) throw TOO_LONG;
  }

  /** Checks the effort before work is wasted. @throws Error when the search will take more than it may */
  expect(effort: number): void {
    if (this.#effort.left < effort) throw TOO_LONG;
  }

  getRowBuffer(): Uint32Array {
    this.spend(this.columns.length);
    return this.columns.rows();
  }

  /** Raises values as the words do, and counts the effort. */
  raise(id: number, factor: number, best: RowValues): void {
    this.spend(best.countSteps(this.words.getFrequency(id)));
    this.words.raise(id, factor, best);
  }

  /** Finds corrections as the corrector does, and counts the effort. */
  findCorrections(word: string, limit: number, typed: string): string[] {
    this.spend(this.corrector.size);
    return this.corrector.findCorrections(word, limit, typed);
  }

  /**
   * Returns what hits have of rows, as JSON. Where the file, which may be ahead of the view, has another row in place
   * of one, it is of that; what the file has removed is left out.
   */
  storedHits(rows: readonly number[]): string[] {
    if (rows.length === 0) return [];
    const { lines } = this.#reads.hits.get(JSON.stringify(rows)) as { lines: string };
    return lines
      .split("\n")
      .flatMap((hit, index) =>
        hit === "" ? this.#readStored(this.columns.getId(rows[index]!)).map((now) => now.hit) : [hit],
      );
  }

  hit(row: number): HitDocument | undefined {
    const [hit] = this.storedHits([row]);
    return hit === undefined ? undefined : readHit(hit);
  }

  documentsOf(ids: readonly string[]): IndexDocument[] {
    return ids.flatMap((id) => this.#readStored(id)).map(readDocument);
  }

  #readStored(id: string): StoredDocument[] {
    const stored = this.#reads.documentOf.get(id) as StoredDocument | undefined;
    return stored ? [stored] : [];
  }

  findRowsByNumber(pnNorm: string): number[] {
    return this.numbers.findRows(pnNorm, this.columns);
  }

  findRowsByVariant(norm: string): number[] {
    return this.numbers.findRowsByVariant(norm, this.columns);
  }

  /** Rows whose number begins like this, in the order of the numbers; with a limit the first of them. */
  findRowsByPrefix(prefix: string, limit = this.#effort.left + 1): number[] {
    return this.#countRows(this.numbers.findRowsByBeginning(prefix, this.columns, limit));
  }

  findRowsBySuffix(suffix: string): number[] {
    return this.#countRows(this.numbers.findRowsByEnd(suffix, this.columns, this.#effort.left + 1));
  }

  #countRows(rows: number[]): number[] {
    this.spend(rows.length);
    return rows;
  }

  close(): void {
    this.#database.close();
  }
}
