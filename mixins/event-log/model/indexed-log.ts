import type { EventCounts, EventFilter, StoredEvent, StreamRange } from "../port.ts";
import { isNarrowedByCounts, spansOf, toEventCounts, type DayCount, type Span } from "./counts.ts";
import type { EventRow } from "./page.ts";

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

/** The types that are counted; all unless given. */
export type CountedTypes = Pick<EventFilter, "aggregate_type" | "event_type">;

export abstract class IndexedLog {
  protected abstract select(read: IndexRead): Promise<StoredEvent[]>;

  /** The first and last position in the counts; undefined when there are none. */
  protected abstract ends(
    spans: readonly Span[],
    types: CountedTypes,
  ): Promise<{ first: number; last: number } | undefined>;

  protected abstract sums(spans: readonly Span[], types: CountedTypes): Promise<DayCount[]>;

  readStream(aggregateId: string, { after_version, limit, at }: StreamRange): Promise<StoredEvent[]> {
    const conditions = given([
      ["aggregate_id", "=", aggregateId],
      ["version", ">", after_version],
      ["timestamp", "<=", at],
    ]);
    return this.select({ index: "by_stream", order: "version", conditions, limit });
  }

  async lastOfStream(aggregateId: string): Promise<StoredEvent | undefined> {
    const conditions: Condition[] = [["aggregate_id", "=", aggregateId]];
    const [last] = await this.select({ index: "by_stream", order: "version", descending: true, conditions, limit: 1 });
    return last;
  }

  async readAll(filter: EventFilter, { after, limit }: { after: number; limit: number }): Promise<StoredEvent[]> {
    const bounds = await this.#bounds(filter);
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
    return this.select({ index, order: index === "by_stream" ? "version" : "position", conditions, limit });
  }

  async stats({ aggregate_type, since }: Pick<EventFilter, "aggregate_type" | "since">): Promise<EventCounts> {
    return toEventCounts(await this.sums(spansOf(since), { aggregate_type }));
  }

  /** Between which positions the events of a filter can be; undefined when there are none. */
  async #bounds(filter: EventFilter): Promise<{ first: number; last?: number } | undefined> {
    if (!isNarrowedByCounts(filter)) return { first: 1 };
    const spans = spansOf(filter.since, filter.until);
    return spans.length === 0 ? undefined : this.ends(spans, filter);
  }
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
