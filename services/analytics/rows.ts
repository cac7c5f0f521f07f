import type { StoredEvent } from "../contracts.ts";

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The UTC hour of a moment, `2026-11-21T10`: as texts, hours sort by time. */
export function hourOf(moment: Date): string {
  return moment.toISOString().slice(0, 13);
}

export function dayOf(hour: string): string {
  return `${hour.slice(0, 10)}T00`;
}

export function startOfHour(hour: string): Date {
  return new Date(`${hour}:00:00.000Z`);
}

export type LoadRows = (keys: readonly string[]) => Promise<ReadonlyMap<string, object>>;

export interface RowWrite {
  key: string;
  row: object;
  isNew: boolean;
}

export interface Projection {
  /** Begins the ids of its rows. */
  readonly name: string;
  /** Counts events, ascending by position. Rows must not depend on how events are cut into batches. */
  project(events: readonly StoredEvent[], load: LoadRows): Promise<RowWrite[]>;
}

export function tableOf<Row extends object>(name: string) {
  const keyOf = (id: string): string => `${name}:${id}`;
  return {
    name,
    keyOf,
    /** A row is replaced, never changed in place. */
    async load(ids: Iterable<string>, load: LoadRows) {
      const keys = [...new Set(ids)].map(keyOf);
      const stored = keys.length === 0 ? new Map<string, object>() : await load(keys);
      const set = new Map<string, Row>();
      const before = (id: string) => stored.get(keyOf(id)) as Row | undefined;
      const get = (id: string) => set.get(id) ?? before(id);
      const changes = () => [...set].map(([id, after]) => ({ id, before: before(id), after }));
      return {
        get,
        set(id: string, row: Row): void {
          if (row !== get(id)) set.set(id, row);
        },
        changes,
        writes: (): RowWrite[] =>
          changes().map(({ id, before: known, after }) => ({ key: keyOf(id), row: after, isNew: known === undefined })),
      };
    },
  };
}

export type Table<Row extends object> = ReturnType<typeof tableOf<Row>>;

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
