import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { OpenedFile } from "../../opened-file.ts";
import { openForReading } from "../../sqlite/connection.ts";
import { withLockRetry } from "../../sqlite/lock-retry.ts";
import { StatementCache } from "../../sqlite/statements.ts";
import { isNarrowedByCounts, spansOf, toEventCounts } from "../model/counts.ts";
import { Page, toStoredEvent, type EventRow } from "../model/page.ts";
import type { EventCounts, EventFilter, StoredEvent, StreamRange } from "../port.ts";
import { toLogError, unavailable } from "./errors.ts";

const COLUMNS = "position, event_id, aggregate_id, aggregate_type, version, event_type, timestamp, data, metadata";

/**
 * Rows that are read at a time: twice as fast as one by one; of events that do not fit the page any more, no more are
 * read.
 */
const CHUNK = 64;

type Row = [
  position: number,
  event_id: string,
  aggregate_id: string,
  aggregate_type: string,
  version: number,
  event_type: string,
  timestamp: number,
  data: string,
  metadata: string,
];

interface Bounds {
  first: number;
  last: number;
}

/**
 * Reads, in the calling thread, on a connection that cannot write. Every read is an index range that is cut off by its
 * limit.
 */
export class Reader {
  readonly #database: DatabaseSync;
  readonly #statements: StatementCache;
  readonly #file: OpenedFile;
  readonly #timeoutMs: number;

  constructor(path: string, file: OpenedFile, timeoutMs: number) {
    this.#file = file;
    this.#database = openForReading(path, { cacheKiB: 8_000 });
    this.#statements = new StatementCache(this.#database);
    this.#timeoutMs = timeoutMs;
  }

