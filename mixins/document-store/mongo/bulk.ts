import { MongoClientBulkWriteError, type Db, type MongoClient } from "mongodb";
import { DocumentStoreError, hasStoreCode, isStoreAway, type BulkItemResult } from "../port.ts";
import type { Shape } from "../model/shape.ts";
import type { Write, WriteResult } from "../model/write.ts";
import { supportsBulkWrite, toWriteResults, writeTogether } from "./together.ts";
import { runWrite } from "./commands.ts";
import { outcomeUnknown, toWriteError } from "./errors.ts";

/**
 * Runs writes in order; a failure leaves the others as they are. The server stops at a failure: that item runs again on
 * its own, which makes room if something expired is in the way, then the rest goes on.
 * @throws UNAVAILABLE when nothing was written; OUTCOME_UNKNOWN when the server is lost midway
 */
export async function runBulk(
  client: MongoClient,
  database: Db,
  shape: Shape,
  writes: readonly Write[],
): Promise<BulkItemResult[]> {
  const results: BulkItemResult[] = [];
  const together = await supportsBulkWrite(client);
  while (results.length < writes.length) {
    try {
      if (together) results.push(...(await runUntilFailure(client, database, shape, writes.slice(results.length))));
      const next = writes[results.length];
      if (next) results.push(await runItem(database, shape, next));
    } catch (error) {
      throw results.length > 0 && hasStoreCode(error, "UNAVAILABLE") ? outcomeUnknown(error) : error;
    }
  }
  return results;
}

async function runUntilFailure(
  client: MongoClient,
  database: Db,
  shape: Shape,
  writes: readonly Write[],
): Promise<BulkItemResult[]> {
  const session = client.startSession({ causalConsistency: false });
  try {
    return itemResults(
      await writeTogether(
        client,
        database,
        writes.map((write) => ({ shape, write })),
        session,
      ),
    );
  } catch (error) {
    const failedAt = error instanceof MongoClientBulkWriteError ? [...error.writeErrors.keys()][0] : undefined;
    if (failedAt === undefined) throw toWriteError(error, shape.name, session);
    return itemResults(toWriteResults((error as MongoClientBulkWriteError).partialResult, failedAt));
  } finally {
    await session.endSession();
  }
}

function itemResults(results: WriteResult[]): BulkItemResult[] {
  return results.map(({ matched, modified, upsertedId, inserted, deleted }) => ({
    ok: true,
    matched,
    modified,
    upsertedId,
    inserted,
    deleted,
  }));
}

async function runItem(database: Db, shape: Shape, write: Write): Promise<BulkItemResult> {
  try {
    return itemResults([await runWrite(database, shape, write)])[0]!;
  } catch (error) {
    if (error instanceof DocumentStoreError && !isStoreAway(error)) return { ok: false, error };
    throw error;
  }
}
