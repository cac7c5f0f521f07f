/** A number above zero for each of some rows; every other row has none. */
export class RowValues {
  #values = new Float32Array(0);
  #rows: number[] = [];

  /** The rows that have a value. */
  get rows(): readonly number[] {
    return this.#rows;
  }

  /** 0 for a row that has none. */
  at(row: number): number {
    return this.#values[row]!;
  }

  /** Gives a row this value unless it has a higher one. */
  raise(row: number, value: number): void {
    const before = this.#values[row]!;
    if (value <= before) return;
    if (before === 0) this.#rows.push(row);
    this.#values[row] = value;
  }

  add(row: number, value: number): void {
    if (this.#values[row] === 0) this.#rows.push(row);
    this.#values[row]! += value;
  }

  /** Takes all values away and makes room for rows below `length`. */
  reset(length: number): void {
    if (length > this.#values.length) this.#values = new Float32Array(Math.ceil(length * 1.2));
    else for (const row of this.#rows) this.#values[row] = 0;
    this.#rows = [];
  }
}

/** Values that are used again: to make new ones for each search keeps the garbage collector at work. */
export class RowValuesPool {
  readonly #all: RowValues[] = [];
  #taken = 0;

  /** What was taken before is free again. */
  releaseAll(): void {
    this.#taken = 0;
  }

  take(length: number): RowValues {
    const values = (this.#all[this.#taken] ??= new RowValues());
    this.#taken += 1;
    values.reset(length);
    return values;
  }
}
