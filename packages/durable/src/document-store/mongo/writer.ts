import {
  MongoClientBulkWriteError,
  type ClientBulkWriteModel,
  type ClientBulkWriteResult,
  type ClientSession,
  type Db,
  type UpdateResult,
} from "mongodb";
import { loadOnce } from "@partline/toolkit";
import { isDuplicateKey, isTransient } from "../../mongo/errors.ts";
import { attemptTransaction, pauseBetween, RETRY_MS } from "../../mongo/transaction.ts";
import type { AtomicItem } from "../model/checked.ts";
import type { Shape } from "../model/shape.ts";
import {
  assertEffect,
  isUpsert,
  toBulkItemResult,
  toItemResult,
  type StoredDocument,
  type Write,
  type WriteResult,
} from "../model/write.ts";
import { DocumentStoreError, hasStoreCode, type BulkItemResult } from "../port.ts";
import { getDuplicateValues, createOutcomeUnknown, toStoreError, toWriteError } from "./errors.ts";
import { toFilter, toUpdate } from "./translate.ts";

/** Two processes upsert one document at once, or an expired one is in the way: the next attempt succeeds. */
const ATTEMPTS = 4;

/** The server's bulkWrite command, which answers for each item, came with MongoDB 8.0. Source: MongoDB wire versions */
const BULK_WRITE_WIRE_VERSION = 25;

interface Item {
  shape: Shape;
  write: Write;
}

export class Writer {
  readonly #database: Db;
  /** Returns whether the server takes writes to several collections in one command. @throws UNAVAILABLE */
  readonly takesBulks = loadOnce(async () => {
    try {
      const { maxWireVersion } = await this.#database.client.db("admin").command({ hello: 1 });
      return Number(maxWireVersion ?? 0) >= BULK_WRITE_WIRE_VERSION;
    } catch (error) {
      throw toStoreError(error);
    }
  });

  constructor(database: Db) {
    this.#database = database;
  }

