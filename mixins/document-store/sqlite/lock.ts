import { DatabaseSync } from "node:sqlite";
import { isBusy, unavailable } from "./errors.ts";

/**
 * Keeps a second process out: an exclusive transaction, never ended, on a file of its own. The operating system drops
 * the lock with the process, also on kill -9.
 * @throws UNAVAILABLE when another process, or another store of this one, holds it
 */
export function lockFile(path: string): { release(): void } {
  const database = new DatabaseSync(path);
  try {
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw unavailable("another process has its files open, and an embedded store serves one process only; set MONGO_URL to run several", error);
  }
  return { release: () => database.close() };
}
