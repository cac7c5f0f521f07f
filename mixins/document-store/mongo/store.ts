import type { Db, MongoClient } from "mongodb";
import { connect } from "../../mongo/connect.ts";
import { DocumentStoreError } from "../port.ts";
import type {
  AtomicWrite,
  Collection,
  CollectionDefinition,
  Document,
  DocumentStore,
  StoreLogger,
  UpdateResult,
} from "../port.ts";
import { ShapeRegistry } from "../model/shape.ts";
import type { Shape } from "../model/shape.ts";
import { CallParser, toUpdateResult } from "../model/write.ts";
import { encodeDate, MongoCollection } from "./collection.ts";
import { toStoreError } from "./errors.ts";
import { ensureIndexes } from "./indexes.ts";
import { runTransaction } from "./transaction.ts";

export interface MongoStoreOptions {
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

export class MongoStore implements DocumentStore {
  readonly backend = "mongodb";
  readonly client: MongoClient;
  readonly database: Db;
  readonly #logger: StoreLogger | undefined;
  readonly #shapes = new ShapeRegistry();
  readonly #collections = new Map<string, Collection<Document>>();
  readonly #indexed = new Map<string, Promise<void>>();
  #pinging: Promise<unknown> | undefined;
  #isClosed = false;

  constructor(client: MongoClient, logger?: StoreLogger) {
    this.client = client;
    this.database = client.db();
    this.#logger = logger;
  }

  collection<T extends Document>(definition: CollectionDefinition): Collection<T> {
    const shape = this.#shapes.of(definition);
    let collection = this.#collections.get(shape.name);
    if (!collection) this.#collections.set(shape.name, (collection = new MongoCollection<Document>(shape, this)));
    return collection as unknown as Collection<T>;
  }

  async atomically(writes: AtomicWrite[]): Promise<UpdateResult[]> {
    const items = writes.map((item, index) => {
      const shape = this.#shapes.of(item.collection);
      return {
        shape,
        write: new CallParser(shape, encodeDate).batchOperation(item, index),
        require: item.require ?? false,
      };
    });
    for (const { shape } of items) await this.ready(shape);
    if (items.length === 0) return [];
    return (await runTransaction(this.client, this.database, items)).map(toUpdateResult);
  }

  /** Who asks meanwhile is given the same answer: each entry point of a process asks at the same moment. */
  async ping(): Promise<void> {
    this.#refuseClosed();
    try {
      await (this.#pinging ??= this.database.command({ ping: 1 }).finally(() => (this.#pinging = undefined)));
    } catch (error) {
      throw toStoreError(error);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.client.close();
  }

  /** Makes the collection's indexes on first use. @throws UNAVAILABLE */
  async ready(shape: Shape): Promise<{ client: MongoClient; database: Db }> {
    this.#refuseClosed();
    let indexed = this.#indexed.get(shape.name);
    if (!indexed) this.#indexed.set(shape.name, (indexed = ensureIndexes(this.database, shape)));
    try {
      await indexed;
    } catch (error) {
      this.#indexed.delete(shape.name);
      this.#logger?.error(`Document store: the indexes of ${shape.name} could not be made: ${describe(error)}`);
      throw toStoreError(error, shape.name);
    }
    return { client: this.client, database: this.database };
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw new DocumentStoreError("UNAVAILABLE", "The document store is unavailable: it is closed");
  }
}