  /** One write, making room if an expired document is in the way. @throws the port's errors */
  async write(item: Item): Promise<WriteResult> {
    for (let attempt = 1; ; attempt++) {
      const session = this.#database.client.startSession({ causalConsistency: false });
      try {
        return await this.#attempt(item, session);
      } catch (error) {
        if (attempt === ATTEMPTS || !(await this.#mayPass(item, error)))
          throw toWriteError(error, item.shape.name, session);
      } finally {
        await session.endSession();
      }
    }
  }

  /**
   * Runs writes in order; a failure leaves the others as they are. The server stops at a failure: that item runs again
   * on its own, which makes room if something expired is in the way, then the rest goes on.
   * @throws UNAVAILABLE when nothing was written; OUTCOME_UNKNOWN when the server is lost midway
   */
  async writeEach(items: readonly Item[]): Promise<BulkItemResult[]> {
    const results: BulkItemResult[] = [];
    const together = await this.takesBulks();
    while (results.length < items.length) {
      try {
        const batchResults = together ? await this.#sendUntilFailure(items.slice(results.length)) : [];
        results.push(...batchResults.map(toBulkItemResult));
        const next = items[results.length];
        if (next) results.push(await toItemResult(this.write(next)));
      } catch (error) {
        throw results.length > 0 && hasStoreCode(error, "UNAVAILABLE") ? createOutcomeUnknown(error) : error;
      }
    }
    return results;
  }

  /**
   * All of the writes or none, in one transaction, which is repeated after a conflict.
   * @throws DUPLICATE_KEY, CONDITION_FAILED, BAD_DOCUMENT with `failedAt`; UNAVAILABLE (nothing is written);
   * OUTCOME_UNKNOWN when nobody answered the commit
   */
  async writeAtomically(items: readonly AtomicItem[]): Promise<void> {
    const deadline = Date.now() + RETRY_MS;
    let duplicates = 0;
    // One command for all; after a failure the next attempt sends them one by one, to learn which one failed and why.
    let together = items.length > 1 && (await this.takesBulks());
    for (let attempt = 1; ; attempt++) {
      const session = this.#database.client.startSession();
      let failedAt: number | undefined;
      try {
        await attemptTransaction(session, async () => {
          const results = together ? await this.#sendTogether(items, session) : [];
          for (const [index, item] of items.entries()) {
            failedAt = index;
            const result = (results[index] ??= await this.#attempt(item, session));
            assertEffect({ ...item, collection: item.shape.name }, result);
          }
          failedAt = undefined;
        });
        return;
      } catch (error) {
        if (error instanceof MongoClientBulkWriteError && !isTransient(error)) {
          together = false;
          continue;
        }
        const item = failedAt === undefined ? undefined : items[failedAt];
        const isDuplicate = isDuplicateKey(error) && ++duplicates < ATTEMPTS;
        const mayPass = item && isDuplicate && (await this.#mayPass(item, error));
        if (!mayPass && !(isTransient(error) && Date.now() < deadline)) {
          const storeError = toStoreError(error, item?.shape.name);
          if (storeError instanceof DocumentStoreError && item) storeError.failedAt = failedAt;
          throw storeError;
        }
      } finally {
        await session.endSession();
      }
      await pauseBetween(attempt);
    }
  }

  /** Runs one write once. @throws the driver's errors */
  async #attempt({ shape, write }: Item, session: ClientSession): Promise<WriteResult> {
    const collection = this.#database.collection<StoredDocument>(shape.name);
    if (write.kind === "insert") {
      await collection.insertOne(write.document, { session });
      return { matched: 1 };
    }
    const filter = toFilter(shape, write.filter);
    switch (write.kind) {
      case "update": {
        const update = toUpdate(write);
        const options = { session, upsert: write.upsert };
        if (write.many) return toResult(await collection.updateMany(filter, update, options));
        if (!write.answerDocument) return toResult(await collection.updateOne(filter, update, options));
        const document = await collection.findOneAndUpdate(filter, update, {
          ...options,
          returnDocument: "after",
        });
        // Of upserts at one moment, a server may answer the losers null.
        const stored = document ?? (write.upsert ? await collection.findOne(filter, { session }) : null);
        return { matched: stored ? 1 : 0, document: stored ?? undefined };
      }
      case "replace":
        return toResult(await collection.replaceOne(filter, write.document, { session, upsert: write.upsert }));
      case "delete": {
        const { deletedCount } = write.many
          ? await collection.deleteMany(filter, { session })
          : await collection.deleteOne(filter, { session });
        return { matched: deletedCount };
      }
    }
  }

  /** Returns whether a repeat may succeed: what the write met has expired, and is gone now, or it is an upsert. */
  async #mayPass({ shape, write }: Item, error: unknown): Promise<boolean> {
    if (!isDuplicateKey(error)) return false;
    const values = getDuplicateValues(error);
    if (shape.expires === undefined || !values) return isUpsert(write);
    const expired = { ...values, [shape.expires]: { $lte: new Date() } };
    try {
      const { deletedCount } = await this.#database.collection(shape.name).deleteMany(expired);
      return deletedCount > 0 || isUpsert(write);
    } catch (failure) {
      throw toStoreError(failure, shape.name);
    }
  }

  /**
   * Sends writes in one command, in order; the server stops at the first that fails.
   * @throws the driver's errors; MongoClientBulkWriteError names the write that failed
   */
  async #sendTogether(items: readonly Item[], session: ClientSession): Promise<WriteResult[]> {
    const result = await this.#database.client.bulkWrite<Record<string, StoredDocument>>(
      items.map((item) => this.#toModel(item)),
      { ordered: true, verboseResults: true, session },
    );
    return toResults(result, items.length);
  }

  #toModel({ shape, write }: Item): ClientBulkWriteModel<Record<string, StoredDocument>> {
    const namespace = `${this.#database.databaseName}.${shape.name}`;
    if (write.kind === "insert") return { name: "insertOne", namespace, document: write.document };
    const common = { namespace, filter: toFilter(shape, write.filter) };
    if (write.kind === "delete") return { name: "deleteOne", ...common };
    const upsert = isUpsert(write);
    return write.kind === "update"
      ? { name: "updateOne", ...common, update: toUpdate(write), upsert }
      : { name: "replaceOne", ...common, replacement: write.document, upsert };
  }

  async #sendUntilFailure(items: readonly Item[]): Promise<WriteResult[]> {
    const session = this.#database.client.startSession({ causalConsistency: false });
    try {
      return await this.#sendTogether(items, session);
    } catch (error) {
      const failedAt = error instanceof MongoClientBulkWriteError ? [...error.writeErrors.keys()][0] : undefined;
      if (failedAt === undefined) throw toWriteError(error, items[0]!.shape.name, session);
      return toResults((error as MongoClientBulkWriteError).partialResult, failedAt);
    } finally {
      await session.endSession();
    }
  }
}

function toResult({ matchedCount, upsertedId }: UpdateResult<StoredDocument>): WriteResult {
  return { matched: matchedCount, upsertedId: upsertedId ?? undefined };
}

function toResults(result: ClientBulkWriteResult | undefined, count: number): WriteResult[] {
  return Array.from({ length: count }, (_, index): WriteResult => {
    const update = result?.updateResults?.get(index);
    if (update?.didUpsert) return { matched: 0, upsertedId: String(update.upsertedId) };
    return { matched: update?.matchedCount ?? result?.deleteResults?.get(index)?.deletedCount ?? 1 };
  });
}
