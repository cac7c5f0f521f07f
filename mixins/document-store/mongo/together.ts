import type { ClientBulkWriteModel, ClientBulkWriteResult, ClientSession, Db, MongoClient } from "mongodb";
import type { Shape } from "../model/shape.ts";
import { isUpsert, type StoredDocument, type Write, type WriteResult } from "../model/write.ts";
import { toStoreError } from "./errors.ts";
import { toFilter, toUpdate } from "./translate.ts";

/** The server's bulkWrite command, which answers for each item, came with MongoDB 8.0. Source: MongoDB wire versions */
const BULK_WRITE_WIRE_VERSION = 25;

const supported = new WeakMap<MongoClient, Promise<boolean>>();

/** Whether the server takes writes to several collections in one command. @throws UNAVAILABLE */
export function supportsBulkWrite(client: MongoClient): Promise<boolean> {
  let answer = supported.get(client);
  if (!answer) {
    answer = client
      .db("admin")
      .command({ hello: 1 })
      .then(
        ({ maxWireVersion }) => Number(maxWireVersion ?? 0) >= BULK_WRITE_WIRE_VERSION,
        (error: unknown) => {
          throw toStoreError(error);
        },
      );
    supported.set(client, answer);
    answer.catch(() => supported.delete(client));
  }
  return answer;
}

/**
 * Sends writes in one command, in order; the server stops at the first that fails.
 * @throws the driver's errors; MongoClientBulkWriteError tells which write failed
 */
export async function writeTogether(
  client: MongoClient,
  database: Db,
  items: readonly { shape: Shape; write: Write }[],
  session?: ClientSession,
): Promise<WriteResult[]> {
  const models = items.map(({ shape, write }) => toModel(database, shape, write));
  const result = await client.bulkWrite<Record<string, StoredDocument>>(models, {
    ordered: true,
    verboseResults: true,
    session,
  });
  return toWriteResults(result, items.length);
}

/** What came of the first `count` writes. */
export function toWriteResults(result: ClientBulkWriteResult | undefined, count: number): WriteResult[] {
  return Array.from({ length: count }, (_, index): WriteResult => {
    const update = result?.updateResults?.get(index);
    if (update?.didUpsert) return { matched: 0, modified: 0, upsertedId: String(update.upsertedId) };
    if (update) return { matched: update.matchedCount, modified: update.modifiedCount };
    const deletion = result?.deleteResults?.get(index);
    if (deletion) return { matched: deletion.deletedCount, modified: 0, deleted: deletion.deletedCount };
    return { matched: 0, modified: 0, inserted: true };
  });
}

function toModel(database: Db, shape: Shape, write: Write): ClientBulkWriteModel<Record<string, StoredDocument>> {
  const namespace = `${database.databaseName}.${shape.name}`;
  switch (write.kind) {
    case "insert":
      return { name: "insertOne", namespace, document: write.document };
    case "update":
      return {
        name: "updateOne",
        namespace,
        filter: toFilter(shape, write.filter),
        update: toUpdate(write),
        upsert: isUpsert(write),
      };
    case "replace":
      return {
        name: "replaceOne",
        namespace,
        filter: toFilter(shape, write.filter),
        replacement: write.document,
        upsert: isUpsert(write),
      };
    case "delete":
      return { name: "deleteOne", namespace, filter: toFilter(shape, write.filter) };
  }
}
