import type { EventFilter, EventLog, StoredEvent } from "../port.ts";
import type { EventRow } from "./events.ts";
import { type Span, type DayCount, spansOf, toEventCounts } from "./counts.ts";

export type Operator = "=" | ">" | ">=" | "<" | "<=";
export type Condition = readonly [field: keyof EventRow, operator: Operator, value: string | number | Date];

/** Along one index, cut off by its limit: with the wrong one it would walk the whole log. */
export interface IndexRead {
  index: "by_stream" | "by_event_type" | "by_aggregate_type" | "by_position";
  order: "version" | "position";
  descending?: boolean;
  conditions: readonly Condition[];
  limit: number;
}

/** All unless given. */
export type CountedTypes = Pick<EventFilter, "aggregate_type" | "event_type">;

export interface Indexes {
  select(read: IndexRead): Promise<StoredEvent[]>;
  /** Positions; undefined without counts. */
  ends(spans: readonly Span[], types: CountedTypes): Promise<{ first: number; last: number } | undefined>;
  sums(spans: readonly Span[], types: CountedTypes): Promise<DayCount[]>;
}

export function readsOf({ select, ends, sums }: Indexes) {
  /** Positions; undefined if there can be no event. */
  const boundsOf = async (filter: EventFilter): Promise<{ first: number; last?: number } | undefined> => {
    if (!isNarrowedByCounts(filter)) return { first: 1 };
    const spans = spansOf(filter.since, filter.until);
    return spans.length === 0 ? undefined : ends(spans, filter);
  };
  return {
    readStream: (aggregateId, { after_version, limit, at }) => {
      const conditions = given([
        ["aggregate_id", "=", aggregateId],
        ["version", ">", after_version],
        ["timestamp", "<=", at],
      ]);
      return select({ index: "by_stream", order: "version", conditions, limit });
    },
    lastOfStream: async (aggregateId) => {
      const conditions: Condition[] = [["aggregate_id", "=", aggregateId]];
      return (await select({ index: "by_stream", order: "version", descending: true, conditions, limit: 1 }))[0];
    },
    readAll: async (filter, { after, limit }) => {
      const bounds = await boundsOf(filter);
      if (!bounds) return [];
      const { aggregate_id, since, until } = filter;
      const conditions = given([
        ["position", ">", Math.max(after, bounds.first - 1)],
        ["position", "<=", bounds.last],
        ["aggregate_id", "=", aggregate_id],
        ["timestamp", ">=", since],
        ["timestamp", "<", until],
      ]).concat(typeConditions(filter));
      const index = indexFor(filter);
      return select({ index, order: index === "by_stream" ? "version" : "position", conditions, limit });
    },
    stats: async ({ aggregate_type, since }) => toEventCounts(await sums(spansOf(since), { aggregate_type })),
  } satisfies Partial<EventLog>;
}

/** An index has one type; a stream is short enough to be walked. */
function isNarrowedByCounts({ aggregate_id, aggregate_type, event_type, since, until }: EventFilter): boolean {
  if (aggregate_id !== undefined) return false;
  return since !== undefined || until !== undefined || (aggregate_type !== undefined && event_type !== undefined);
}

export function typeConditions({ aggregate_type, event_type }: CountedTypes): Condition[] {
  return given([
    ["aggregate_type", "=", aggregate_type],
    ["event_type", "=", event_type],
  ]);
}

function given(conditions: readonly (readonly [Condition[0], Operator, Condition[2] | undefined])[]): Condition[] {
  return conditions.filter((condition): condition is Condition => condition[2] !== undefined);
}

function indexFor({ aggregate_id, aggregate_type, event_type }: EventFilter): IndexRead["index"] {
  if (aggregate_id !== undefined) return "by_stream";
  if (event_type !== undefined) return "by_event_type";
  return aggregate_type === undefined ? "by_position" : "by_aggregate_type";
}
