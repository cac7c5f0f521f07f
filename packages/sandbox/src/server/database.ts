import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Opens `NAME.sqlite` in `dataDir`, or memory without it. A power cut may lose the last commits. */
export function openDatabase(dataDir: string | undefined, name: string, schema: string): DatabaseSync {
  if (dataDir) mkdirSync(dataDir, { recursive: true });
  const database = new DatabaseSync(dataDir ? join(dataDir, `${name}.sqlite`) : ":memory:");
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000;");
  database.exec(schema);
  return database;
}

/** Runs `work` as one transaction, which must not be nested. */
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
