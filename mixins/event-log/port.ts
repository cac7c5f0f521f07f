/**
 * The event log port: what happened, in order, for good. `sqlite/` is the embedded adapter, `mongo/` the real one;
 * `test/contract/event-log.contract.ts` runs on both.
 *
 * - A resolved append is durable (SQLite synchronous=FULL, MongoDB majority and journal).
 * - Versions of an aggregate run from 1 without gaps. Positions ascend over all events in the order in which they
 *   become visible: who has read position n never finds a smaller new one later, however many processes append.
 * - An event id is recorded once, for ever.
 *
 * Errors are `EventLogError` and are told apart by `code`.
 */

export interface StoredEvent {
  event_id: string;
  /** Ascending over all events, from 1. */
  position: number;
  aggregate_id: string;
  aggregate_type: string;
  /** Ascending in the aggregate without gaps, from 1. */
  version: number;
  event_type: string;
  data: Record<string, unknown>;
  metadata: Record<string, unknown>;
  /**
   * When it happened, to the millisecond. What is recorded late may have happened before what has a smaller version.
   */
  timestamp: Date;
}

/** `data` and `metadata` hold what JSON holds; a Date in them is kept as its ISO text. */
export interface NewEvent extends Omit<StoredEvent, "position" | "version" | "metadata"> {
  metadata?: Record<string, unknown>;
  /** The version that the aggregate must have; 0: it has no event yet. Any unless given. */
  expected_version?: number;
}

/** What became of an event; for an event id that is known, what became of it the first time. */
export interface Appended extends Pick<
  StoredEvent,
  "event_id" | "aggregate_id" | "position" | "version" | "timestamp"
> {
  /** False: the event id was known, and nothing was written. */
  recorded: boolean;
}

/** All that are given must hold; each is what the record has, letter by letter. */
export interface EventFilter {
  aggregate_id?: string;
  aggregate_type?: string;
  event_type?: string;
  /** Happened at or after this moment. */
  since?: Date;
  /** Happened before this moment. */
  until?: Date;
}

export interface StreamRange {
  after_version: number;
  limit: number;
  at?: Date;
}

export interface EventCounts {
  total_events: number;
  by_event_type: Record<string, number>;
  by_aggregate_type: Record<string, number>;
  /** Keys are UTC days: `2026-11-21`. */
  by_day: Record<string, number>;
}

export interface EventLog {
  /** What the start table and /health call it. */
  readonly backend: "embedded" | "mongodb";
  /** @throws VERSION_CONFLICT, OTHER_TYPE, TOO_LARGE; UNAVAILABLE */
  appendToStream(event: NewEvent): Promise<Appended>;
  /**
   * The events of one aggregate after a version, ascending; none of an aggregate that is not known. A page has at most
   * about 512 KiB, and one event at least, so fewer than `limit` may come: an empty page is the end. With `at`, only
   * those that had happened by that moment.
   */
  readStream(aggregateId: string, options: StreamRange): Promise<StoredEvent[]>;
  /** The event of the aggregate that has the highest version. */
  lastOfStream(aggregateId: string): Promise<StoredEvent | undefined>;
  /** The events of all aggregates after a position, ascending; fewer than `limit` as above. */
  readAll(filter: EventFilter, options: { after: number; limit: number }): Promise<StoredEvent[]>;
  /** Counted by the minute: the minute that `since` lies in is counted whole. */
  stats(filter: Pick<EventFilter, "aggregate_type" | "since">): Promise<EventCounts>;
  /**
   * The position of the newest event; 0 when there is none. An answer below `known`, which somebody says to have read,
   * is of this moment and not a little older.
   */
  head(known?: number): Promise<number>;
  /** Whether events can be read and appended. @throws UNAVAILABLE */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** What an adapter says about itself; never an event's data. A Moleculer logger fits. */
export interface EventLogLogger {
  error(message: string): void;
}

export type EventLogErrorCode =
  /** The aggregate has another version than expected: `actualVersion`. */
  | "VERSION_CONFLICT"
  /** The aggregate's events are of another type. */
  | "OTHER_TYPE"
  /** The event is larger than 512 KiB. */
  | "TOO_LARGE"
  /** Disk full, locked, closed, unreachable: a later try may go through. Nothing was appended. */
  | "UNAVAILABLE"
  /**
   * The connection or the writer thread was lost midway: whether it was appended is open. Appended again under the same
   * event id, it is recorded once.
   */
  | "OUTCOME_UNKNOWN";

export class EventLogError extends Error {
  override readonly name = "EventLogError";
  readonly code: EventLogErrorCode;
  /** Of a VERSION_CONFLICT. */
  readonly actualVersion: number | undefined;

  constructor(code: EventLogErrorCode, message: string, options: ErrorOptions & { actualVersion?: number } = {}) {
    super(message, options);
    this.code = code;
    this.actualVersion = options.actualVersion;
  }
}

/** Whether an error is an event log's, here or on another node, where its class is lost, with one of these codes. */
export function hasEventLogCode(error: unknown, ...codes: EventLogErrorCode[]): error is EventLogError {
  const { name, code } = (typeof error === "object" && error !== null ? error : {}) as Partial<EventLogError>;
  return name === "EventLogError" && code !== undefined && codes.includes(code);
}
