import { dayOf } from "../hours.ts";
import type { Interval } from "./period.ts";

/** Takes the rows of a period one by one: there may be too many to hold. */
export interface Sum<Row> {
  add(hour: string, row: Row): void;
}

export class Slots<Row> implements Sum<Row> {
  readonly #interval: Interval;
  readonly #added: (one: Row, other: Row) => Row;
  readonly #rows = new Map<string, Row>();

  constructor(interval: Interval, added: (one: Row, other: Row) => Row) {
    this.#interval = interval;
    this.#added = added;
  }

  add(hour: string, row: Row): void {
    const first = this.#interval === "hour" ? hour : dayOf(hour);
    const known = this.#rows.get(first);
    this.#rows.set(first, known === undefined ? row : this.#added(known, row));
  }

  /** By the first hour of each slot. */
  get byHour(): [hour: string, row: Row][] {
    return [...this.#rows];
  }

  get rows(): Row[] {
    return [...this.#rows.values()];
  }
}
