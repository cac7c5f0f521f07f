import type { BulkItemResult, Collection, Document, Filter, FindOptions } from "../port.ts";
import { CheckedCollection } from "../model/checked.ts";
import type { Shape } from "../model/shape.ts";
import type { StoredDocument, Write, WriteResult } from "../model/write.ts";
import { runBulk } from "./bulk.ts";
import { driverCollection, runWrite } from "./commands.ts";
import { toStoreError } from "./errors.ts";
import type { MongoStore } from "./store.ts";
import { toFilter, toSort } from "./translate.ts";

const BATCH_SIZE = 500;

/** The driver stores a Date as it is; a copy, so that the caller's may change. */
export const encodeDate = (date: Date): Date => new Date(date.getTime());

export class MongoCollection<T extends Document> extends CheckedCollection<T> implements Collection<T> {
  readonly #host: MongoStore;

  constructor(shape: Shape, host: MongoStore) {
    super(shape, encodeDate);
    this.#host = host;
  }

  async find(filter: Filter, options: FindOptions = {}): Promise<T[]> {
    const { predicate, sort, skip, limit } = this.parse.selection(filter, options);
    if (limit === 0) return [];
    const readConcern = options.durable ? "majority" : undefined;
    return this.#run(
      () =>
        this.#driver
          .find(toFilter(this.shape, predicate), { sort: toSort(sort), skip, limit, readConcern })
          .toArray() as Promise<unknown> as Promise<T[]>,
    );
  }

  async *iterate(filter: Filter, options: Pick<FindOptions, "sort"> = {}): AsyncIterable<T> {
    const { predicate, sort } = this.parse.selection(filter, options);
    const order = toSort(sort) ?? { _id: 1 };
    const cursor = await this.#run(() =>
      Promise.resolve(this.#driver.find(toFilter(this.shape, predicate), { sort: order, batchSize: BATCH_SIZE })),
    );
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

  async count(filter: Filter): Promise<number> {
    const predicate = this.parse.filter(filter);
    return this.#run(() => this.#driver.countDocuments(toFilter(this.shape, predicate)));
  }

  protected async write(write: Write): Promise<WriteResult> {
    await this.#host.ready(this.shape);
    return runWrite(this.#host.database, this.shape, write);
  }

  protected async writeEach(writes: readonly Write[]): Promise<BulkItemResult[]> {
    await this.#host.ready(this.shape);
    return runBulk(this.#host.client, this.#host.database, this.shape, writes);
  }

  protected revive(document: StoredDocument): T {
    return document as Document as T;
  }

  get #driver(): ReturnType<typeof driverCollection> {
    return driverCollection(this.#host.database, this.shape);
  }

  async #run<R>(read: () => Promise<R>): Promise<R> {
    await this.#host.ready(this.shape);
    try {
      return await read();
    } catch (error) {
      throw toStoreError(error, this.shape.name, "BAD_QUERY");
    }
  }
}
