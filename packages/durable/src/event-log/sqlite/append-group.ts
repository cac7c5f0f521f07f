import type { DatabaseSync } from "node:sqlite";
import { openForWriting } from "../../sqlite/connection.ts";
import { GroupCommit, type OpeningOptions } from "../../sqlite/group-commit.ts";
import { createStoreErrors } from "../../sqlite/store-errors.ts";
import { EVENT_FIELDS, resolveNextVersion, type EventText, type StreamHead } from "../model/events.ts";
import { countEvents, type CountedEvent } from "../model/counts.ts";
import { EventLogError, type Appended } from "../port.ts";

/** Request of the calling thread to the writer thread, as JSON text. */
export type Request = { kind: "append"; event: EventText } | { kind: "ping" };

/** Answer to an append, or null to a ping. The timestamp is in milliseconds since 1970. */
export type Answer = (Omit<Appended, "timestamp"> & { timestamp: number }) | null;

export const errors = createStoreErrors("event log", EventLogError);

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY,
    event_id TEXT NOT NULL UNIQUE,
    aggregate_id TEXT NOT NULL,
    aggregate_type TEXT NOT NULL,
    version INTEGER NOT NULL,
    event_type TEXT NOT NULL,
    timestamp INTEGER NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS by_stream ON events (aggregate_id, version);
  CREATE INDEX IF NOT EXISTS by_aggregate_type ON events (aggregate_type);
  CREATE INDEX IF NOT EXISTS by_event_type ON events (event_type);
  CREATE TABLE IF NOT EXISTS counts (
    unit TEXT NOT NULL,
    start INTEGER NOT NULL,
    aggregate_type TEXT NOT NULL,
    event_type TEXT NOT NULL,
    events INTEGER NOT NULL,
    first_position INTEGER NOT NULL,
    last_position INTEGER NOT NULL,
    PRIMARY KEY (unit, start, aggregate_type, event_type)
  ) STRICT, WITHOUT ROWID;
`;

/** Opens a log's file to write it, with its tables. (Each index ends in the position, the row's number.) */
export function openLogFile({ path, busyTimeoutMs }: OpeningOptions): DatabaseSync {
  const database = openForWriting(path, { busyTimeoutMs, cacheKiB: 8_000 });
  database.exec(SCHEMA);
  return database;
}

/** Opens the writer of an event log in the writer thread. */
export function openWriter(options: OpeningOptions): AppendGroup {
  return new AppendGroup(openLogFile(options));
}

/** Appends, grouped: all that wait get position and version in the next transaction. */
export class AppendGroup extends GroupCommit<Request, Answer> {
  readonly #head;
  readonly #known;
  readonly #stream;
  readonly #insert;
  readonly #count;
  #position = 0;
  #added: CountedEvent[] = [];

  constructor(database: DatabaseSync) {
    super(database, errors);
    this.#head = database.prepare("SELECT coalesce(max(position), 0) AS head FROM events");
    this.#known = database.prepare(
      "SELECT event_id, aggregate_id, position, version, timestamp FROM events WHERE event_id = ?",
    );
    this.#stream = database.prepare(
      "SELECT version, aggregate_type FROM events INDEXED BY by_stream WHERE aggregate_id = ? ORDER BY version DESC LIMIT 1",
    );
    const marks = EVENT_FIELDS.map(() => "?").join();
    this.#insert = database.prepare(`INSERT INTO events (${EVENT_FIELDS.join()}) VALUES (${marks})`);
    this.#count = database.prepare(
      `INSERT INTO counts VALUES (:unit, :start, :aggregate_type, :event_type, :events, :first_position, :last_position)
       ON CONFLICT DO UPDATE SET events = events + excluded.events, last_position = excluded.last_position`,
    );
  }

  protected override begun(): void {
    this.#position = this.#head.get()!["head"] as number;
    this.#added = [];
  }

  protected override ending(): void {
    for (const count of countEvents(this.#added)) this.#count.run({ ...count });
  }

  protected override perform(request: Request): Answer {
    return request.kind === "append" ? this.#append(request.event) : null;
  }

  #append(event: EventText): Answer {
    const appended = this.#known.get(event.event_id) as Omit<NonNullable<Answer>, "recorded"> | undefined;
    if (appended) return { ...appended, recorded: false };
    const { event_id, aggregate_id, timestamp } = event;
    const version = resolveNextVersion(event, this.#stream.get(aggregate_id) as StreamHead | undefined);
    const position = this.#position + 1;
    const row = { ...event, version, position };
    this.#insert.run(...EVENT_FIELDS.map((field) => row[field]));
    this.#position = position;
    this.#added.push(row);
    return { event_id, aggregate_id, position, version, timestamp, recorded: true };
  }
}