  stream(aggregateId: string, { after_version, limit, at }: StreamRange): Promise<StoredEvent[]> {
    const sql = `SELECT ${COLUMNS} FROM events INDEXED BY by_stream WHERE version > ? AND aggregate_id = ? ${at ? "AND timestamp <= ?" : ""} ORDER BY version LIMIT ?`;
    const params = at ? [aggregateId, at.getTime()] : [aggregateId];
    return this.#read(() =>
      this.#events(sql, { after: after_version, params, limit, cursor: ({ version }) => version }),
    );
  }

  lastOfStream(aggregateId: string): Promise<StoredEvent | undefined> {
    const sql = `SELECT ${COLUMNS} FROM events INDEXED BY by_stream WHERE aggregate_id = ? ORDER BY version DESC LIMIT 1`;
    return this.#read(() => {
      const row = this.#statements.get(sql).get(aggregateId) as unknown as Row | undefined;
      return row && toStoredEvent(toEventRow(row));
    });
  }

  all(filter: EventFilter, after: number, limit: number): Promise<StoredEvent[]> {
    return this.#read(() => {
      const bounds = this.#bounds(filter);
      if (!bounds) return [];
      const conditions = ["position > ?"];
      const params: SQLInputValue[] = [];
      const restrict = (condition: string, value: SQLInputValue | undefined): void => {
        if (value === undefined) return;
        conditions.push(condition);
        params.push(value);
      };
      restrict("position <= ?", bounds.last === Infinity ? undefined : bounds.last);
      restrict("aggregate_id = ?", filter.aggregate_id);
      restrict("event_type = ?", filter.event_type);
      restrict("aggregate_type = ?", filter.aggregate_type);
      restrict("timestamp >= ?", filter.since?.getTime());
      restrict("timestamp < ?", filter.until?.getTime());
      const order = filter.aggregate_id === undefined ? "position" : "version";
      const sql = `SELECT ${COLUMNS} FROM events ${indexFor(filter)} WHERE ${conditions.join(" AND ")} ORDER BY ${order} LIMIT ?`;
      return this.#events(sql, {
        after: Math.max(after, bounds.first - 1),
        params,
        limit,
        cursor: ({ position }) => position,
      });
    });
  }

  stats({ aggregate_type, since }: Pick<EventFilter, "aggregate_type" | "since">): Promise<EventCounts> {
    const sql = `
      SELECT aggregate_type, event_type, start - (start % 1440 + 1440) % 1440 AS day, sum(events) FROM counts
      WHERE unit = ? AND start >= ? AND start < ? ${aggregate_type === undefined ? "" : "AND aggregate_type = ?"} GROUP BY 1, 2, 3`;
    return this.#read(() => {
      const rows = spansOf(since).flatMap(
        ({ unit, from, to }) =>
          this.#statements
            .get(sql)
            .all(unit, from, to, ...(aggregate_type === undefined ? [] : [aggregate_type])) as unknown as [
            string,
            string,
            number,
            number,
          ][],
      );
      return toEventCounts(
        rows.map(([type, event_type, day, events]) => ({ aggregate_type: type, event_type, day, events })),
      );
    });
  }

  head(): Promise<number> {
    return this.#read(
      () => (this.#statements.get("SELECT coalesce(max(position), 0) FROM events").get() as unknown as [number])[0],
    );
  }

  close(): void {
    this.#database.close();
  }

  /** Between which positions the events of a filter can be; undefined when there are none. */
  #bounds(filter: EventFilter): Bounds | undefined {
    if (!isNarrowedByCounts(filter)) return { first: 1, last: Infinity };
    const { aggregate_type, event_type, since, until } = filter;
    const types = [
      ...(aggregate_type === undefined ? [] : [aggregate_type]),
      ...(event_type === undefined ? [] : [event_type]),
    ];
    const sql = `
      SELECT min(first_position), max(last_position) FROM counts WHERE unit = ? AND start >= ? AND start < ?
      ${aggregate_type === undefined ? "" : "AND aggregate_type = ?"} ${event_type === undefined ? "" : "AND event_type = ?"}`;
    const found = spansOf(since, until)
      .map(
        ({ unit, from, to }) =>
          this.#statements.get(sql).get(unit, from, to, ...types) as unknown as [
            first: number | null,
            last: number | null,
          ],
      )
      .filter((row): row is [number, number] => row[0] !== null);
    if (found.length === 0) return undefined;
    return { first: Math.min(...found.map(([first]) => first)), last: Math.max(...found.map(([, last]) => last)) };
  }

  /** The statement's first parameter is what the events come after, its last how many they are at most. */
  #events(
    sql: string,
    {
      after,
      params,
      limit,
      cursor,
    }: { after: number; params: readonly SQLInputValue[]; limit: number; cursor: (event: EventRow) => number },
  ): StoredEvent[] {
    const page = new Page();
    const statement = this.#statements.get(sql);
    let last = after;
    for (let left = limit; left > 0; left -= CHUNK) {
      const rows = statement.all(last, ...params, Math.min(CHUNK, left)) as unknown as Row[];
      for (const row of rows) {
        const event = toEventRow(row);
        if (!page.add(event)) return page.events;
        last = cursor(event);
      }
      if (rows.length < CHUNK) break;
    }
    return page.events;
  }

  #read<T>(read: () => T): Promise<T> {
    if (!this.#database.isOpen) return Promise.reject(unavailable("it is closed"));
    const readFile = (): T => {
      this.#file.assertThere();
      return read();
    };
    return withLockRetry(readFile, { timeoutMs: this.#timeoutMs, toError: toLogError });
  }
}

/** Told to the planner, which has no statistics: with the wrong index a read walks the whole log. */
function indexFor({ aggregate_id, aggregate_type, event_type }: EventFilter): string {
  if (aggregate_id !== undefined) return "INDEXED BY by_stream";
  if (event_type !== undefined) return "INDEXED BY by_event_type";
  return aggregate_type === undefined ? "NOT INDEXED" : "INDEXED BY by_aggregate_type";
}

function toEventRow([
  position,
  event_id,
  aggregate_id,
  aggregate_type,
  version,
  event_type,
  timestamp,
  data,
  metadata,
]: Row): EventRow {
  return {
    position,
    event_id,
    aggregate_id,
    aggregate_type,
    version,
    event_type,
    timestamp: new Date(timestamp),
    data,
    metadata,
  };
}
