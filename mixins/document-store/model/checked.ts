import {
  DocumentStoreError,
  type AtomicWrite,
  type BulkItemResult,
  type BulkOperation,
  type Collection,
  type CollectionDefinition,
  type Document,
  type Filter,
  type FindOptions,
  type SortSpec,
  type Update,
  type UpdateResult,
} from "../port.ts";
import { cleanDocument } from "./document.ts";
import { parseFilter } from "./filter.ts";
import { parseSort } from "./order.ts";
import { badDocument, badQuery } from "./paths.ts";
import { pinnedId, type Predicate } from "./predicate.ts";
import { compileShape, type DateCodec, type Shape } from "./shape.ts";
import { parseUpdate } from "./update.ts";
import {
  asItem,
  toUpdateResult,
  type Selection,
  type StoredDocument,
  type UpdateWrite,
  type Write,
  type WriteResult,
} from "./write.ts";

export interface AtomicItem {
  shape: Shape;
  collection: string;
  write: Write;
  require: boolean;
}

/** What the stores of all adapters share: their collections, made ready on first use, and checked batches. */
export abstract class CheckedStore {
  readonly #collections = new Map<string, CheckedCollection<Document>>();
  readonly #making = new Map<string, Promise<unknown>>();
  readonly #made = new Set<Shape>();
  readonly #encodeDate: DateCodec;

  constructor(encodeDate: DateCodec) {
    this.#encodeDate = encodeDate;
  }

  protected abstract open(shape: Shape): CheckedCollection<Document>;

  protected abstract make(shape: Shape): Promise<unknown>;

  protected abstract writeAtomically(items: readonly AtomicItem[]): Promise<WriteResult[]>;

  collection<T extends Document>(definition: CollectionDefinition): Collection<T> {
    return this.#opened(definition) as unknown as Collection<T>;
  }

  async atomically(writes: AtomicWrite[]): Promise<UpdateResult[]> {
    const items = writes.map((item, index): AtomicItem => {
      const collection = this.#opened(item.collection);
      const { shape } = collection;
      const write = asItem(index, () => collection.parse(item));
      return { shape, collection: shape.name, write, require: item.require ?? false };
    });
    for (const { shape } of items) await this.ready(shape);
    return items.length === 0 ? [] : (await this.writeAtomically(items)).map(toUpdateResult);
  }

