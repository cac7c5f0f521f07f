import type { ClientSession, Collection as DriverCollection, Db } from "mongodb";
import { isDuplicateKey } from "../../mongo/errors.ts";
import { duplicateValues, toStoreError, toWriteError } from "./errors.ts";
import { toFilter, toSort, toUpdate } from "./translate.ts";
import type { Shape } from "../model/shape.ts";
import { isUpsert, type StoredDocument, type Write, type WriteResult } from "../model/write.ts";

/** Two processes upsert one document at once, or an expired one is in the way: the next attempt succeeds. */
const ATTEMPTS = 4;

/** Runs one write, making room if an expired document is in the way. @throws the port's errors */
export async function runWrite(database: Db, shape: Shape, write: Write): Promise<WriteResult> {
  for (let attempt = 1; ; attempt++) {
    const session = database.client.startSession({ causalConsistency: false });
    try {
      return await attemptWrite(database, shape, write, session);
    } catch (error) {
      const mayPass =
        attempt < ATTEMPTS && isDuplicateKey(error) && ((await freeExpired(database, shape, error)) || isUpsert(write));
      if (!mayPass) throw toWriteError(error, shape.name, session);
    } finally {
      await session.endSession();
    }
  }
}

/** Runs one write once. @throws the driver's errors */
export async function attemptWrite(
  database: Db,
  shape: Shape,
  write: Write,
  session?: ClientSession,
): Promise<WriteResult> {
  const collection = driverCollection(database, shape);
  switch (write.kind) {
    case "insert":
      await collection.insertOne(write.document, { session });
      return { matched: 0, modified: 0, inserted: true };
    case "update": {
      const filter = toFilter(shape, write.filter);
      const update = toUpdate(write);
      const { upsert } = write;
      if (write.answerDocument) {
        const document = await collection.findOneAndUpdate(filter, update, {
          session,
          upsert,
          sort: toSort(write.sort),
          returnDocument: "after",
        });
        return { matched: document ? 1 : 0, modified: 0, document: document ?? undefined };
      }
      const result = write.many
        ? await collection.updateMany(filter, update, { session })
        : await collection.updateOne(filter, update, { session, upsert });
      return {
        matched: result.matchedCount,
        modified: result.modifiedCount,
        upsertedId: result.upsertedId ?? undefined,
      };
    }
    case "replace": {
      const result = await collection.replaceOne(toFilter(shape, write.filter), write.document, {
        session,
        upsert: write.upsert,
      });
      return {
        matched: result.matchedCount,
        modified: result.modifiedCount,
        upsertedId: result.upsertedId ?? undefined,
      };
    }
    case "delete": {
      const filter = toFilter(shape, write.filter);
      const { deletedCount } = write.many
        ? await collection.deleteMany(filter, { session })
        : await collection.deleteOne(filter, { session });
      return { matched: deletedCount, modified: 0, deleted: deletedCount };
    }
  }
}

/**
 * Deletes the document that a duplicate key error is about, if it has expired. Returns whether one was. @throws the
 * port's errors
 */
export async function freeExpired(database: Db, shape: Shape, error: unknown): Promise<boolean> {
  const values = duplicateValues(error);
  if (shape.expires === undefined || !values) return false;
  const expired = { ...values, [shape.expires]: { $lte: new Date() } };
  try {
    return (await driverCollection(database, shape).deleteMany(expired)).deletedCount > 0;
  } catch (failure) {
    throw toStoreError(failure, shape.name);
  }
}

export function driverCollection(database: Db, shape: Shape): DriverCollection<StoredDocument> {
  return database.collection<StoredDocument>(shape.name);
}
