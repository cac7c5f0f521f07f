import { rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { openForWriting } from "../../sqlite/connection.ts";
import { StatementCache } from "../../sqlite/statements.ts";
import { termsOfPassage } from "../terms.ts";
import type { ManualVectors, StoredPassage } from "./protocol.ts";

/** Raised when what is in the file changes its meaning: a file of another version is begun anew, empty. */
const VERSION = 1;
const BUSY_TIMEOUT_MS = 5_000;
const CACHE_KIB = 8_000;

const SCHEMA = `
  CREATE TABLE manuals (manual TEXT PRIMARY KEY, live INTEGER NOT NULL UNIQUE) WITHOUT ROWID;
  CREATE TABLE passages (id INTEGER PRIMARY KEY, set_id INTEGER NOT NULL, place INTEGER NOT NULL, page INTEGER NOT NULL, text TEXT NOT NULL, schema TEXT, equipment TEXT NOT NULL);
  CREATE INDEX passages_by_place ON passages (set_id, place);
  CREATE TABLE vectors (set_id INTEGER PRIMARY KEY, model TEXT NOT NULL, dimensions INTEGER NOT NULL, places BLOB NOT NULL, vectors BLOB NOT NULL);
  CREATE TABLE sets (id INTEGER PRIMARY KEY AUTOINCREMENT, manual TEXT NOT NULL);
  CREATE VIRTUAL TABLE terms USING fts5 (words, about, models, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 0');
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab (terms, 'row');
  PRAGMA user_version = ${VERSION};
`;

/**
 * Passages on disk. A manual has the passages of its live set; another set is written beside it and takes its place in
 * one transaction. What is in no live set is not read, and is removed a little at a time.
 */
export class PassageFile {
  readonly #database: DatabaseSync;
  readonly #statements: StatementCache;
  /** By set, whose it is: what searches may find. */
  readonly live = new Map<number, string>();
  /** The set that was begun last of each manual, until it is published. */
  readonly #begun = new Map<string, number>();

  constructor(path: string) {
    this.#database = openUsable(path);
    this.#statements = new StatementCache(this.#database);
    for (const [manual, set] of this.rows<[string, number]>("SELECT manual, live FROM manuals"))
      this.live.set(set, manual);
  }

  /** Rows are arrays. */
  rows<Row>(sql: string, ...values: (string | number)[]): Row[] {
    return this.#statements.get(sql).all(...values) as Row[];
  }

  /** Whether a search may find the passage. */
  isLive(passage: number): boolean {
    const [row] = this.rows<[number]>("SELECT set_id FROM passages WHERE id = ?", passage);
    return row !== undefined && this.live.has(row[0]);
  }

  begin(manual: string): number {
    const set = Number(this.#statements.get("INSERT INTO sets (manual) VALUES (?)").run(manual).lastInsertRowid);
    this.#begun.set(manual, set);
    return set;
  }

  add(set: number, passages: readonly StoredPassage[]): void {
    this.#manualOf(set);
    this.#transaction(() => {
      let [[place]] = this.rows<[number]>("SELECT count(*) FROM passages WHERE set_id = ?", set) as [[number]];
      const insert = this.#statements.get(
        "INSERT INTO passages (set_id, place, page, text, schema, equipment) VALUES (?, ?, ?, ?, ?, ?)",
      );
      const index = this.#statements.get("INSERT INTO terms (rowid, words, about, models) VALUES (?, ?, ?, ?)");
      for (const passage of passages) {
        const { page, text, schema, equipment } = passage;
        const { words, about, models } = termsOfPassage(passage);
        const { lastInsertRowid } = insert.run(set, place, page, text, schema ?? null, JSON.stringify(equipment));
        index.run(lastInsertRowid, words, about, models.join(" "));
        place += 1;
      }
    });
  }

  /** @throws when another set of the manual was begun since */
  publish(set: number, vectors: ManualVectors | null): void {
    const manual = this.#manualOf(set);
    this.#transaction(() => {
      if (vectors) {
        this.#statements
          .get("INSERT INTO vectors (set_id, model, dimensions, places, vectors) VALUES (?, ?, ?, ?, ?)")
          .run(
            set,
            vectors.model,
            vectors.dimensions,
            bytesOf(Uint32Array.from(vectors.places)),
            bytesOf(vectors.values),
          );
      }
      this.#statements
        .get("INSERT INTO manuals (manual, live) VALUES (?, ?) ON CONFLICT (manual) DO UPDATE SET live = excluded.live")
        .run(manual, set);
    });
    this.#forget(manual);
    this.live.set(set, manual);
    this.#begun.delete(manual);
  }

  remove(manual: string): void {
    this.#statements.get("DELETE FROM manuals WHERE manual = ?").run(manual);
    this.#begun.delete(manual);
    this.#forget(manual);
  }

  /** Removes some of what is in no live set, nor in one that is being written. @returns whether there may be more */
  removeSome(most: number): boolean {
    const open = new Set([...this.live.keys(), ...this.#begun.values()]);
    const dead = this.rows<[number]>("SELECT id FROM sets")
      .map(([id]) => id)
      .find((id) => !open.has(id));
    if (dead === undefined) return false;
    this.#transaction(() => {
      const ids = this.rows<[number]>("SELECT id FROM passages WHERE set_id = ? LIMIT ?", dead, most);
      for (const [id] of ids) {
        this.#statements.get("DELETE FROM terms WHERE rowid = ?").run(id);
        this.#statements.get("DELETE FROM passages WHERE id = ?").run(id);
      }
      if (ids.length === most) return;
      this.#statements.get("DELETE FROM vectors WHERE set_id = ?").run(dead);
      this.#statements.get("DELETE FROM sets WHERE id = ?").run(dead);
    });
    return true;
  }

  close(): void {
    this.#database.close();
  }

  #manualOf(set: number): string {
    for (const [manual, begun] of this.#begun) if (begun === set) return manual;
    throw new Error("Other passages of the manual were begun meanwhile");
  }

  #forget(manual: string): void {
    for (const [set, owner] of this.live) if (owner === manual) this.live.delete(set);
  }

  #transaction(work: () => void): void {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      work();
      this.#database.exec("COMMIT");
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }
}

/** A file of another version, or a broken one, is derived data: it is begun anew. */
function openUsable(path: string): DatabaseSync {
  try {
    const database = openForWriting(path, { busyTimeoutMs: BUSY_TIMEOUT_MS, cacheKiB: CACHE_KIB });
    const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
    if (version === VERSION) return database;
    if (version === 0 && Number(database.prepare("SELECT count(*) AS n FROM sqlite_schema").get()?.["n"]) === 0) {
      database.exec(`BEGIN; ${SCHEMA} COMMIT`);
      return database;
    }
    database.close();
  } catch (error) {
    if (!isBroken(error)) throw error;
  }
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  const database = openForWriting(path, { busyTimeoutMs: BUSY_TIMEOUT_MS, cacheKiB: CACHE_KIB });
  database.exec(`BEGIN; ${SCHEMA} COMMIT`);
  return database;
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
function isBroken(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode;
  return code === 11 || code === 26;
}

function bytesOf(array: Float32Array | Uint32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
