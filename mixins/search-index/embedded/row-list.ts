/** Rows that have a word, or any of several. Their values are positive. */
export interface WordRows {
  /** Valid until the values change. */
  readonly rows: Uint32Array;
  readonly count: number;
  /** Writes the value of each row times `weight`. */
  score(scores: Float64Array, weight: number): void;
  /** Steps that it takes to look for so many rows. */
  stepsFor(count: number): number;
  /**
   * Writes to `rows` those of `from` that are here too, and adds their values times `weight` to their scores, which stay
   * beside them. @returns how many
   */
  keep(from: Uint32Array, rows: Uint32Array, scores: Float64Array, weight: number): number;
}

/** To find the next row in a list takes about so many steps. */
const SEEK_STEPS = 4;

/** The rows of one word, which ascend, and its weights there times `factor`: nothing is copied of the index. */
export class RowList implements WordRows {
  readonly rows: Uint32Array;
  readonly #weights: Uint8Array;
  readonly #factor: number;

  constructor(rows: Uint32Array, weights: Uint8Array, factor: number) {
    this.rows = rows;
    this.#weights = weights;
    this.#factor = factor;
  }

  get count(): number {
    return this.rows.length;
  }

  score(scores: Float64Array, weight: number): void {
    const [weights, factor] = [this.#weights, this.#factor * weight];
    for (let at = 0; at < weights.length; at += 1) scores[at] = weights[at]! * factor;
  }

  stepsFor(count: number): number {
    return Math.min(this.count, count * SEEK_STEPS);
  }

  keep(from: Uint32Array, rows: Uint32Array, scores: Float64Array, weight: number): number {
    const [list, weights, factor, end] = [this.rows, this.#weights, this.#factor * weight, this.count];
    let [kept, at, before] = [0, 0, 0];
    for (let index = 0; index < from.length; index += 1) {
      const row = from[index]!;
      if (row < before) at = 0;
      before = row;
      if (at < end && list[at]! < row) at = placeOf(row, list, at, end);
      if (at === end || list[at] !== row) continue;
      rows[kept] = row;
      scores[kept] = scores[index]! + weights[at]! * factor;
      kept += 1;
      at += 1;
    }
    return kept;
  }
}

/** The first place of a list, which ascends, from which on it has no smaller row: mostly one of the next. */
function placeOf(row: number, rows: Uint32Array, start: number, end: number): number {
  let [low, step] = [start, 1];
  while (low + step < end && rows[low + step]! < row) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, end);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle]! < row) low = middle + 1;
    else high = middle;
  }
  return low;
}
