/** Number of steps to find the next row in a list, about. */
const SEEK_STEPS = 4;

/** A positive number for some rows. */
export class RowValues {
  #values = new Float32Array(0);
  #rows = new Uint32Array(0);
  #count = 0;
  #length = 0;
  #among: RowValues | undefined;

  /** Valid until the values change. */
  get rows(): Uint32Array {
    return this.#rows.subarray(0, this.#count);
  }

  get count(): number {
    return this.#count;
  }

  /** Values by row, 0 for others. */
  get values(): Float32Array {
    return this.#values;
  }

  /** Sets a value unless the row has a higher one. */
  raise(row: number, value: number): void {
    const previous = this.#values[row]!;
    if (value <= previous || this.#among?.values[row] === 0) return;
    if (previous === 0) this.#rows[this.#count++] = row;
    this.#values[row] = value;
  }

  /** Raises rows, which ascend, to their weights times `factor`; those from `length` on are left out. */
  raiseAll(rows: Uint32Array, weights: Uint8Array, start: number, end: number, factor: number): void {
    if (this.countSteps(end - start) < end - start) {
      this.#raiseFew(this.#among!, rows, weights, start, end, factor);
      return;
    }
    const [values, ownRows, length, otherValues] = [this.#values, this.#rows, this.#length, this.#among?.values];
    let count = this.#count;
    for (let index = start; index < end; index += 1) {
      const row = rows[index]!;
      if (row >= length) break;
      if (otherValues !== undefined && otherValues[row] === 0) continue;
      const value = weights[index]! * factor;
      const previous = values[row]!;
      if (value <= previous) continue;
      if (previous === 0) ownRows[count++] = row;
      values[row] = value;
    }
    this.#count = count;
  }

  /** Returns whether only rows of the other one were raised. */
  isWithin(values: RowValues): boolean {
    return this.#among !== undefined && (this.#among === values || this.#among.isWithin(values));
  }

  /** Steps that it takes to raise the rows of a list of this length. */
  countSteps(length: number): number {
    return this.#among ? Math.min(length, this.#among.count * SEEK_STEPS) : length;
  }

  /** Few rows are looked for in a long list. */
  #raiseFew(
    among: RowValues,
    rows: Uint32Array,
    weights: Uint8Array,
    start: number,
    end: number,
    factor: number,
  ): void {
    let [index, previousRow] = [start, 0];
    for (const row of among.rows) {
      index = findPlace(row, rows, row < previousRow ? start : index, end);
      previousRow = row;
      if (index < end && rows[index] === row) this.raise(row, weights[index]! * factor);
    }
  }

  /** Removes all values, and makes room for rows below `length`. @param among no other rows are raised by lists */
  reset(length: number, among?: RowValues): void {
    const [values, rows] = [this.#values, this.#rows];
    this.#length = length;
    this.#among = among;
    if (length > values.length) {
      const size = Math.ceil(length * 1.2);
      this.#values = new Float32Array(size);
      this.#rows = new Uint32Array(size);
    } else if (this.#count * 8 > values.length) values.fill(0);
    else for (let place = 0; place < this.#count; place += 1) values[rows[place]!] = 0;
    this.#count = 0;
  }
}

/** Values that are used again: new ones for each search would keep the garbage collector at work. */
export class RowValuesPool {
  readonly #all: RowValues[] = [];
  #taken = 0;

  releaseAll(): void {
    this.#taken = 0;
  }

  /** Gives back those that were taken last. */
  release(count: number): void {
    this.#taken -= count;
  }

  take(length: number, among?: RowValues): RowValues {
    const values = (this.#all[this.#taken] ??= new RowValues());
    this.#taken += 1;
    values.reset(length, among);
    return values;
  }
}

/** The first place of a list, which ascends, from which on it has no smaller row: mostly one of the next. */
function findPlace(row: number, rows: Uint32Array, start: number, end: number): number {
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
