import { DatabaseSync, type StatementSync } from "node:sqlite";

/** KiB; the rest is on disk. */
const CACHE_KIB = 4_096;

/**
 * First line of each number, in a temporary database on disk, so that files of millions of rows take no more memory
 * than small ones.
 */
export class FirstLines {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #select: StatementSync;

  constructor() {
    // SQLite deletes a database without a name when it is closed.
    this.#database = new DatabaseSync("");
    this.#database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KIB};
      CREATE TABLE first_line (number TEXT PRIMARY KEY, line INTEGER NOT NULL) WITHOUT ROWID; BEGIN`);
    this.#insert = this.#database.prepare("INSERT OR IGNORE INTO first_line VALUES (?, ?)");
    this.#select = this.#database.prepare("SELECT line FROM first_line WHERE number = ?");
  }

  /** Returns the line that had the number before; undefined for the first. */
  note(number: string, line: number): number | undefined {
    if (this.#insert.run(number, line).changes > 0) return undefined;
    return this.#select.get(number)!.line as number;
  }

  close(): void {
    this.#database.close();
  }
}
