import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { readdirSync } from "node:fs";
import { getAt } from "@partline/toolkit";

/** Longest wait for a running write, milliseconds. */
const PATIENCE_MS = 10_000;
/** Pages of 4 KiB copied before others have their turn. */
const PAGES_AT_ONCE = 2_000;

/**
 * Opens all SQLite files of a folder at one moment, at which nobody can write to any of them: a consumer's note in one
 * file and its event in another belong together.
 */
export function takeSnapshots(folder: string) {
  const names = readdirSync(folder)
    .filter((name) => /\.(sqlite|db)$/.test(name))
    .sort();
  const open = names.map((name) => new DatabaseSync(join(folder, name), { timeout: PATIENCE_MS }));
  try {
    for (const database of open) database.exec("BEGIN IMMEDIATE");
    const readers = names.map((name) => new DatabaseSync(join(folder, name), { timeout: PATIENCE_MS }));
    for (const reader of readers) {
      reader.exec("BEGIN");
      // A transaction sees the file as of its first read.
      reader.prepare("SELECT count(*) FROM sqlite_schema").get();
    }
    return {
      names,
      /** Writes the file as of the snapshot. @throws an Error if the copy is damaged */
      copy: async (name: string, path: string): Promise<void> => {
        await backup(getAt(readers, names.indexOf(name)), path, { rate: PAGES_AT_ONCE });
        assertSound(path);
      },
      close: (): void => {
        for (const reader of readers) reader.close();
      },
    };
  } finally {
    for (const database of open) database.close();
  }
}

/** Removes what a table has, if it is there. */
export function emptyTable(path: string, table: string): void {
  const database = new DatabaseSync(path);
  try {
    if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(table))
      database.exec(`DELETE FROM "${table}"`);
  } finally {
    database.close();
  }
}

function assertSound(path: string): void {
  const database = new DatabaseSync(path);
  try {
    // One file instead of three, until it is opened for writing.
    database.exec("PRAGMA journal_mode = DELETE");
    const checkResult = database.prepare("PRAGMA quick_check(1)").get()?.["quick_check"];
    if (checkResult !== "ok") throw new Error(`The copy ${path} is damaged: ${String(checkResult)}`);
  } finally {
    database.close();
  }
}
