import { MongoClientBulkWriteError } from "mongodb";
import type { ClientBulkWriteResult, Db, MongoClient } from "mongodb";
import { DocumentStoreError } from "../port.ts";
import type { BulkItemResult } from "../port.ts";
import type { Shape } from "../model/shape.ts";
import type { StoredDocument, Write } from "../model/write.ts";
import { runWrite, toBulkModel } from "./commands.ts";
import { toStoreError } from "./errors.ts";

/** The server's bulkWrite command, which answers for each item, came with MongoDB 8.0. Source: MongoDB wire versions */
const BULK_WRITE_WIRE_VERSION = 25;

/**
 * Runs writes in order; one that fails leaves the others as they are. The server stops at a failure: that item is run on
 * its own, which makes room where something expired is in the way, and the rest goes on behind it.
 * @throws UNAVAILABLE when the server is lost midway
 */
export async function runBulk(client: MongoClient, database: Db, shape: Shape, writes: readonly Write[]): Promise<BulkItemResult[]> {
  const results: BulkItemResult[] = [];
  const together = await supportsBulkWrite(database);
  while (results.length < writes.length) {
    if (together) results.push(...(await runUntilFailure(client, database, shape, writes.slice(results.length))));
    const next = writes[results.length];
    if (next) results.push(await runItem(database, shape, next));
  }
  return results;
}

async function runUntilFailure(client: MongoClient, database: Db, shape: Shape, writes: readonly Write[]): Promise<BulkItemResult[]> {
  const models = writes.map((write) => toBulkModel(database, shape, write));
  try {
    return itemResults(await client.bulkWrite<Record<string, StoredDocument>>(models, { ordered: true, verboseResults: true }), models.length);
  } catch (error) {
    const failedAt = error instanceof MongoClientBulkWriteError ? [...error.writeErrors.keys()][0] : undefined;
    if (failedAt === undefined) throw toStoreError(error, shape.name);
    return itemResults((error as MongoClientBulkWriteError).partialResult, failedAt);
  }
}

function itemResults(result: ClientBulkWriteResult | undefined, count: number): BulkItemResult[] {
  return Array.from({ length: count }, (_, index): BulkItemResult => {
    const update = result?.updateResults?.get(index);
    if (update?.didUpsert) return { ok: true, matched: 0, modified: 0, upsertedId: String(update.upsertedId) };
    if (update) return { ok: true, matched: update.matchedCount, modified: update.modifiedCount };
    const deletion = result?.deleteResults?.get(index);
    if (deletion) return { ok: true, matched: deletion.deletedCount, modified: 0, deleted: deletion.deletedCount };
    return { ok: true, matched: 0, modified: 0, inserted: true };
  });
}

async function runItem(database: Db, shape: Shape, write: Write): Promise<BulkItemResult> {
  try {
    const { matched, modified, upsertedId, inserted, deleted } = await runWrite(database, shape, write);
    return { ok: true, matched, modified, upsertedId, inserted, deleted };
  } catch (error) {
    if (error instanceof DocumentStoreError && error.code !== "UNAVAILABLE") return { ok: false, error };
    throw error;
  }
}

async function supportsBulkWrite(database: Db): Promise<boolean> {
  const { maxWireVersion } = (await database.command({ hello: 1 })) as { maxWireVersion?: number };
  return (maxWireVersion ?? 0) >= BULK_WRITE_WIRE_VERSION;
}
