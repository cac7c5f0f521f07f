import { DatabaseSync } from "node:sqlite";

/** Raised when the meaning of the file changes: an index of another version is rebuilt. */
const SCHEMA_VERSION = 8;

/** `terms` and `weights` fill the words in memory; `pn_reversed` makes the end of a number a beginning. */
const SCHEMA = `
  CREATE TABLE part (
    row INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, pn_norm TEXT NOT NULL, pn_reversed TEXT NOT NULL,
    terms TEXT NOT NULL, weights BLOB NOT NULL, document TEXT NOT NULL
  );
  CREATE INDEX part_by_number ON part (pn_norm);
  CREATE INDEX part_by_number_reversed ON part (pn_reversed);
  CREATE TABLE variant (norm TEXT NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (norm, row)) WITHOUT ROWID;
  CREATE INDEX variant_by_row ON variant (row);
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
 * Opens an index file, created if missing. A build is not on disk until it is published.
 * @throws UnusableIndexError when it is of another version, SQLite's error when it is damaged
 */
export function connect(path: string, { isBuild }: { isBuild: boolean }): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    // What a power cut loses is read again from its source, as the progress is lost with it.
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = ${isBuild ? "OFF" : "NORMAL"}; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY`,
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

export type ReadStatements = ReturnType<typeof prepareReads>;
export type WriteStatements = ReturnType<typeof prepareWrites>;

/** Rows come as one JSON list: one by one, a thousand of them take ten times as long. */
export function prepareReads(database: DatabaseSync) {
  return {
    document: database.prepare("SELECT document FROM part WHERE id = ?"),
    everything: database.prepare("SELECT row, document, terms, weights FROM part ORDER BY row"),
    byNumber: database.prepare("SELECT json_group_array(row) AS rows FROM part WHERE pn_norm = ?"),
    byVariant: database.prepare("SELECT json_group_array(row) AS rows FROM variant WHERE norm = ?"),
    byPrefix: database.prepare("SELECT json_group_array(row) AS rows FROM part WHERE pn_norm >= ? AND pn_norm < ?"),
    firstByPrefix: database.prepare(
      "SELECT json_group_array(row) AS rows FROM (SELECT row FROM part WHERE pn_norm >= ? AND pn_norm < ? ORDER BY pn_norm LIMIT ?)",
    ),
    bySuffix: database.prepare(
      "SELECT json_group_array(row) AS rows FROM part WHERE pn_reversed >= ? AND pn_reversed < ?",
    ),
    progress: database.prepare("SELECT source, revision FROM progress"),
  };
}

export function prepareWrites(database: DatabaseSync) {
  return {
    known: database.prepare("SELECT row, terms, weights FROM part WHERE id = ?"),
    insert: database.prepare(
      "INSERT INTO part (id, pn_norm, pn_reversed, terms, weights, document) VALUES (?, ?, ?, ?, ?, ?)",
    ),
    update: database.prepare("UPDATE part SET pn_norm = ?, pn_reversed = ?, document = ? WHERE row = ?"),
    remove: database.prepare("DELETE FROM part WHERE row = ?"),
    rowsOf: database.prepare("SELECT row FROM part WHERE id IN (SELECT value FROM json_each(?))"),
    insertVariant: database.prepare("INSERT INTO variant (norm, row) VALUES (?, ?)"),
    removeVariants: database.prepare("DELETE FROM variant WHERE row = ?"),
    setProgress: database.prepare(
      "INSERT INTO progress (source, revision) VALUES (?, ?) ON CONFLICT (source) DO UPDATE SET revision = excluded.revision",
    ),
  };
}
