import { DatabaseSync } from "node:sqlite";
import { OpenedFile } from "./opened-file.ts";
import { isBusy } from "./sqlite-error.ts";

export interface FileLock {
  /** File, not watched yet. Without it, nothing keeps a second process out. */
  file: OpenedFile;
  release(): void;
}

/**
 * Keeps a second process out of an embedded store, by an exclusive transaction that never ends. The operating system
 * drops the lock with the process, also on kill -9.
 * @returns undefined when another process, or another store of this one, holds it
 * @throws SQLite's error when the file cannot be made or opened
 */
export function lockFile(path: string): FileLock | undefined {
  const database = new DatabaseSync(path);
  try {
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  const file = new OpenedFile(path);
  const release = (): void => {
    file.close();
    database.close();
  };
  return { file, release };
}
