import type { WordRows } from "./row-list.ts";

/** A positive number for some rows. */
export class RowValues implements WordRows {
  #values = new Float32Array(0);
  #rows = new Uint32Array(0);
  #count = 0;
  #length = 0;

  get rows(): Uint32Array {
    return this.#rows.subarray(0, this.#count);
  }

  get count(): number {
    return this.#count;
  }

  /** By row, 0 for others. */
  get values(): Float32Array {
    return this.#values;
  }

  score(scores: Float64Array, weight: number): void {
    const [values, rows, count] = [this.#values, this.#rows, this.#count];
    for (let at = 0; at < count; at += 1) scores[at] = values[rows[at]!]! * weight;
  }

  stepsFor(count: number): number {
    return count;
  }

  keep(from: Uint32Array, rows: Uint32Array, scores: Float64Array, weight: number): number {
    const values = this.#values;
    let kept = 0;
    for (let at = 0; at < from.length; at += 1) {
      const row = from[at]!;
      const value = values[row]!;
      if (value === 0) continue;
      rows[kept] = row;
      scores[kept] = scores[at]! + value * weight;
      kept += 1;
    }
    return kept;
  }

  /** Sets a value unless the row has a higher one. */
  raise(row: number, value: number): void {
    const before = this.#values[row]!;
    if (value <= before) return;
    if (before === 0) this.#rows[this.#count++] = row;
    this.#values[row] = value;
  }

  /** Raises rows, which ascend, to their weights times `factor`; those from `length` on are left out. */
  raiseAll(rows: Uint32Array, weights: Uint8Array, start: number, end: number, factor: number): void {
    const [values, own, length] = [this.#values, this.#rows, this.#length];
    let count = this.#count;
    for (let at = start; at < end; at += 1) {
      const row = rows[at]!;
      if (row >= length) break;
      const value = weights[at]! * factor;
      const before = values[row]!;
      if (value <= before) continue;
      if (before === 0) own[count++] = row;
      values[row] = value;
    }
    this.#count = count;
  }

  /** Removes all values, and makes room for rows below `length`. */
  reset(length: number): void {
    const [values, rows] = [this.#values, this.#rows];
    this.#length = length;
    if (length > values.length) {
      const size = Math.ceil(length * 1.2);
      this.#values = new Float32Array(size);
      this.#rows = new Uint32Array(size);
    } else for (let at = 0; at < this.#count; at += 1) values[rows[at]!] = 0;
    this.#count = 0;
  }
}

/** Values that are used again: new ones for each search would keep the garbage collector at work. */
export class RowValuesPool {
  readonly #all: RowValues[] = [];
  #taken = 0;

  get taken(): number {
    return this.#taken;
  }

  /** Gives back all but those that were taken first. */
  release(but = 0): void {
    this.#taken = but;
  }

  take(length: number): RowValues {
    const values = (this.#all[this.#taken] ??= new RowValues());
    this.#taken += 1;
    values.reset(length);
    return values;
  }
}
