import type { EventCounts, StoredEvent } from "../port.ts";

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

/** Units in minutes, the largest first. */
const UNITS = { day: 1_440, hour: 60, minute: 1 } as const;
type Unit = keyof typeof UNITS;
const UNIT_NAMES = Object.keys(UNITS) as Unit[];

/** Counts of one unit from one start until before another, in minutes since 1970. */
export interface Span {
  unit: Unit;
  from: number;
  to: number;
}

const MINUTE_MS = 60_000;
/** Minute beyond any date, a whole number of days. */
const EVER = UNITS.day * 2 ** 24;

/**
 * The whole days of a period, the whole hours around them, and the minutes around those. A minute that the period
 * touches counts whole.
 */
export function splitPeriod(since: Date | undefined, until?: Date): Span[] {
  const from = since === undefined ? -EVER : Math.floor(since.getTime() / MINUTE_MS);
  const to = until === undefined ? EVER : Math.ceil(until.getTime() / MINUTE_MS);
  return cover(from, to, UNIT_NAMES);
}

function cover(from: number, to: number, [unit, ...smaller]: readonly Unit[]): Span[] {
  if (from >= to || unit === undefined) return [];
  const first = getStart(unit, from + UNITS[unit] - 1);
  const end = getStart(unit, to);
  if (first >= end) return cover(from, to, smaller);
  return [...cover(from, first, smaller), { unit, from: first, to: end }, ...cover(end, to, smaller)];
}

export function getStart(unit: Unit, minute: number): number {
  return Math.floor(minute / UNITS[unit]) * UNITS[unit];
}

/** The moment itself if a minute begins at it, otherwise the beginning of the next. */
export function roundUpToMinute(moment: Date): Date {
  return new Date(Math.ceil(moment.getTime() / MINUTE_MS) * MINUTE_MS);
}

/** Beginning of the UTC day of a moment, in minutes since 1970. */
export function getDay(moment: Date): number {
  return getStart("day", Math.floor(moment.getTime() / MINUTE_MS));
}

/** Milliseconds since 1970. */
export type CountedEvent = Pick<StoredEvent, "aggregate_type" | "event_type" | "position"> & { timestamp: number };

/** Events of one transaction ascend by position. */
export function countEvents(events: readonly CountedEvent[]): Count[] {
  const rows = UNIT_NAMES.flatMap((unit) =>
    events.map(({ timestamp, ...event }) => ({
      ...event,
      unit,
      start: getStart(unit, Math.floor(timestamp / MINUTE_MS)),
    })),
  );
  return [...Map.groupBy(rows, countId).values()].map((same) => {
    const { position: first_position, unit, start, aggregate_type, event_type } = same[0]!;
    const last_position = same.at(-1)!.position;
    return { unit, start, aggregate_type, event_type, events: same.length, first_position, last_position };
  });
}

export function countId(count: Pick<Count, "unit" | "start" | "aggregate_type" | "event_type">): string {
  return JSON.stringify([count.unit, count.start, count.aggregate_type, count.event_type]);
}

/** The number of events of a day (minutes since 1970 at which it begins) and types. */
export type DayCount = Pick<Count, "aggregate_type" | "event_type" | "events"> & { day: number };

export function toEventCounts(rows: readonly DayCount[]): EventCounts {
  const groupCounts = <Key>(
    keyOf: (row: DayCount) => Key,
    nameOf: (key: Key) => string = String,
  ): Record<string, number> =>
    Object.fromEntries(
      [...Map.groupBy(rows, keyOf)]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, group]) => [nameOf(key), sumCounts(group)]),
    );
  return {
    total_events: sumCounts(rows),
    by_event_type: groupCounts((row) => row.event_type),
    by_aggregate_type: groupCounts((row) => row.aggregate_type),
    by_day: groupCounts(
      (row) => row.day,
      (day) => new Date(day * MINUTE_MS).toISOString().slice(0, 10),
    ),
  };
}

function sumCounts(rows: readonly DayCount[]): number {
  return rows.reduce((total, { events }) => total + events, 0);
}
