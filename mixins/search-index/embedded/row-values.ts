/** A positive number for some rows. */
export class RowValues {
  #values = new Float32Array(0);
  #rows: number[] = [];

  get rows(): readonly number[] {
    return this.#rows;
  }

  /** 0 for other rows. */
  at(row: number): number {
    return this.#values[row]!;
  }

  /** Sets a value unless the row has a higher one. */
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

  /** Removes all values, and makes room for rows below `length`. */
  reset(length: number): void {
    if (length > this.#values.length) this.#values = new Float32Array(Math.ceil(length * 1.2));
    else for (const row of this.#rows) this.#values[row] = 0;
    this.#rows = [];
  }
}

/** Values that are used again: new ones for each search would keep the garbage collector at work. */
export class RowValuesPool {
  readonly #all: RowValues[] = [];
  #taken = 0;

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
