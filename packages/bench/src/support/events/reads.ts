import type { EventFilter } from "../../../../durable/src/event-log/port.ts";
import { AGGREGATE_TYPES, createRandom, EVENT_TYPES, FIRST_MOMENT, LAST_MOMENT } from "./generated.ts";

export interface Read {
  kind: string;
  filter: EventFilter;
  after: number;
}

const HOUR_MS = 3_600_000;

/** Filtered reads of every kind in turn, each somewhere else in the log. */
export function generateReads(count: number, events: number): Read[] {
  const random = createRandom(11);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const moment = (): Date => new Date(FIRST_MOMENT + random() * (LAST_MOMENT - FIRST_MOMENT));
  const kinds: (() => Read)[] = [
    () => ({ kind: "event_type, since", filter: { event_type: pick(EVENT_TYPES), since: moment() }, after: 0 }),
    () => {
      const since = moment();
      return {
        kind: "event_type, an hour",
        filter: { event_type: pick(EVENT_TYPES), since, until: new Date(since.getTime() + HOUR_MS) },
        after: 0,
      };
    },
    () => ({
      kind: "aggregate_type, since",
      filter: { aggregate_type: pick(AGGREGATE_TYPES), since: moment() },
      after: 0,
    }),
    () => ({ kind: "since", filter: { since: moment() }, after: 0 }),
    () => ({
      kind: "event_type, after",
      filter: { event_type: pick(EVENT_TYPES) },
      after: Math.floor(random() * events),
    }),
    () => ({
      kind: "aggregate_id",
      filter: { aggregate_id: `order_${Math.floor(random() ** 3 * (events / 10))}` },
      after: 0,
    }),
  ];
  return Array.from({ length: count }, (_, n) => kinds[n % kinds.length]!());
}

export function toPath({ filter, after }: Read, limit: number): string {
  const params = new URLSearchParams({ after: String(after), limit: String(limit) });
  for (const [name, value] of Object.entries(filter))
    params.set(name, value instanceof Date ? value.toISOString() : (value as string));
  return `/events?${params.toString()}`;
}
