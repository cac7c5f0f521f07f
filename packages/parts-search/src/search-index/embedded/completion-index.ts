import { completeNaming } from "../completions.ts";
import { WordIndex } from "./word-index.ts";

export type CompletionIndexView = ReturnType<CompletionIndex["view"]>;

/**
 * Completions and the rows that they lead to. Rows are kept by naming, namings by completion: most rows share theirs.
 */
export class CompletionIndex {
  #rows = new WordIndex();
  /** Has ids of namings in place of rows. */
  #namings = new WordIndex();
  /** Number of the count in which each row was last. */
  #countOf = new Uint32Array(0);
  #counts = 0;

  static of({ rows, namings }: CompletionIndexView): CompletionIndex {
    const index = new CompletionIndex();
    index.#rows = WordIndex.of(rows);
    index.#namings = WordIndex.of(namings);
    return index;
  }

  view() {
    return { rows: this.#rows.view(), namings: this.#namings.view() };
  }

  add(row: number, naming: string): void {
    const id = this.#rows.add(row, naming, 1);
    if (id === undefined) return;
    for (const completion of completeNaming(naming)) this.#namings.add(id, completion, 1);
  }

  listIdsByBeginning(prefix: string): Uint32Array {
    return this.#namings.listIdsByBeginning(prefix);
  }

  getCompletion(id: number): string {
    return this.#namings.getTerm(id);
  }

  /** Counts the rows below `length` that have the completion and pass the test. */
  count(id: number, length: number, test: (row: number) => boolean): number {
    if (this.#countOf.length < length) this.#countOf = new Uint32Array(Math.ceil(length * 1.2));
    this.#counts += 1;
    let count = 0;
    for (const naming of this.#namings.getRows(id)) {
      // They ascend, and these are of a later view.
      if (naming >= this.#rows.size) break;
      for (const row of this.#rows.getRows(naming)) {
        if (row >= length || this.#countOf[row] === this.#counts || !test(row)) continue;
        this.#countOf[row] = this.#counts;
        count += 1;
      }
    }
    return count;
  }
}
