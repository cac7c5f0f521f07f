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
import { badQuery } from "./paths.ts";
import type { Predicate } from "./predicate.ts";
import { compileShape, type DateCodec, type Shape } from "./shape.ts";
import {
  asItem,
  CallParser,
  toUpdateResult,
  type Selection,
  type StoredDocument,
  type Write,
  type WriteResult,
} from "./write.ts";

/** A write of an atomic batch, checked; `collection` is the name. */
export interface AtomicItem {
  shape: Shape;
  collection: string;
  write: Write;
  require: boolean;
}

/** What the stores of all adapters share: their collections, made ready on first use, and checked batches. */
export abstract class CheckedStore {
  readonly #collections = new Map<string, Collection<Document>>();
  readonly #shapes = new Map<string, Shape>();
  readonly #making = new Map<string, Promise<unknown>>();
  readonly #made = new Set<Shape>();
  readonly encodeDate: DateCodec;

  constructor(encodeDate: DateCodec) {
    this.encodeDate = encodeDate;
  }

  protected abstract open(shape: Shape): Collection<Document>;

  /** Makes a collection's tables and indexes. */
  protected abstract make(shape: Shape): Promise<unknown>;

  protected abstract writeAtomically(items: readonly AtomicItem[]): Promise<WriteResult[]>;

  collection<T extends Document>(definition: CollectionDefinition): Collection<T> {
    const shape = this.#shapeOf(definition);
    let collection = this.#collections.get(shape.name);
    if (!collection) this.#collections.set(shape.name, (collection = this.open(shape)));
    return collection as unknown as Collection<T>;
  }

  async atomically(writes: AtomicWrite[]): Promise<UpdateResult[]> {
    const items = writes.map((item, index): AtomicItem => {
      const shape = this.#shapeOf(item.collection);
      const write = asItem(index, () => new CallParser(shape, this.encodeDate).operation(item));
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

  /** Collections that are made. */
  protected made(): Iterable<Shape> {
    return this.#made;
  }

  /** @throws BAD_QUERY when the name is already in use with another definition. */
  #shapeOf(definition: CollectionDefinition): Shape {
    const known = this.#shapes.get(definition.name);
    if (known?.definition === definition) return known;
    if (!known) {
      const shape = compileShape(definition);
      this.#shapes.set(shape.name, shape);
      return shape;
    }
    if (JSON.stringify(known.definition) !== JSON.stringify(definition))
      throw badQuery(`Collection ${definition.name} has two different definitions`);
    return known;
  }
}

/** The port's calls, the same for every adapter: checked here, carried out by the adapter. */
export abstract class CheckedCollection<T extends Document> implements Collection<T> {
  readonly definition: CollectionDefinition;
  protected readonly shape: Shape;
  protected readonly parse: CallParser;
  readonly #store: CheckedStore;

  constructor(shape: Shape, store: CheckedStore) {
    this.definition = shape.definition;
    this.shape = shape;
    this.parse = new CallParser(shape, store.encodeDate);
    this.#store = store;
  }

  protected abstract select(selection: Selection, durable?: boolean): Promise<T[]>;

  /** All matches, in batches of the adapter's own. */
  protected abstract walk(selection: Selection): AsyncIterable<T>;

  protected abstract tally(predicate: Predicate): Promise<number>;

  protected abstract write(write: Write): Promise<WriteResult>;

  /** Returns one entry a write, in their order. */
  protected abstract writeEach(writes: readonly Write[]): Promise<BulkItemResult[]>;

  protected abstract revive(document: StoredDocument): T;

  async find(filter: Filter, options: FindOptions = {}): Promise<T[]> {
    const selection = this.parse.selection(filter, options);
    await this.#store.ready(this.shape);
    return this.select(selection, options.durable);
  }

  async *iterate(filter: Filter, options: Pick<FindOptions, "sort"> = {}): AsyncIterable<T> {
    const selection = this.parse.selection(filter, options);
    await this.#store.ready(this.shape);
    yield* this.walk(selection);
  }

  async count(filter: Filter): Promise<number> {
    const predicate = this.parse.filter(filter);
    await this.#store.ready(this.shape);
    return this.tally(predicate);
  }

  async findOne(filter: Filter, options: Pick<FindOptions, "sort"> = {}): Promise<T | null> {
    const [document] = await this.find(filter, { ...options, limit: 1 });
    return document ?? null;
  }

  async insertOne(document: T): Promise<void> {
    await this.write(this.parse.operation({ insertOne: document }));
  }

  async updateOne(filter: Filter, update: Update, { upsert }: { upsert?: boolean } = {}): Promise<UpdateResult> {
    return toUpdateResult(await this.write(this.parse.update(filter, update, { upsert })));
  }

  async updateMany(filter: Filter, update: Update): Promise<UpdateResult> {
    return toUpdateResult(await this.write(this.parse.update(filter, update, { many: true })));
  }

  async findOneAndUpdate(
    filter: Filter,
    update: Update,
    options: { upsert?: boolean; sort?: SortSpec } = {},
  ): Promise<T | null> {
    const { document } = await this.write(this.parse.update(filter, update, { ...options, answerDocument: true }));
    return document === undefined ? null : this.revive(document);
  }

  async replaceOne(filter: Filter, replacement: T, { upsert }: { upsert?: boolean } = {}): Promise<UpdateResult> {
    return toUpdateResult(await this.write(this.parse.operation({ replaceOne: { filter, replacement, upsert } })));
  }

  async deleteOne(filter: Filter): Promise<number> {
    return (await this.write(this.parse.operation({ deleteOne: { filter } }))).deleted!;
  }

  async deleteMany(filter: Filter): Promise<number> {
    return (await this.write({ kind: "delete", filter: this.parse.filter(filter), many: true })).deleted!;
  }

  async bulkWrite(operations: BulkOperation<T>[]): Promise<BulkItemResult[]> {
    const parsed = operations.map((operation) => {
      try {
        return this.parse.operation(operation);
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
}
