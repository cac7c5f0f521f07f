import type { DatabaseSync, StatementSync } from "node:sqlite";
import { LRUCache } from "lru-cache";

/** By their text. Rows are arrays. */
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
