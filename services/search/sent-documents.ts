import { DatabaseSync } from "node:sqlite";
import { toChanges, type IndexDocument, type LogicalIndex } from "@partline/parts-search";

/** Documents that each index of a build should hold. */
export type SentCounts = Partial<Record<LogicalIndex, number>>;

/** KiB in memory; the rest is on disk. */
const CACHE_KIB = 8_192;

/**
 * Counts the documents sent to a build, each once, though one that changes is sent again. Ids are in a temporary
 * database: in memory, those of a large catalog would stay as long as the build.
 */
export function countSent(which: readonly LogicalIndex[]) {
  // SQLite's name for a database that is deleted when it is closed.
  const database = new DatabaseSync("");
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KIB}; BEGIN`);
  const indexes = which.map((index) => {
    database.exec(`CREATE TABLE ${index} (id TEXT PRIMARY KEY) WITHOUT ROWID`);
    return {
      index,
      // A batch in one statement: one by one they take four times as long.
      insert: database.prepare(`INSERT OR IGNORE INTO ${index} SELECT value FROM json_each(?)`),
      remove: database.prepare(`DELETE FROM ${index} WHERE id IN (SELECT value FROM json_each(?))`),
    };
  });
  const counts: SentCounts = Object.fromEntries(which.map((index) => [index, 0]));
  return {
    add(documents: readonly IndexDocument[]): void {
      for (const { index, insert, remove } of indexes) {
        const { put, removed } = toChanges(documents, index);
        if (put.length > 0) counts[index]! += Number(insert.run(JSON.stringify(put.map(({ id }) => id))).changes);
        if (removed.length > 0) counts[index]! -= Number(remove.run(JSON.stringify(removed)).changes);
      }
    },
    getCounts: (): SentCounts => ({ ...counts }),
    close: () => database.close(),
  };
}
