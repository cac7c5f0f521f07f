import { completionsOfNaming } from "../completions.ts";
import { WordIndex } from "./word-index.ts";

/**
 * Completions and the rows that they lead to. Rows are kept by naming, namings by completion: most rows share theirs.
 */
export class CompletionIndex {
  readonly #rows = new WordIndex();
  /** Has ids of namings in place of rows. */
  readonly #namings = new WordIndex();
  /** By row, the number of the count that it was last in. */
  #countOf = new Uint32Array(0);
  #counts = 0;

  add(row: number, naming: string): void {
    if (!this.#rows.add(row, naming, 1)) return;
    const id = this.#rows.idOf(naming)!;
    for (const completion of completionsOfNaming(naming)) this.#namings.add(id, completion, 1);
  }

  idsByBeginning(prefix: string): Generator<number, undefined> {
    return this.#namings.idsByBeginning(prefix);
  }

  completionOf(id: number): string {
    return this.#namings.termOf(id);
  }

  /** Counts the rows below `length` that have the completion and pass the test. */
  count(id: number, length: number, test: (row: number) => boolean): number {
    if (this.#countOf.length < length) this.#countOf = new Uint32Array(Math.ceil(length * 1.2));
    this.#counts += 1;
    let count = 0;
    this.#namings.visit(id, (naming) => {
      this.#rows.visit(naming, (row) => {
        if (this.#countOf[row] === this.#counts || !test(row)) return;
        this.#countOf[row] = this.#counts;
        count += 1;
      });
    });
    return count;
  }

  sort(): void {
    this.#namings.sort();
  }
}
