import { DatabaseSync } from "node:sqlite";

/** Raised when the meaning of the file changes: an index of another version is rebuilt. */
const SCHEMA_VERSION = 15;

/** `hit` and `rest` are a `StoredDocument`. `terms`, `weights` and `numbers`, the part's own first, fill the memory. */
const SCHEMA = `
  CREATE TABLE part (
    row INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, hit TEXT NOT NULL, rest TEXT NOT NULL,
    numbers TEXT NOT NULL, terms TEXT NOT NULL, weights BLOB NOT NULL
  );
  CREATE TABLE progress (source TEXT PRIMARY KEY, revision INTEGER NOT NULL) WITHOUT ROWID;
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** Why this version cannot use a sound file: another version wrote it, or it has a row that no version writes. */
export const UNUSABLE = ["OTHER_VERSION", "UNREADABLE"] as const;

export class UnusableIndexError extends Error {
  override readonly name = "UnusableIndexError";
  readonly code: (typeof UNUSABLE)[number];

  constructor(code: (typeof UNUSABLE)[number], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Opens an index file, created if missing. A build is not on disk until it is published, and nobody reads it: it needs
 * no log, which is each page once more.
 * @throws UnusableIndexError when it is of another version, SQLite's error when it is damaged
 */
export function connect(path: string, { isBuild }: { isBuild: boolean }): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    // What a power cut loses is read again from its source, as the progress is lost with it.
    database.exec(
      `PRAGMA journal_mode = ${isBuild ? "MEMORY" : "WAL"}; PRAGMA synchronous = ${isBuild ? "OFF" : "NORMAL"}; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY`,
    );
    const { user_version: version } = database.prepare("PRAGMA user_version").get() as { user_version: number };
    if (version === 0) database.exec(SCHEMA);
    else if (version !== SCHEMA_VERSION)
      throw new UnusableIndexError("OTHER_VERSION", `The index is of version ${version}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

export type WriteStatements = ReturnType<typeof prepareWrites>;

export function prepareReads(database: DatabaseSync) {
  return {
    /**
     * Statement for the hits of a JSON list of rows, a line each, in the same order; twenty single look-ups take twice
     * as long.
     */
    hits: database.prepare(
      "SELECT group_concat(coalesce(hit, ''), char(10)) AS lines FROM json_each(?) AS asked LEFT JOIN part ON part.row = asked.value",
    ),
    documentOf: database.prepare("SELECT hit, rest FROM part WHERE id = ?"),
  };
}

export function prepareWrites(database: DatabaseSync) {
  return {
    everything: database.prepare("SELECT row, hit, rest, numbers, terms, weights FROM part ORDER BY row"),
    progress: database.prepare("SELECT source, revision FROM progress"),
    /** Statement for a JSON list of ids. */
    known: database.prepare(
      "SELECT id, row, numbers, terms, weights FROM part WHERE id IN (SELECT value FROM json_each(?))",
    ),
    insert: database.prepare("INSERT INTO part (id, hit, rest, numbers, terms, weights) VALUES (?, ?, ?, ?, ?, ?)"),
    update: database.prepare("UPDATE part SET hit = ?, rest = ? WHERE row = ?"),
    remove: database.prepare("DELETE FROM part WHERE row = ?"),
    rowsOf: database.prepare("SELECT row FROM part WHERE id IN (SELECT value FROM json_each(?))"),
    setProgress: database.prepare(
      "INSERT INTO progress (source, revision) VALUES (?, ?) ON CONFLICT (source) DO UPDATE SET revision = excluded.revision",
    ),
  };
}
