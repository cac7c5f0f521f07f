import type { Columns } from "./columns.ts";
import { WordIndex } from "./word-index.ts";

export type NumberIndexView = ReturnType<NumberIndex["view"]>;

/** Weights of `WordIndex`, which numbers do not have. */
const NO_WEIGHT = 1;

/** The rows of part numbers, as `normalizePartNumber` returns them, by the whole, beginning and end of one. */
export class NumberIndex {
  #own = new WordIndex();
  /** Backwards, so that the end of a number is a beginning. */
  #backwards = new WordIndex();
  #variants = new WordIndex();

  static of({ own, backwards, variants }: NumberIndexView): NumberIndex {
    const index = new NumberIndex();
    index.#own = WordIndex.of(own);
    index.#backwards = WordIndex.of(backwards);
    index.#variants = WordIndex.of(variants);
    return index;
  }

  view() {
    return { own: this.#own.view(), backwards: this.#backwards.view(), variants: this.#variants.view() };
  }

  add(row: number, own: string, variants: readonly string[]): void {
    this.#own.add(row, own, NO_WEIGHT);
    this.#backwards.add(row, reverse(own), NO_WEIGHT);
    for (const variant of variants) this.#variants.add(row, variant, NO_WEIGHT);
  }

  rowsOf(number: string, columns: Columns): number[] {
    return rowsOfTerm(this.#own, number, columns);
  }

  rowsOfVariant(number: string, columns: Columns): number[] {
    return rowsOfTerm(this.#variants, number, columns);
  }

  /** The first in the order of the numbers. */
  rowsByBeginning(prefix: string, columns: Columns, limit: number): number[] {
    return rowsOfAll(this.#own, prefix, columns, limit);
  }

  rowsByEnd(suffix: string, columns: Columns, limit: number): number[] {
    return rowsOfAll(this.#backwards, reverse(suffix), columns, limit);
  }
}

function rowsOfTerm(index: WordIndex, term: string, columns: Columns): number[] {
  const rows: number[] = [];
  const id = index.idOf(term);
  if (id !== undefined) addRows(rows, index, id, columns);
  return rows;
}

function rowsOfAll(index: WordIndex, prefix: string, columns: Columns, limit: number): number[] {
  const rows: number[] = [];
  for (const id of index.idsByBeginning(prefix)) {
    if (rows.length >= limit) break;
    addRows(rows, index, id, columns);
  }
  return rows.slice(0, limit);
}

/** Adds those of a term that are there. */
function addRows(rows: number[], index: WordIndex, id: number, columns: Columns): void {
  for (const row of index.rowsOf(id)) if (columns.has(row)) rows.push(row);
}

/** Of a number, which is of ASCII. */
function reverse(text: string): string {
  let reversed = "";
  for (let at = text.length - 1; at >= 0; at -= 1) reversed += text[at]!;
  return reversed;
}
