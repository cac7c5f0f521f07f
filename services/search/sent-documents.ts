import { DatabaseSync, type StatementSync } from "node:sqlite";
import { changesOf } from "../../mixins/search-index/builds.ts";
import type { IndexDocument, LogicalIndex } from "../../mixins/search-index/port.ts";

/** Documents that each index of a build should hold. */
export type Sent = Partial<Record<LogicalIndex, number>>;

/** KiB in memory; the rest is on disk. */
const CACHE_KIB = 8_192;

/**
 * Counts the documents sent to a build, each once, though one that changes is sent again. Ids are in a temporary
 * database: in memory, those of a large catalog would stay as long as the build.
 */
export class SentDocuments {
  readonly #database: DatabaseSync;
  readonly #statements: ReadonlyMap<LogicalIndex, { insert: StatementSync; remove: StatementSync }>;
  readonly #counts: Sent;

  constructor(which: readonly LogicalIndex[]) {
    // SQLite's name for a database that is deleted when it is closed.
    this.#database = new DatabaseSync("");
    this.#database.exec(
      `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KIB}; BEGIN`,
    );
    for (const index of which) this.#database.exec(`CREATE TABLE ${index} (id TEXT PRIMARY KEY) WITHOUT ROWID`);
    // A batch in one statement: one by one they take four times as long.
    this.#statements = new Map(
      which.map((index) => [
        index,
        {
          insert: this.#database.prepare(`INSERT OR IGNORE INTO ${index} SELECT value FROM json_each(?)`),
          remove: this.#database.prepare(`DELETE FROM ${index} WHERE id IN (SELECT value FROM json_each(?))`),
        },
      ]),
    );
    this.#counts = Object.fromEntries(which.map((index) => [index, 0]));
  }

  add(documents: readonly IndexDocument[]): void {
    for (const [index, { insert, remove }] of this.#statements) {
      const { put, removed } = changesOf(documents, index);
      if (put.length > 0) this.#counts[index]! += Number(insert.run(JSON.stringify(put.map(({ id }) => id))).changes);
      if (removed.length > 0) this.#counts[index]! -= Number(remove.run(JSON.stringify(removed)).changes);
    }
  }

  counts(): Sent {
    return { ...this.#counts };
  }

  close(): void {
    this.#database.close();
  }
}
