import { DatabaseSync, type StatementSync } from "node:sqlite";
import { LRUCache } from "lru-cache";

/** A connection that writes: durable with each commit. */
export function openForWriting(
  path: string,
  { busyTimeoutMs, cacheKiB = 32_000 }: { busyTimeoutMs: number; cacheKiB?: number },
): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  // The file keeps the mode: changing it needs the file for oneself.
  if (database.prepare("PRAGMA journal_mode").get()?.["journal_mode"] !== "wal")
    database.exec("PRAGMA journal_mode = WAL");
  database.exec(`PRAGMA synchronous = FULL; PRAGMA cache_size = -${cacheKiB}; PRAGMA temp_store = MEMORY`);
  return database;
}

/** A connection that cannot write, and does not wait for locks. */
export function openForReading(path: string, { cacheKiB }: { cacheKiB: number }): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 0 });
  database.exec(`PRAGMA cache_size = -${cacheKiB}`);
  return database;
}

/** Prepared statements by their text. Rows are arrays. */
export class StatementCache {
  readonly #database: DatabaseSync;
  readonly #statements = new LRUCache<string, StatementSync>({ max: 500 });

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      statement.setReturnArrays(true);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
