import type { Collection as DriverCollection } from "mongodb";
import type { BulkItemResult, Document } from "../port.ts";
import { CheckedCollection } from "../model/checked.ts";
import type { Predicate } from "../model/predicate.ts";
import type { Shape } from "../model/shape.ts";
import type { Selection, StoredDocument, Write, WriteResult } from "../model/write.ts";
import { toStoreError } from "./errors.ts";
import type { MongoStore } from "./store.ts";
import { toFilter, toSort } from "./translate.ts";

const BATCH_SIZE = 500;

/** The driver stores a Date as it is; a copy, so that the caller's may change. */
export const encodeDate = (date: Date): Date => new Date(date.getTime());

export class MongoCollection<T extends Document> extends CheckedCollection<T> {
  readonly #host: MongoStore;

  constructor(shape: Shape, host: MongoStore) {
    super(shape, host);
    this.#host = host;
  }

  protected async select({ predicate, sort, skip, limit }: Selection, durable = false): Promise<T[]> {
    if (limit === 0) return [];
    const readConcern = durable ? "majority" : undefined;
    const options = { sort: toSort(sort), skip, limit, readConcern } as const;
    const found = this.#driver.find(toFilter(this.shape, predicate), options);
    return (await this.#run(() => found.toArray())).map((document) => this.revive(document));
  }

  protected async *walk({ predicate, sort }: Selection): AsyncIterable<T> {
    const options = { sort: toSort(sort) ?? { _id: 1 }, batchSize: BATCH_SIZE } as const;
    const cursor = this.#driver.find(toFilter(this.shape, predicate), options);
    try {
      for (;;) {
        const document = await this.#run(() => cursor.next());
        if (document === null) return;
        yield this.revive(document);
      }
    } finally {
      await cursor.close();
    }
  }

  protected tally(predicate: Predicate): Promise<number> {
    return this.#run(() => this.#driver.countDocuments(toFilter(this.shape, predicate)));
  }

  protected async write(write: Write): Promise<WriteResult> {
    await this.#host.ready(this.shape);
    return this.#host.writer.write({ shape: this.shape, write });
  }

  protected async writeEach(writes: readonly Write[]): Promise<BulkItemResult[]> {
    await this.#host.ready(this.shape);
    return this.#host.writer.writeEach(writes.map((write) => ({ shape: this.shape, write })));
  }

  protected revive(document: StoredDocument): T {
    return document as Document as T;
  }

  get #driver(): DriverCollection<StoredDocument> {
    return this.#host.database.collection<StoredDocument>(this.shape.name);
  }

  async #run<R>(read: () => Promise<R>): Promise<R> {
    try {
      return await read();
    } catch (error) {
      throw toStoreError(error, this.shape.name, "BAD_QUERY");
    }
  }
}