  /** Resolves when the collection is made; after a failure the next call tries again. */
  async ready(shape: Shape): Promise<void> {
    if (this.#made.has(shape)) return;
    let making = this.#making.get(shape.name);
    if (!making)
      this.#making.set(shape.name, (making = this.make(shape).finally(() => this.#making.delete(shape.name))));
    await making;
    this.#made.add(shape);
  }

  isReady(shape: Shape): boolean {
    return this.#made.has(shape);
  }

  protected made(): Iterable<Shape> {
    return this.#made;
  }

  /** @throws BAD_QUERY when the name is already in use with another definition. */
  #opened(definition: CollectionDefinition): CheckedCollection<Document> {
    let collection = this.#collections.get(definition.name);
    if (!collection) {
      collection = this.open(compileShape(definition, this.#encodeDate));
      this.#collections.set(definition.name, collection);
    }
    const known = collection.definition;
    if (known !== definition && JSON.stringify(known) !== JSON.stringify(definition))
      throw badQuery(`Collection ${definition.name} has two different definitions`);
    return collection;
  }
}

/** The port's calls, the same for every adapter: checked here, carried out by the adapter. */
export abstract class CheckedCollection<T extends Document> implements Collection<T> {
  readonly definition: CollectionDefinition;
  readonly shape: Shape;
  readonly #store: CheckedStore;

  constructor(shape: Shape, store: CheckedStore) {
    this.definition = shape.definition;
    this.shape = shape;
    this.#store = store;
  }

  protected abstract select(selection: Selection, durable?: boolean): Promise<T[]>;

  protected abstract walk(selection: Selection): AsyncIterable<T>;

  protected abstract tally(predicate: Predicate): Promise<number>;

  protected abstract write(write: Write): Promise<WriteResult>;

  protected abstract writeEach(writes: readonly Write[]): Promise<BulkItemResult[]>;

  protected abstract revive(document: StoredDocument): T;

  async find(filter: Filter, options: FindOptions = {}): Promise<T[]> {
    const selection = this.#selection(filter, options);
    await this.#store.ready(this.shape);
    return this.select(selection, options.durable);
  }

  async *iterate(filter: Filter, options: Pick<FindOptions, "sort"> = {}): AsyncIterable<T> {
    const selection = this.#selection(filter, options);
    await this.#store.ready(this.shape);
    yield* this.walk(selection);
  }

  async count(filter: Filter): Promise<number> {
    const predicate = this.#filter(filter);
    await this.#store.ready(this.shape);
    return this.tally(predicate);
  }

  async findOne(filter: Filter, options: Pick<FindOptions, "sort"> = {}): Promise<T | null> {
    const [document] = await this.find(filter, { ...options, limit: 1 });
    return document ?? null;
  }

  async insertOne(document: T): Promise<void> {
    await this.write(this.parse({ insertOne: document }));
  }

  async updateOne(filter: Filter, update: Update, { upsert }: { upsert?: boolean } = {}): Promise<UpdateResult> {
    return toUpdateResult(await this.write(this.#update(filter, update, { upsert })));
  }

  async updateMany(filter: Filter, update: Update): Promise<UpdateResult> {
    return toUpdateResult(await this.write(this.#update(filter, update, { many: true })));
  }

  async findOneAndUpdate(
    filter: Filter,
    update: Update,
    options: { upsert?: boolean; sort?: SortSpec } = {},
  ): Promise<T | null> {
    const { document } = await this.write(this.#update(filter, update, { ...options, answerDocument: true }));
    return document === undefined ? null : this.revive(document);
  }

  async replaceOne(filter: Filter, replacement: T, { upsert }: { upsert?: boolean } = {}): Promise<UpdateResult> {
    return toUpdateResult(await this.write(this.parse({ replaceOne: { filter, replacement, upsert } })));
  }

  async deleteOne(filter: Filter): Promise<number> {
    return (await this.write(this.parse({ deleteOne: { filter } }))).deleted!;
  }

  async deleteMany(filter: Filter): Promise<number> {
    return (await this.write({ kind: "delete", filter: this.#filter(filter), many: true })).deleted!;
  }

  async bulkWrite(operations: BulkOperation<T>[]): Promise<BulkItemResult[]> {
    const parsed = operations.map((operation) => {
      try {
        return this.parse(operation);
      } catch (error) {
        if (error instanceof DocumentStoreError) return error;
        throw error;
      }
    });
    const writes = parsed.filter((item): item is Write => !(item instanceof DocumentStoreError));
    const results = (await this.writeEach(writes)).values();
    return parsed.map((item) =>
      item instanceof DocumentStoreError ? { ok: false, error: item } : results.next().value!,
    );
  }

  #selection(filter: Filter, { sort, skip, limit }: FindOptions): Selection {
    return {
      predicate: this.#filter(filter),
      sort: parseSort(this.shape, sort),
      skip: wholeNumber("skip", skip),
      limit: wholeNumber("limit", limit),
    };
  }

  #update(
    filter: Filter,
    update: Update,
    { sort, ...options }: { upsert?: boolean; many?: boolean; sort?: SortSpec; answerDocument?: boolean } = {},
  ): UpdateWrite {
    return {
      kind: "update",
      filter: this.#filterFor(filter, options.upsert),
      steps: parseUpdate(this.shape, update),
      sort: parseSort(this.shape, sort),
      ...options,
    };
  }

  parse(operation: BulkOperation<Document>): Write {
    if ("insertOne" in operation) return { kind: "insert", document: this.#document(operation.insertOne) };
    if ("updateOne" in operation) {
      const { filter, update, upsert } = operation.updateOne;
      return this.#update(filter, update, { upsert });
    }
    if ("deleteOne" in operation) return { kind: "delete", filter: this.#filter(operation.deleteOne.filter) };
    const { filter, replacement, upsert } = operation.replaceOne;
    const [predicate, document] = [this.#filterFor(filter, upsert), this.#document(replacement)];
    if ((pinnedId(predicate) ?? document._id) !== document._id) throw badDocument("_id cannot be changed");
    return { kind: "replace", filter: predicate, document, upsert };
  }

  #document(document: Document): StoredDocument {
    return cleanDocument(this.shape, document);
  }

  #filterFor(filter: Filter, upsert = false): Predicate {
    const predicate = this.#filter(filter);
    if (upsert && (predicate.op !== "$eq" || pinnedId(predicate) === undefined))
      throw badQuery("The filter of an upsert is an id");
    return predicate;
  }

  #filter(filter: Filter): Predicate {
    return parseFilter(filter, this.shape);
  }
}

function wholeNumber(name: string, value: number | undefined): number | undefined {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return value;
  throw badQuery(`${name} is a whole number from 0`);
}
