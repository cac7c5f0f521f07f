import type { EventFilter, EventLog, StoredEvent } from "../port.ts";
import type { EventRow } from "./events.ts";
import { type DayCount, getDay, roundUpToMinute, type Span, splitPeriod, toEventCounts } from "./counts.ts";

export type Operator = "=" | ">" | ">=" | "<" | "<=";
export type Condition = readonly [field: keyof EventRow, operator: Operator, value: string | number | Date];

/** A read along one index, cut off by its limit. With the wrong index it would walk the whole log. */
export interface IndexRead {
  index: "by_stream" | "by_event_type" | "by_aggregate_type" | "by_position";
  order: "version" | "position";
  descending?: boolean;
  conditions: readonly Condition[];
  limit: number;
}

/** Events to count, found along one index. */
export type CountRead = Pick<IndexRead, "index" | "conditions">;

/** The types that are counted; all unless given. */
export type CountedTypes = Pick<EventFilter, "aggregate_type" | "event_type">;

export interface Indexes {
  select(plan: IndexRead): Promise<StoredEvent[]>;
  /** The first and last position in the counts; undefined when there are none. */
  ends(spans: readonly Span[], types: CountedTypes): Promise<{ first: number; last: number } | undefined>;
  sums(spans: readonly Span[], types: CountedTypes): Promise<DayCount[]>;
  countEvents(plan: CountRead): Promise<Omit<DayCount, "day">[]>;
}

export function createReads({ select, ends, sums, countEvents }: Indexes) {
  /** Between which positions the events of a filter can be; undefined when there are none. */
  const findBounds = async (filter: EventFilter): Promise<{ first: number; last?: number } | undefined> => {
    if (!isNarrowedByCounts(filter)) return { first: 1 };
    const spans = splitPeriod(filter.since, filter.until);
    return spans.length === 0 ? undefined : ends(spans, filter);
  };
  /** The conditions and the index that find the events of a filter; undefined when there are none. */
  const planRead = async (filter: EventFilter, after = 0): Promise<CountRead | undefined> => {
    const bounds = await findBounds(filter);
    if (!bounds) return undefined;
    const { aggregate_id, since, until } = filter;
    const conditions = selectGiven([
      ["position", ">", Math.max(after, bounds.first - 1)],
      ["position", "<=", bounds.last],
      ["aggregate_id", "=", aggregate_id],
      ["timestamp", ">=", since],
      ["timestamp", "<", until],
    ]).concat(typeConditions(filter));
    return { index: indexFor(filter), conditions };
  };
  /** The counts hold whole minutes: the events of a period within one minute are counted one by one. */
  const countWithinMinute = async (filter: EventFilter & { since: Date }): Promise<DayCount[]> => {
    const plan = await planRead(filter);
    const rows = plan ? await countEvents(plan) : [];
    return rows.map((row) => ({ ...row, day: getDay(filter.since) }));
  };
  return {
    readStream: (aggregateId, { after_version, limit, at: moment }) => {
      const conditions = selectGiven([
        ["aggregate_id", "=", aggregateId],
        ["version", ">", after_version],
        ["timestamp", "<=", moment],
      ]);
      return select({ index: "by_stream", order: "version", conditions, limit });
    },
    lastOfStream: async (aggregateId) => {
      const conditions: Condition[] = [["aggregate_id", "=", aggregateId]];
      return (await select({ index: "by_stream", order: "version", descending: true, conditions, limit: 1 }))[0];
    },
    readAll: async (filter, { after, limit }) => {
      const plan = await planRead(filter, after);
      return plan ? select({ ...plan, order: plan.index === "by_stream" ? "version" : "position", limit }) : [];
    },
    stats: async ({ aggregate_type, since }) => {
      const firstWholeMinute = since && roundUpToMinute(since);
      const [minutes, edge] = await Promise.all([
        sums(splitPeriod(firstWholeMinute), { aggregate_type }),
        since ? countWithinMinute({ aggregate_type, since, until: firstWholeMinute }) : [],
      ]);
      return toEventCounts([...edge, ...minutes]);
    },
  } satisfies Partial<EventLog>;
}

/**
 * Returns whether the counts narrow down where the events of a filter are: of a period, or of two types together, since
 * an index has one type. A stream is short enough to be walked.
 */
function isNarrowedByCounts({ aggregate_id, aggregate_type, event_type, since, until }: EventFilter): boolean {
  if (aggregate_id !== undefined) return false;
  return since !== undefined || until !== undefined || (aggregate_type !== undefined && event_type !== undefined);
}

export function typeConditions({ aggregate_type, event_type }: CountedTypes): Condition[] {
  return selectGiven([
    ["aggregate_type", "=", aggregate_type],
    ["event_type", "=", event_type],
  ]);
}

function selectGiven(
  conditions: readonly (readonly [Condition[0], Operator, Condition[2] | undefined])[],
): Condition[] {
  return conditions.filter((condition): condition is Condition => condition[2] !== undefined);
}

function indexFor({ aggregate_id, aggregate_type, event_type }: EventFilter): IndexRead["index"] {
  if (aggregate_id !== undefined) return "by_stream";
  if (event_type !== undefined) return "by_event_type";
  return aggregate_type === undefined ? "by_position" : "by_aggregate_type";
}
