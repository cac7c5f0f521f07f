import { DatabaseSync, type StatementSync } from "node:sqlite";

/** KiB of pages in memory; the rest is on disk. */
const CACHE_KIB = 4_096;

/**
 * Which line of a file was the first to have a number. Kept in a temporary database, on disk beyond a few megabytes and
 * gone with its last use: a file of millions of rows takes no more memory than a small one.
 */
export class FirstLines {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #select: StatementSync;

  constructor() {
    // SQLite's name for a database that is deleted when it is closed.
    this.#database = new DatabaseSync("");
    this.#database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KIB};
      CREATE TABLE first_line (number TEXT PRIMARY KEY, line INTEGER NOT NULL) WITHOUT ROWID; BEGIN`);
    this.#insert = this.#database.prepare("INSERT OR IGNORE INTO first_line VALUES (?, ?)");
    this.#select = this.#database.prepare("SELECT line FROM first_line WHERE number = ?");
  }

  /** The line that had the number before; undefined when this is the first. */
  note(number: string, line: number): number | undefined {
    if (this.#insert.run(number, line).changes > 0) return undefined;
    return this.#select.get(number)!.line as number;
  }

  close(): void {
    this.#database.close();
  }
}
