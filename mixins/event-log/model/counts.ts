import type { EventCounts, EventFilter } from "../port.ts";

/**
 * The number of events of a day, hour or minute, aggregate type and event type, with the positions of the first and
 * last. Statistics add them up, and a reader of a period learns between which positions to look.
 */
export interface Count {
  unit: Unit;
  /** Beginning of the day, hour or minute, in minutes since 1970. */
  start: number;
  aggregate_type: string;
  event_type: string;
  events: number;
  first_position: number;
  last_position: number;
}

/** In minutes, the largest first. */
const UNITS = { day: 1_440, hour: 60, minute: 1 } as const;
type Unit = keyof typeof UNITS;

/** Counts of one unit from one start until before another, in minutes since 1970. */
export interface Span {
  unit: Unit;
  from: number;
  to: number;
}

const MINUTE_MS = 60_000;
/** Beyond any date, and a whole number of days. */
const EVER = UNITS.day * 2 ** 24;

/**
 * The whole days of a period, the whole hours around them, and the minutes around those. A minute that the period
 * touches counts whole.
 */
export function spansOf(since: Date | undefined, until?: Date): Span[] {
  const from = since === undefined ? -EVER : Math.floor(since.getTime() / MINUTE_MS);
  const to = until === undefined ? EVER : Math.ceil(until.getTime() / MINUTE_MS);
  return cover(from, to, Object.keys(UNITS) as Unit[]);
}

function cover(from: number, to: number, [unit, ...smaller]: readonly Unit[]): Span[] {
  if (from >= to || unit === undefined) return [];
  const first = startOf(unit, from + UNITS[unit] - 1);
  const end = startOf(unit, to);
  if (first >= end) return cover(from, to, smaller);
  return [...cover(from, first, smaller), { unit, from: first, to: end }, ...cover(end, to, smaller)];
}

function startOf(unit: Unit, minute: number): number {
  return Math.floor(minute / UNITS[unit]) * UNITS[unit];
}

/**
 * Whether the counts narrow down where the events of a filter are: of a period, or of two types together, since an
 * index has one type. A stream is short enough to be walked.
 */
export function isNarrowedByCounts({ aggregate_id, aggregate_type, event_type, since, until }: EventFilter): boolean {
  if (aggregate_id !== undefined) return false;
  return since !== undefined || until !== undefined || (aggregate_type !== undefined && event_type !== undefined);
}

export function startOfDay(minute: number): number {
  return startOf("day", minute);
}

/** Adds up the changes of one transaction. */
export class CountChanges {
  readonly #changes = new Map<string, Count>();

  add(event: { aggregate_type: string; event_type: string; timestamp: number }, position: number): void {
    const minute = Math.floor(event.timestamp / MINUTE_MS);
    const { aggregate_type, event_type } = event;
    for (const unit of Object.keys(UNITS) as Unit[]) {
      const start = startOf(unit, minute);
      const key = JSON.stringify([unit, start, aggregate_type, event_type]);
      const first = { unit, start, aggregate_type, event_type, events: 0, first_position: position };
      const known = this.#changes.get(key) ?? { ...first, last_position: position };
      this.#changes.set(key, { ...known, events: known.events + 1, last_position: position });
    }
  }

  values(): Count[] {
    return [...this.#changes.values()];
  }
}

/** The number of events of a day (minutes since 1970 at which it begins) and types. */
export type DayCount = Pick<Count, "aggregate_type" | "event_type" | "events"> & { day: number };

export function toEventCounts(all: readonly DayCount[]): EventCounts {
  const by = <Key extends string | number>(keyOf: (row: DayCount) => Key): [Key, number][] =>
    [...Map.groupBy(all, keyOf)]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, group]) => [key, totalOf(group)]);
  return {
    total_events: totalOf(all),
    by_event_type: Object.fromEntries(by((row) => row.event_type)),
    by_aggregate_type: Object.fromEntries(by((row) => row.aggregate_type)),
    by_day: Object.fromEntries(
      by((row) => row.day).map(([day, events]) => [new Date(day * MINUTE_MS).toISOString().slice(0, 10), events]),
    ),
  };
}

function totalOf(rows: readonly Pick<Count, "events">[]): number {
  return rows.reduce((total, { events }) => total + events, 0);
}
