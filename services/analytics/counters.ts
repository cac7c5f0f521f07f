import type { Table, LoadRows, RowWrite } from "./rows.ts";

/** Whole numbers by name. Zeros are not kept, so that equal counts are equal rows. */
export interface Counters {
  readonly [name: string]: number | Counters;
}

export function addCounters(a: Counters, b: Counters, factor: 1 | -1 = 1): Counters {
  const sum: Record<string, number | Counters> = { ...a };
  for (const [name, added] of Object.entries(b)) {
    const current = sum[name];
    const value =
      typeof added === "number"
        ? (typeof current === "number" ? current : 0) + factor * added
        : addCounters(typeof current === "object" ? current : {}, added, factor);
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
    (counter, name) => (typeof counter === "object" && Object.hasOwn(counter, name) ? counter[name] : undefined),
    counters,
  );
  return typeof value === "number" ? value : 0;
}

export function listCounts(counters: Counters, name: string): Record<string, number> {
  const below = counters[name];
  const names = typeof below === "object" ? Object.keys(below) : [];
  return Object.fromEntries(names.map((key) => [key, countAt(counters, name, key)]));
}

export class HourlyChanges {
  readonly #byHour = new Map<string, Counters>();

  add(hour: string, counters: Counters, factor: 1 | -1 = 1): void {
    this.#byHour.set(hour, addCounters(this.#byHour.get(hour) ?? {}, counters, factor));
  }

  async writeTo(table: Table<Counters>, load: LoadRows): Promise<RowWrite[]> {
    const changes = new Map([...this.#byHour].filter(([, change]) => !isNothing(change)));
    const hours = await table.load(changes.keys(), load);
    for (const [hour, change] of changes) hours.set(hour, addCounters(hours.get(hour) ?? {}, change));
    return hours.listWrites();
  }
}
