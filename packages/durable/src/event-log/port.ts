/**
 * The event log port: what happened, in order, for good. `sqlite/` is the embedded adapter, `mongo/` the real one;
 * `packages/durable/test/event-log.contract.ts` runs on both.
 *
 * - A resolved append is durable (SQLite synchronous=FULL, MongoDB majority and journal).
 * - Versions of an aggregate run from 1 without gaps. Positions become visible in ascending order: a reader of position
 *   n never finds a smaller new one later, however many processes append.
 * - An event id is recorded once, for ever.
 *
 * Errors are `EventLogError`s, distinguished by `code`.
 */

export interface StoredEvent {
  event_id: string;
  /** Ascending over all events, from 1. */
  position: number;
  aggregate_id: string;
  aggregate_type: string;
  /** Version from 1, without gaps in the aggregate. */
  version: number;
  event_type: string;
  data: Record<string, unknown>;
  metadata: Record<string, unknown>;
  /** Time of the event. An event recorded late may be older than one with a smaller version. */
  timestamp: Date;
}

/** `data` and `metadata` hold what JSON holds; a Date is kept as its ISO text. */
export interface NewEvent extends Omit<StoredEvent, "position" | "version" | "metadata"> {
  metadata?: Record<string, unknown>;
  /** The version that the aggregate must have; 0: no event yet. */
  expected_version?: number;
}

/** The outcome of an append; for an event id that was appended before, its first outcome with `recorded` false. */
export type Appended = Pick<StoredEvent, "event_id" | "aggregate_id" | "position" | "version" | "timestamp"> & {
  recorded: boolean;
};

/** All that are given must be equal. */
export interface EventFilter {
  aggregate_id?: string;
  aggregate_type?: string;
  event_type?: string;
  /** Happened at or after this moment. */
  since?: Date;
  /** Happened before this moment. */
  until?: Date;
}

export interface EventCounts {
  total_events: number;
  by_event_type: Record<string, number>;
  by_aggregate_type: Record<string, number>;
  /** Keys are UTC days: `2026-11-21`. */
  by_day: Record<string, number>;
}

export interface EventLog {
  /** @throws VERSION_CONFLICT, OTHER_TYPE, TOO_LARGE; UNAVAILABLE */
  appendToStream(event: NewEvent): Promise<Appended>;
  /**
   * The events of one aggregate after a version, ascending. A page has about 512 KiB at most, and one event at least:
   * an empty page is the end. With `at`, only those that had happened by that moment.
   */
  readStream(aggregateId: string, options: { after_version: number; limit: number; at?: Date }): Promise<StoredEvent[]>;
  /** The event of the aggregate with the highest version. */
  lastOfStream(aggregateId: string): Promise<StoredEvent | undefined>;
  /** The events of all aggregates after a position, ascending; fewer than `limit` as above. */
  readAll(filter: EventFilter, options: { after: number; limit: number }): Promise<StoredEvent[]>;
  stats(filter: Pick<EventFilter, "aggregate_type" | "since">): Promise<EventCounts>;
  /** The newest position, or 0. An answer below `known`, a position that was read, is of this moment, not older. */
  head(leastPosition?: number): Promise<number>;
  /** Returns whether events can be read and appended. @throws UNAVAILABLE */
  ping(): Promise<void>;
  close(): Promise<void>;
}

type EventLogErrorCode =
  | "VERSION_CONFLICT"
  | "OTHER_TYPE"
  | "TOO_LARGE"
  /** Disk full, locked, closed, unreachable: a later try may go through. Nothing was appended. */
  | "UNAVAILABLE"
  /**
   * The connection or the writer thread was lost midway. A repeat with the same event id records it once.
   */
  | "OUTCOME_UNKNOWN";

export class EventLogError extends Error {
  override readonly name = "EventLogError";
  readonly code: EventLogErrorCode;
  /** Version found in a VERSION_CONFLICT. */
  readonly actualVersion: number | undefined;

  constructor(code: EventLogErrorCode, message: string, options: ErrorOptions & { actualVersion?: number } = {}) {
    super(message, options);
    this.code = code;
    this.actualVersion = options.actualVersion;
  }
}

/**
 * Returns whether an error is an event log's with one of these codes; also from another node, where its class is lost.
 */
export function hasEventLogCode(error: unknown, ...codes: EventLogErrorCode[]): error is EventLogError {
  const { name, code } = (error ?? {}) as Partial<EventLogError>;
  return name === "EventLogError" && code !== undefined && codes.includes(code);
}
