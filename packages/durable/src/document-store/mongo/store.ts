import type { Collection, Db, MongoClient } from "mongodb";
import { connect } from "../../mongo/connect.ts";
import {
  DocumentStoreError,
  type BulkItemResult,
  type CountedGroup,
  type Document,
  type DocumentStore,
  type Scalar,
  type StoreLogger,
} from "../port.ts";
import { LONGEST_LOOK, withTimeout } from "@partline/toolkit";
import { CheckedStore, type AtomicItem } from "../model/checked.ts";
import type { Predicate } from "../model/filter.ts";
import type { Shape } from "../model/shape.ts";
import type { Selection, StoredDocument, Write, WriteResult } from "../model/write.ts";
import { toStoreError } from "./errors.ts";
import { ensureIndexes } from "./indexes.ts";
import { toFilter, toSort } from "./translate.ts";
import { Writer } from "./writer.ts";

const BATCH_SIZE = 500;
/** Time since the last answer after which the server is pinged before any other request; milliseconds. */
const QUIET_MS = 1_000;

interface MongoStoreOptions {
  /** The database is the one that the URL names. A replica set is needed: `atomically` is a transaction. */
  url: string;
  logger?: StoreLogger;
}

/** The document store on MongoDB. @throws UNAVAILABLE when no server answers within five seconds */
export async function openMongoStore({ url, logger }: MongoStoreOptions): Promise<DocumentStore> {
  const client = await connect(url).catch((error: unknown) => {
    throw toStoreError(error);
  });
  return new MongoStore(client, logger);
}

/** Name and code: the message may quote a document. */
function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}${"code" in error ? ` ${String(error.code)}` : ""}` : "unknown error";
}

export class MongoStore extends CheckedStore implements DocumentStore {
  readonly backend = "mongodb";
  readonly database: Db;
  readonly #writer: Writer;
  readonly #logger: StoreLogger | undefined;
  #pinging: Promise<unknown> | undefined;
  #answeredAt = performance.now();
  #isClosed = false;

  constructor(client: MongoClient, logger?: StoreLogger) {
    // The driver stores a Date as it is; a copy, so that the caller's may change.
    super((date) => new Date(date));
    this.database = client.db();
    this.#writer = new Writer(this.database);
    this.#logger = logger;
  }

  /** Callers at the same moment share one answer: each entry point of a process asks. */
  async ping(): Promise<void> {
    this.#refuseClosed();
    try {
      await (this.#pinging ??= this.database.command({ ping: 1 }).finally(() => (this.#pinging = undefined)));
      this.#answeredAt = performance.now();
    } catch (error) {
      throw toStoreError(error);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.database.client.close();
  }

  async select(shape: Shape, { predicate, sort, skip, limit }: Selection, durable = false): Promise<Document[]> {
    if (limit === 0) return [];
    const readConcern = durable ? "majority" : undefined;
    const options = { sort: toSort(sort), skip, limit, readConcern } as const;
    return this.#read(shape, (driver) => driver.find(toFilter(shape, predicate), options).toArray());
  }

  async *walk(shape: Shape, { predicate, sort }: Selection): AsyncIterable<Document> {
    const options = { sort: toSort(sort) ?? { _id: 1 }, batchSize: BATCH_SIZE } as const;
    const cursor = this.#getDriver(shape).find(toFilter(shape, predicate), options);
    try {
      for (;;) {
        const document = await this.#read(shape, () => cursor.next());
        if (document === null) return;
        yield document;
      }
    } finally {
      await cursor.close();
    }
  }

  tally(shape: Shape, predicate: Predicate): Promise<number> {
    return this.#read(shape, (driver) => driver.countDocuments(toFilter(shape, predicate)));
  }

  async tallyBy(
    shape: Shape,
    predicate: Predicate,
    fields: readonly string[],
    dated?: string,
  ): Promise<CountedGroup[]> {
    const groups = await this.#read(shape, (driver) =>
      driver
        .aggregate<{ _id: Scalar[]; count: number; earliest: Date | null }>([
          { $match: toFilter(shape, predicate) },
          {
            $group: {
              _id: fields.map((field) => ({ $ifNull: [`$${field}`, null] })),
              count: { $sum: 1 },
              earliest: dated === undefined ? { $min: null } : { $min: `$${dated}` },
            },
          },
        ])
        .toArray(),
    );
    return groups.map(({ _id: values, count, earliest }) => ({ values, count, ...(earliest ? { earliest } : {}) }));
  }

  write(shape: Shape, write: Write): Promise<WriteResult> {
    return this.#ask(() => this.#writer.write({ shape, write }));
  }

  writeEach(shape: Shape, writes: readonly Write[]): Promise<BulkItemResult[]> {
    return this.#ask(() => this.#writer.writeEach(writes.map((write) => ({ shape, write }))));
  }

  async make(shape: Shape): Promise<void> {
    try {
      await this.#ask(() => ensureIndexes(this.database, shape));
    } catch (error) {
      this.#logger?.error(`Document store: the indexes of ${shape.name} could not be made: ${describe(error)}`);
      throw toStoreError(error, shape.name);
    }
  }

  protected writeAtomically(items: readonly AtomicItem[]): Promise<void> {
    return this.#ask(() => this.#writer.writeAtomically(items));
  }

  #getDriver({ name }: Shape): Collection<StoredDocument> {
    this.#refuseClosed();
    return this.database.collection<StoredDocument>(name);
  }

  async #read<R>(shape: Shape, work: (driver: Collection<StoredDocument>) => Promise<R>): Promise<R> {
    try {
      return await this.#ask(() => work(this.#getDriver(shape)));
    } catch (error) {
      throw toStoreError(error, shape.name, "BAD_QUERY");
    }
  }

  /**
   * A server that hangs is noticed before anything is asked of it: nothing was done then, which a time-out could not
   * say. @throws UNAVAILABLE
   */
  async #ask<R>(ask: () => Promise<R>): Promise<R> {
    this.#refuseClosed();
    if (performance.now() - this.#answeredAt > QUIET_MS)
      await withTimeout(this.ping(), LONGEST_LOOK, () => {
        throw new DocumentStoreError("UNAVAILABLE", "The document store is unavailable: it does not answer");
      });
    const answer = await ask();
    this.#answeredAt = performance.now();
    return answer;
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw new DocumentStoreError("UNAVAILABLE", "The document store is unavailable: it is closed");
  }
}
