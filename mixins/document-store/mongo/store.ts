import type { Db, MongoClient } from "mongodb";
import { connect } from "../../mongo/connect.ts";
import { DocumentStoreError, type Document, type DocumentStore, type StoreLogger } from "../port.ts";
import { CheckedStore, type AtomicItem } from "../model/checked.ts";
import type { Shape } from "../model/shape.ts";
import type { WriteResult } from "../model/write.ts";
import { encodeDate, MongoCollection } from "./collection.ts";
import { toStoreError } from "./errors.ts";
import { ensureIndexes } from "./indexes.ts";
import { Writer } from "./writer.ts";

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
  readonly writer: Writer;
  readonly #logger: StoreLogger | undefined;
  #pinging: Promise<unknown> | undefined;
  #isClosed = false;

  constructor(client: MongoClient, logger?: StoreLogger) {
    super(encodeDate);
    this.database = client.db();
    this.writer = new Writer(this.database);
    this.#logger = logger;
  }

  /** Callers at the same moment share one answer: each entry point of a process asks. */
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
    await this.database.client.close();
  }

  override async ready(shape: Shape): Promise<void> {
    this.#refuseClosed();
    await super.ready(shape);
  }

  protected open(shape: Shape): MongoCollection<Document> {
    return new MongoCollection<Document>(shape, this);
  }

  protected async make(shape: Shape): Promise<void> {
    try {
      await ensureIndexes(this.database, shape);
    } catch (error) {
      this.#logger?.error(`Document store: the indexes of ${shape.name} could not be made: ${describe(error)}`);
      throw toStoreError(error, shape.name);
    }
  }

  protected writeAtomically(items: readonly AtomicItem[]): Promise<WriteResult[]> {
    return this.writer.writeAtomically(items);
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw new DocumentStoreError("UNAVAILABLE", "The document store is unavailable: it is closed");
  }
}
