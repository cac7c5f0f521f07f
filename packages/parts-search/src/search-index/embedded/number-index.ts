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

  static of({ own: ownView, backwards, variants }: NumberIndexView): NumberIndex {
    const index = new NumberIndex();
    index.#own = WordIndex.of(ownView);
    index.#backwards = WordIndex.of(backwards);
    index.#variants = WordIndex.of(variants);
    return index;
  }

  view() {
    return { own: this.#own.view(), backwards: this.#backwards.view(), variants: this.#variants.view() };
  }

  add(row: number, ownNumber: string, variants: readonly string[]): void {
    this.#own.add(row, ownNumber, NO_WEIGHT);
    this.#backwards.add(row, reverse(ownNumber), NO_WEIGHT);
    for (const variant of variants) this.#variants.add(row, variant, NO_WEIGHT);
  }

  findRows(number: string, columns: Columns): number[] {
    return findRowsOfTerm(this.#own, number, columns);
  }

  findRowsByVariant(number: string, columns: Columns): number[] {
    return findRowsOfTerm(this.#variants, number, columns);
  }

  /** The first in the order of the numbers. */
  findRowsByBeginning(prefix: string, columns: Columns, limit: number): number[] {
    return findRowsOfAll(this.#own, prefix, columns, limit);
  }

  findRowsByEnd(suffix: string, columns: Columns, limit: number): number[] {
    return findRowsOfAll(this.#backwards, reverse(suffix), columns, limit);
  }
}

function findRowsOfTerm(index: WordIndex, term: string, columns: Columns): number[] {
  const rows: number[] = [];
  const id = index.findId(term);
  if (id !== undefined) addRows(rows, index, id, columns);
  return rows;
}

function findRowsOfAll(index: WordIndex, prefix: string, columns: Columns, limit: number): number[] {
  const rows: number[] = [];
  for (const id of index.listIdsByBeginning(prefix)) {
    if (rows.length >= limit) break;
    addRows(rows, index, id, columns);
  }
  return rows.slice(0, limit);
}

/** Adds those of a term that are there. */
function addRows(rows: number[], index: WordIndex, id: number, columns: Columns): void {
  for (const row of index.getRows(id)) if (columns.has(row)) rows.push(row);
}

/** Reverses a number, which is ASCII. */
function reverse(text: string): string {
  let reversed = "";
  for (let index = text.length - 1; index >= 0; index -= 1) reversed += text[index]!;
  return reversed;
}
