import { setTimeout as delay } from "node:timers/promises";
import type { Db, IndexDescription } from "mongodb";

const NAMESPACE_EXISTS = 48;
/** NamespaceExists, WriteConflict, ConflictingOperationInProgress, index build already in progress. */
const BUSY_CODES = new Set([NAMESPACE_EXISTS, 112, 117, 12586, 12587]);
const ATTEMPTS = 5;

/** Makes a collection and its indexes; many processes may do so at once, and again. @throws the driver's errors */
export async function makeCollection(
  database: Db,
  name: string,
  indexes: readonly IndexDescription[] = [],
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      if (indexes.length > 0) await database.collection(name).createIndexes([...indexes]);
      else await database.createCollection(name);
      return;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === NAMESPACE_EXISTS && indexes.length === 0) return;
      if (typeof code !== "number" || !BUSY_CODES.has(code) || attempt === ATTEMPTS) throw error;
    }
    await delay(50 * attempt);
  }
}
