import { DAY_MS, dayOf, HOUR_MS, hourOf } from "../hours.ts";
import { startOfDay, type CountedPeriod, type Interval } from "./period.ts";

/** Takes rows one by one: there may be too many to hold. */
export interface Sum<Row> {
  add(hour: string, row: Row): void;
}

export class Slots<Row> implements Sum<Row> {
  readonly #interval: Interval;
  readonly #none: Row;
  readonly #added: (one: Row, other: Row) => Row;
  readonly #slots = new Map<string, Row>();

  constructor(interval: Interval, none: Row, added: (one: Row, other: Row) => Row) {
    this.#interval = interval;
    this.#none = none;
    this.#added = added;
  }

  add(hour: string, row: Row): void {
    const first = this.#interval === "hour" ? hour : dayOf(hour);
    const known = this.#slots.get(first);
    this.#slots.set(first, known === undefined ? row : this.#added(known, row));
  }

  get total(): Row {
    return [...this.#slots.values()].reduce((one, other) => this.#added(one, other), this.#none);
  }

  /** One value for each hour or UTC day of a period, whose first and last day may be partial. */
  series<Value>({ from, to }: CountedPeriod, valueOf: (sum: Row) => Value): ({ start: Date } & Value)[] {
    const [length, origin] = this.#interval === "hour" ? [HOUR_MS, from] : [DAY_MS, startOfDay(from)];
    return Array.from({ length: Math.ceil((to.getTime() - origin.getTime()) / length) }, (_, index) => {
      const start = new Date(origin.getTime() + index * length);
      return { start: index === 0 ? from : start, ...valueOf(this.#slots.get(hourOf(start)) ?? this.#none) };
    });
  }
}
