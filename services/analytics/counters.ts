import type { Table, LoadRows, RowWrite } from "./rows.ts";

/** Whole numbers by name. Zeros are not kept, so that equal counts are equal rows. */
export interface Counters {
  readonly [name: string]: number | Counters;
}

export function sumOf(one: Counters, other: Counters, factor: 1 | -1 = 1): Counters {
  const sum: Record<string, number | Counters> = { ...one };
  for (const [name, added] of Object.entries(other)) {
    const kept = sum[name];
    const value =
      typeof added === "number"
        ? (typeof kept === "number" ? kept : 0) + factor * added
        : sumOf(typeof kept === "object" ? kept : {}, added, factor);
    if (isNothing(value)) delete sum[name];
    else sum[name] = value;
  }
  return sum;
}

function isNothing(value: number | Counters): boolean {
  return typeof value === "number" ? value === 0 : Object.keys(value).length === 0;
}

export function countAt(counters: Counters, ...path: string[]): number {
  const value = path.reduce<number | Counters | undefined>(
    (at, name) => (typeof at === "object" && Object.hasOwn(at, name) ? at[name] : undefined),
    counters,
  );
  return typeof value === "number" ? value : 0;
}

export function countsAt(counters: Counters, name: string): Record<string, number> {
  const below = counters[name];
  const names = typeof below === "object" ? Object.keys(below) : [];
  return Object.fromEntries(names.map((of) => [of, countAt(counters, name, of)]));
}

export class HourlyChanges {
  readonly #byHour = new Map<string, Counters>();

  add(hour: string, counters: Counters, factor: 1 | -1 = 1): void {
    this.#byHour.set(hour, sumOf(this.#byHour.get(hour) ?? {}, counters, factor));
  }

  async writtenTo(table: Table<Counters>, load: LoadRows): Promise<RowWrite[]> {
    const changes = new Map([...this.#byHour].filter(([, change]) => !isNothing(change)));
    const hours = await table.load(changes.keys(), load);
    for (const [hour, change] of changes) hours.set(hour, sumOf(hours.get(hour) ?? {}, change));
    return hours.writes();
  }
}
