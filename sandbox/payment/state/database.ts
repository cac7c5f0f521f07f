import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS resources (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, object TEXT NOT NULL, created INTEGER NOT NULL, body TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS resources_by_object ON resources (object, seq);
  CREATE INDEX IF NOT EXISTS resources_by_payment_intent ON resources (json_extract(body, '$.payment_intent'));
  CREATE INDEX IF NOT EXISTS resources_by_customer ON resources (json_extract(body, '$.customer'));
  CREATE INDEX IF NOT EXISTS open_checkout_sessions ON resources (json_extract(body, '$.expires_at'))
    WHERE object = 'checkout.session' AND json_extract(body, '$.status') = 'open';
  CREATE TABLE IF NOT EXISTS details (id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS idempotency_keys (
    key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, endpoint TEXT NOT NULL, request_id TEXT NOT NULL,
    created INTEGER NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL, endpoint INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
    due INTEGER NOT NULL, outcome TEXT, created INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (due) WHERE outcome IS NULL;
  CREATE INDEX IF NOT EXISTS deliveries_by_event ON deliveries (event);
`;

/**
 * The sandbox's one file, `payment-sandbox.sqlite` in `dataDir`, or memory without it. WAL with synchronous=NORMAL: what was
 * committed outlives the process, however it ends; only a power cut may take the last moments.
 */
export function openDatabase(dataDir: string | undefined): DatabaseSync {
  if (dataDir) mkdirSync(dataDir, { recursive: true });
  const database = new DatabaseSync(dataDir ? join(dataDir, "payment-sandbox.sqlite") : ":memory:");
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000;");
  database.exec(SCHEMA);
  return database;
}

/** Runs `work` as one transaction: all of its writes or, when it throws, none. Not to be nested. */
export function transact<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}
