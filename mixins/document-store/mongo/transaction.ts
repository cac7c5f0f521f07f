import { MongoClientBulkWriteError, type ClientSession, type Db, type MongoClient } from "mongodb";
import { isDuplicateKey, isTransient } from "../../mongo/errors.ts";
import { attemptTransaction, pauseBetween, RETRY_MS } from "../../mongo/transaction.ts";
import { DocumentStoreError } from "../port.ts";
import type { AtomicItem } from "../model/checked.ts";
import { assertEffect, isUpsert, type WriteResult } from "../model/write.ts";
import { attemptWrite, freeExpired } from "./commands.ts";
import { supportsBulkWrite, writeTogether } from "./together.ts";
import { toStoreError } from "./errors.ts";

const DUPLICATE_ATTEMPTS = 4;

/** An error and the index of the write that raised it. */
class FailedWrite extends Error {
  readonly index: number;

  constructor(index: number, cause: unknown) {
    super("A write of the batch failed", { cause });
    this.index = index;
  }
}

/**
 * All of the writes or none, in one transaction, which is repeated after a conflict.
 * @throws DUPLICATE_KEY, CONDITION_FAILED, BAD_DOCUMENT with `failedAt`; UNAVAILABLE (nothing is written);
 * OUTCOME_UNKNOWN when nobody answered the commit
 */
export async function runTransaction(
  client: MongoClient,
  database: Db,
  items: readonly AtomicItem[],
): Promise<WriteResult[]> {
  const deadline = Date.now() + RETRY_MS;
  let duplicates = 0;
  // One command for all; after a failure the next attempt sends them one by one, to learn which one failed and why.
  let together = items.length > 1 && (await supportsBulkWrite(client));
  for (let attempt = 1; ; attempt++) {
    const session = client.startSession();
    try {
      return await attemptTransaction(session, async () =>
        together ? writeAll(client, session, database, items) : writeEach(session, database, items),
      );
    } catch (error) {
      if (error instanceof MongoClientBulkWriteError && !isTransient(error)) {
        together = false;
        continue;
      }
      const [cause, index] = error instanceof FailedWrite ? [error.cause, error.index] : [error, undefined];
      const item = index === undefined ? undefined : items[index];
      let again = isTransient(cause) && Date.now() < deadline;
      if (item && isDuplicateKey(cause) && ++duplicates < DUPLICATE_ATTEMPTS) {
        again = (await freeExpired(database, item.shape, cause)) || isUpsert(item.write);
      }
      if (!again) throw withIndex(toStoreError(cause, item?.shape.name), index);
    } finally {
      await session.endSession();
    }
    await pauseBetween(attempt);
  }
}

async function writeAll(
  client: MongoClient,
  session: ClientSession,
  database: Db,
  items: readonly AtomicItem[],
): Promise<WriteResult[]> {
  const results = await writeTogether(client, database, items, session);
  for (const [index, item] of items.entries()) await asPart(index, () => assertEffect(item, results[index]!));
  return results;
}

async function writeEach(session: ClientSession, database: Db, items: readonly AtomicItem[]): Promise<WriteResult[]> {
  const results: WriteResult[] = [];
  for (const [index, item] of items.entries()) {
    await asPart(index, async () => {
      const result = await attemptWrite(database, item.shape, item.write, session);
      assertEffect(item, result);
      results.push(result);
    });
  }
  return results;
}

async function asPart(index: number, work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new FailedWrite(index, error);
  }
}

function withIndex(error: unknown, index: number | undefined): unknown {
  if (error instanceof DocumentStoreError && index !== undefined) error.failedAt = index;
  return error;
}
