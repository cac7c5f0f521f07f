import type { SQLInputValue } from "node:sqlite";
import type { EmbeddedFile } from "../../sqlite/embedded-file.ts";
import type { StatementCache } from "../../sqlite/statements.ts";
import { isNarrowedByCounts, spansOf, toEventCounts } from "../model/counts.ts";
import { Page, toStoredEvent, type EventRow } from "../model/page.ts";
import type { EventCounts, EventFilter, StoredEvent, StreamRange } from "../port.ts";

const COLUMNS = [
  "position",
  "event_id",
  "aggregate_id",
  "aggregate_type",
  "version",
  "event_type",
  "timestamp",
  "data",
  "metadata",
] satisfies (keyof EventRow)[];

/** Rows read at a time: twice as fast as one by one, and few are read in vain behind a full page. */
const CHUNK = 64;

/** The reads of the log. Every one is an index range that is cut off by its limit. */
export class Reader {
  readonly #read: <T>(read: (statements: StatementCache) => T) => Promise<T>;

  constructor(file: Pick<EmbeddedFile<never>, "read">) {
    this.#read = (read) => file.read(read);
  }

  readStream(aggregateId: string, { after_version, limit, at }: StreamRange): Promise<StoredEvent[]> {
    const until = at ? conditions({ "timestamp <= ?": at.getTime() }) : { sql: "", params: [] };
    const sql = `SELECT ${COLUMNS.join()} FROM events INDEXED BY by_stream WHERE version > ? AND aggregate_id = ?${until.sql} ORDER BY version LIMIT ?`;
    return this.#read((statements) =>
      eventsBy(statements, sql, { after: after_version, params: [aggregateId, ...until.params], limit, by: "version" }),
    );
  }

  lastOfStream(aggregateId: string): Promise<StoredEvent | undefined> {
    const sql = `SELECT ${COLUMNS.join()} FROM events INDEXED BY by_stream WHERE aggregate_id = ? ORDER BY version DESC LIMIT 1`;
    return this.#read((statements) => {
      const row = statements.get(sql).get(aggregateId);
      return row && toStoredEvent(toEventRow(row));
    });
  }

  readAll(filter: EventFilter, { after, limit }: { after: number; limit: number }): Promise<StoredEvent[]> {
    const { aggregate_id, aggregate_type, event_type, since, until } = filter;
    return this.#read((statements) => {
      const bounds = boundsOf(statements, filter);
      if (!bounds) return [];
      const { sql: restrictions, params } = conditions({
        "position <= ?": bounds.last === Infinity ? undefined : bounds.last,
        "aggregate_id = ?": aggregate_id,
        "event_type = ?": event_type,
        "aggregate_type = ?": aggregate_type,
        "timestamp >= ?": since?.getTime(),
        "timestamp < ?": until?.getTime(),
      });
      const order = aggregate_id === undefined ? "position" : "version";
      const sql = `SELECT ${COLUMNS.join()} FROM events ${indexFor(filter)} WHERE position > ?${restrictions} ORDER BY ${order} LIMIT ?`;
      return eventsBy(statements, sql, { after: Math.max(after, bounds.first - 1), params, limit, by: "position" });
    });
  }

  stats({ aggregate_type, since }: Pick<EventFilter, "aggregate_type" | "since">): Promise<EventCounts> {
    const { sql, params } = conditions({ "aggregate_type = ?": aggregate_type });
    const sums = `
      SELECT aggregate_type, event_type, start - (start % 1440 + 1440) % 1440 AS day, sum(events) FROM counts
      WHERE unit = ? AND start >= ? AND start < ?${sql} GROUP BY 1, 2, 3`;
    return this.#read((statements) => {
      const rows = spansOf(since).flatMap(
        ({ unit, from, to }) =>
          statements.get(sums).all(unit, from, to, ...params) as unknown as [string, string, number, number][],
      );
      return toEventCounts(
        rows.map(([type, event_type, day, events]) => ({ aggregate_type: type, event_type, day, events })),
      );
    });
  }

  head(): Promise<number> {
    return this.#read(
      (statements) => (statements.get("SELECT coalesce(max(position), 0) FROM events").get() as unknown as [number])[0],
    );
  }
}

/** Returns between which positions the events of a filter can be; undefined when there are none. */
function boundsOf(statements: StatementCache, filter: EventFilter): { first: number; last: number } | undefined {
  if (!isNarrowedByCounts(filter)) return { first: 1, last: Infinity };
  const { sql, params } = conditions({
    "aggregate_type = ?": filter.aggregate_type,
    "event_type = ?": filter.event_type,
  });
  const ends = statements.get(
    `SELECT min(first_position), max(last_position) FROM counts WHERE unit = ? AND start >= ? AND start < ?${sql}`,
  );
  const found = spansOf(filter.since, filter.until)
    .map(({ unit, from, to }) => ends.get(unit, from, to, ...params) as unknown as [number | null, number | null])
    .filter((row): row is [number, number] => row[0] !== null);
  if (found.length === 0) return undefined;
  return { first: Math.min(...found.map(([first]) => first)), last: Math.max(...found.map(([, last]) => last)) };
}

/** The conditions that have a value, each with AND before it. */
function conditions(given: Record<string, SQLInputValue | undefined>): { sql: string; params: SQLInputValue[] } {
  const known = Object.entries(given).filter((entry): entry is [string, SQLInputValue] => entry[1] !== undefined);
  return { sql: known.map(([sql]) => ` AND ${sql}`).join(""), params: known.map(([, value]) => value) };
}

/** The statement's first parameter is what the events come after, its last how many they are at most. */
function eventsBy(
  statements: StatementCache,
  sql: string,
  { after, params, limit, by }: { after: number; params: SQLInputValue[]; limit: number; by: "position" | "version" },
): StoredEvent[] {
  const page = new Page();
  const statement = statements.get(sql);
  let last = after;
  for (let left = limit; left > 0; left -= CHUNK) {
    const rows = statement.all(last, ...params, Math.min(CHUNK, left));
    for (const row of rows) {
      const event = toEventRow(row);
      if (!page.add(event)) return page.events;
      last = event[by];
    }
    if (rows.length < CHUNK) break;
  }
  return page.events;
}

/** The planner has no statistics: with the wrong index a read walks the whole log. */
function indexFor({ aggregate_id, aggregate_type, event_type }: EventFilter): string {
  if (aggregate_id !== undefined) return "INDEXED BY by_stream";
  if (event_type !== undefined) return "INDEXED BY by_event_type";
  return aggregate_type === undefined ? "NOT INDEXED" : "INDEXED BY by_aggregate_type";
}

function toEventRow(row: unknown): EventRow {
  const event: Record<string, unknown> = {};
  for (const [index, column] of COLUMNS.entries()) event[column] = (row as unknown[])[index];
  event["timestamp"] = new Date(event["timestamp"] as number);
  return event as unknown as EventRow;
}
