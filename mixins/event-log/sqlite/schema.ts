import type { DatabaseSync } from "node:sqlite";
import { openForWriting } from "../../sqlite/connection.ts";
import type { OpeningOptions } from "../../sqlite/protocol.ts";

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
