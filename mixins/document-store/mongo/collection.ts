import type { AbstractCursor } from "mongodb";
import { DocumentStoreError } from "../port.ts";
import type { BulkItemResult, BulkOperation, Collection, CollectionDefinition, Document, Filter, FindOptions, SortSpec, Update, UpdateResult } from "../port.ts";
import type { Shape } from "../model/shape.ts";
import { CallParser, toUpdateResult } from "../model/write.ts";
import type { StoredDocument, Write, WriteResult } from "../model/write.ts";
import { runBulk } from "./bulk.ts";
import { driverCollection, runWrite } from "./commands.ts";
import { toStoreError } from "./errors.ts";
import type { MongoStore } from "./store.ts";
import { toFilter, toSort } from "./translate.ts";

const BATCH_SIZE = 500;

/** The driver stores a Date as it is; a copy, so that the caller's may change. */
export const encodeDate = (date: Date): Date => new Date(date.getTime());

export class MongoCollection<T extends Document> implements Collection<T> {
  readonly definition: CollectionDefinition;
  readonly #shape: Shape;
  readonly #parse: CallParser;
  readonly #host: MongoStore;

  constructor(shape: Shape, host: MongoStore) {
    this.definition = shape.definition;
    this.#shape = shape;
    this.#parse = new CallParser(shape, encodeDate);
    this.#host = host;
  }

  async insertOne(document: T): Promise<void> {
    await this.#write(this.#parse.insert(document));
  }

  async findOne(filter: Filter, options: Pick<FindOptions, "sort"> = {}): Promise<T | null> {
    const [document] = await this.find(filter, { ...options, limit: 1 });
    return document ?? null;
  }

  async find(filter: Filter, options: FindOptions = {}): Promise<T[]> {
    const { predicate, sort, skip, limit } = this.#parse.selection(filter, options);
    if (limit === 0) return [];
    return this.#run(() => this.#driver.find(toFilter(this.#shape, predicate), { sort: toSort(sort), skip, limit }).toArray() as Promise<unknown> as Promise<T[]>);
  }

  async *iterate(filter: Filter, options: Pick<FindOptions, "sort"> = {}): AsyncIterable<T> {
    const { predicate, sort } = this.#parse.selection(filter, options);
    const order = toSort(sort) ?? { _id: 1 };
    const cursor = await this.#run(() => Promise.resolve(this.#driver.find(toFilter(this.#shape, predicate), { sort: order, batchSize: BATCH_SIZE })));
    try {
      for (let document = await this.#next(cursor); document !== null; document = await this.#next(cursor)) yield document as Document as T;
    } finally {
      await cursor.close();
    }
  }

  async count(filter: Filter): Promise<number> {
    const predicate = this.#parse.filter(filter);
    return this.#run(() => this.#driver.countDocuments(toFilter(this.#shape, predicate)));
  }

  async updateOne(filter: Filter, update: Update, options: { upsert?: boolean } = {}): Promise<UpdateResult> {
    return toUpdateResult(await this.#write(this.#parse.update(filter, update, { upsert: options.upsert })));
  }

  async updateMany(filter: Filter, update: Update): Promise<UpdateResult> {
    return toUpdateResult(await this.#write(this.#parse.update(filter, update, { many: true })));
  }

  async findOneAndUpdate(filter: Filter, update: Update, options: { upsert?: boolean; sort?: SortSpec } = {}): Promise<T | null> {
    const { document } = await this.#write(this.#parse.update(filter, update, { ...options, answerDocument: true }));
    return document === undefined ? null : (document as Document as T);
  }

  async replaceOne(filter: Filter, replacement: T, options: { upsert?: boolean } = {}): Promise<UpdateResult> {
    return toUpdateResult(await this.#write(this.#parse.replace(filter, replacement, options.upsert)));
  }

  async deleteOne(filter: Filter): Promise<number> {
    return (await this.#write(this.#parse.delete(filter))).deleted ?? 0;
  }

  async deleteMany(filter: Filter): Promise<number> {
    return (await this.#write(this.#parse.delete(filter, true))).deleted ?? 0;
  }

  async bulkWrite(operations: BulkOperation<T>[]): Promise<BulkItemResult[]> {
    const parsed = operations.map((operation) => this.#parse.tryOperation(operation));
    const writes = parsed.filter((item): item is Write => !(item instanceof DocumentStoreError));
    const { client, database } = await this.#host.ready(this.#shape);
    const results = await runBulk(client, database, this.#shape, writes);
    return parsed.map((item) => (item instanceof DocumentStoreError ? { ok: false, error: item } : results.shift()!));
  }

  get #driver(): ReturnType<typeof driverCollection> {
    return driverCollection(this.#host.database, this.#shape);
  }

  async #write(write: Write): Promise<WriteResult> {
    const { database } = await this.#host.ready(this.#shape);
    return runWrite(database, this.#shape, write);
  }

  async #run<R>(read: () => Promise<R>): Promise<R> {
    await this.#host.ready(this.#shape);
    try {
      return await read();
    } catch (error) {
      throw toStoreError(error, this.#shape.name, "BAD_QUERY");
    }
  }

  async #next(cursor: AbstractCursor<StoredDocument>): Promise<StoredDocument | null> {
    try {
      return await cursor.next();
    } catch (error) {
      throw toStoreError(error, this.#shape.name, "BAD_QUERY");
    }
  }
}
