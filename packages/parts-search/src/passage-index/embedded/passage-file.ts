import { rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { takeInSlices, isDamaged } from "@partline/toolkit";
import { openForReading, openForWriting, StatementCache } from "@partline/durable";
import type { Passage } from "../port.ts";
import { listTerms } from "../terms.ts";

/** Raised when the tables change: a file of another version is replaced by an empty one. */
const VERSION = 3;
const BUSY_TIMEOUT_MS = 5_000;
const CACHE_KIB = 8_000;

const SCHEMA = `
  CREATE TABLE manuals (manual TEXT PRIMARY KEY, passages INTEGER NOT NULL, model TEXT, dimensions INTEGER, ids BLOB, vectors BLOB);
  CREATE TABLE passages (id INTEGER PRIMARY KEY, manual TEXT NOT NULL, page INTEGER NOT NULL, text TEXT NOT NULL, equipment TEXT NOT NULL);
  CREATE INDEX passages_by_manual ON passages (manual);
  CREATE VIRTUAL TABLE terms USING fts5 (words, about, models, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 0');
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab (terms, 'row');
  PRAGMA user_version = ${VERSION};
`;

export type StoredPassage = Omit<Passage, "vector">;

export interface ManualVectors {
  model: string;
  dimensions: number;
  /** The passages that have a vector, by their place in the manual; ascending. */
  places: number[];
  /** Vectors of length 1, one after another. */
  values: Float32Array;
}

/** Passages on disk. Searches read over a connection of their own, and see what is committed. */
export class PassageFile {
  readonly #reader: DatabaseSync;
  readonly #writer: DatabaseSync;
  readonly #reads: StatementCache;
  readonly #writes: StatementCache;

  constructor(path: string) {
    this.#writer = openUsable(path);
    this.#reader = openForReading(path, { cacheKiB: CACHE_KIB });
    this.#writes = new StatementCache(this.#writer);
    this.#reads = new StatementCache(this.#reader);
  }

  /** Rows are arrays. */
  queryRows<Row>(sql: string, ...values: (string | number)[]): Row[] {
    return this.#reads.get(sql).all(...values) as Row[];
  }

  /** Replaces a manual, or removes it without passages, in one transaction. Searches are answered meanwhile. */
  async replace(manual: string, passages?: readonly StoredPassage[], vectors?: ManualVectors): Promise<void> {
    this.#writer.exec("BEGIN IMMEDIATE");
    try {
      const storedIds = this.#writes.get("SELECT id FROM passages WHERE manual = ?").all(manual) as unknown as [
        number,
      ][];
      await takeInSlices(storedIds, ([id]) => {
        this.#writes.get("DELETE FROM terms WHERE rowid = ?").run(id);
        this.#writes.get("DELETE FROM passages WHERE id = ?").run(id);
      });
      const ids: number[] = [];
      await takeInSlices(passages ?? [], (passage) => ids.push(this.#add(manual, passage)));
      if (passages) this.#describe(manual, ids, vectors);
      else this.#writes.get("DELETE FROM manuals WHERE manual = ?").run(manual);
      this.#writer.exec("COMMIT");
    } catch (error) {
      if (this.#writer.isTransaction) this.#writer.exec("ROLLBACK");
      throw error;
    }
  }

  #add(manual: string, passage: StoredPassage): number {
    const { words, about, models } = listTerms(passage);
    const { lastInsertRowid } = this.#writes
      .get("INSERT INTO passages (manual, page, text, equipment) VALUES (?, ?, ?, ?)")
      .run(manual, passage.page, passage.text, JSON.stringify(passage.equipment));
    this.#writes
      .get("INSERT INTO terms (rowid, words, about, models) VALUES (?, ?, ?, ?)")
      .run(lastInsertRowid, words, about, models.join(" "));
    return Number(lastInsertRowid);
  }

  #describe(manual: string, passageIds: readonly number[], vectors?: ManualVectors): void {
    const ids = Uint32Array.from(vectors?.places ?? [], (place) => passageIds[place]!);
    this.#writes
      .get("REPLACE INTO manuals (manual, passages, model, dimensions, ids, vectors) VALUES (?, ?, ?, ?, ?, ?)")
      .run(
        manual,
        passageIds.length,
        vectors?.model ?? null,
        vectors?.dimensions ?? null,
        ids,
        vectors?.values ?? null,
      );
  }

  close(): void {
    this.#reader.close();
    this.#writer.close();
  }
}

/** Replaces a damaged file, or one of another version: its contents are derived. */
function openUsable(path: string): DatabaseSync {
  const open = (): DatabaseSync => openForWriting(path, { busyTimeoutMs: BUSY_TIMEOUT_MS, cacheKiB: CACHE_KIB });
  try {
    const database = open();
    if (database.prepare("PRAGMA user_version").get()?.["user_version"] === VERSION) return database;
    database.close();
  } catch (error) {
    if (!isDamaged(error)) throw error;
  }
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  const database = open();
  database.exec(`BEGIN; ${SCHEMA} COMMIT`);
  return database;
}
