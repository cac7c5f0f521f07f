import { loadOnce } from "@partline/toolkit";
import {
  DocumentStoreError,
  isStoreAway,
  type AtomicWrite,
  type BulkItemResult,
  type BulkOperation,
  type Collection,
  type CollectionDefinition,
  type CountedGroup,
  type Document,
  type Filter,
  type FindOptions,
  type Update,
  type UpdateResult,
} from "../port.ts";
import { cleanDocument } from "./document.ts";
import { createBadDocument, createBadQuery } from "./paths.ts";
import { parseFilter, findPinnedId, type Predicate } from "./filter.ts";
import { parseSort } from "./order.ts";
import { compileShape, type DateCodec, type Shape } from "./shape.ts";
import { parseUpdate } from "./update.ts";
import { asItem, type Selection, type UpdateWrite, type Write, type WriteResult } from "./write.ts";

export interface AtomicItem {
  shape: Shape;
  write: Write;
  require: boolean;
}

/**
 * Base of all adapters' stores: prepares collections on first use and checks their calls, which the adapter carries
 * out.
 */
export abstract class CheckedStore {
  readonly #collections = new Map<string, CheckedCollection<Document>>();
  readonly #encodeDate: DateCodec;

  constructor(encodeDate: DateCodec) {
    this.#encodeDate = encodeDate;
  }

  abstract make(shape: Shape): Promise<unknown>;

  /** Reads by id, if that is cheaper than `select`. */
  byId?(shape: Shape, id: string): Promise<Document | null>;

  abstract select(shape: Shape, selection: Selection, durable?: boolean): Promise<Document[]>;

  abstract walk(shape: Shape, selection: Selection): AsyncIterable<Document>;

  abstract tally(shape: Shape, predicate: Predicate): Promise<number>;

  abstract tallyBy(
    shape: Shape,
    predicate: Predicate,
    fields: readonly string[],
    dated?: string,
  ): Promise<CountedGroup[]>;

  abstract write(shape: Shape, write: Write): Promise<WriteResult>;

  abstract writeEach(shape: Shape, writes: readonly Write[]): Promise<BulkItemResult[]>;

  protected abstract writeAtomically(items: readonly AtomicItem[]): Promise<unknown>;

  collection<T extends Document>(definition: CollectionDefinition): Collection<T> {
    return this.#openCollection(definition) as unknown as Collection<T>;
  }

  async atomically(writes: AtomicWrite[]): Promise<void> {
    const items = writes.map((item, index): AtomicItem => {
      const collection = this.#openCollection(item.collection);
      const write = asItem(index, () => collection.parse(item));
      return { shape: collection.shape, write, require: item.require ?? false };
    });
    for (const { collection } of writes) await this.#openCollection(collection).ready();
    if (items.length > 0) await this.writeAtomically(items);
  }

  /** @throws BAD_QUERY when the name is already in use with another definition. */
  #openCollection(definition: CollectionDefinition): CheckedCollection<Document> {
    let collection = this.#collections.get(definition.name);
    if (!collection) {
      collection = new CheckedCollection(compileShape(definition, this.#encodeDate), this);
      this.#collections.set(definition.name, collection);
    }
    const definitionBefore = collection.definition;
    if (definitionBefore !== definition && JSON.stringify(definitionBefore) !== JSON.stringify(definition))
      throw createBadQuery(`Collection ${definition.name} has two different definitions`);
    return collection;
  }
}

class CheckedCollection<T extends Document> implements Collection<T> {
  readonly definition: CollectionDefinition;
  readonly shape: Shape;
  readonly #store: CheckedStore;
  #isMade = false;
  readonly ready = loadOnce(async () => {
    await this.#store.make(this.shape);
    this.#isMade = true;
  });

  constructor(shape: Shape, store: CheckedStore) {
    this.definition = shape.definition;
    this.shape = shape;
    this.#store = store;
  }

  async find(filter: Filter, options: FindOptions = {}): Promise<T[]> {
    const selection = this.#toSelection(filter, options);
    await this.#ensureReadable();
    return (await this.#store.select(this.shape, selection, options.durable)) as T[];
  }

  async *iterate(filter: Filter, options: Pick<FindOptions, "sort"> = {}): AsyncIterable<T> {
    const selection = this.#toSelection(filter, options);
    await this.#ensureReadable();
    yield* this.#store.walk(this.shape, selection) as AsyncIterable<T>;
  }

  async count(filter: Filter): Promise<number> {
    const predicate = this.#filter(filter);
    await this.#ensureReadable();
    return this.#store.tally(this.shape, predicate);
  }

  async countBy(filter: Filter, fields: readonly string[], dated?: string): Promise<CountedGroup[]> {
    const predicate = this.#filter(filter);
    const undeclared = fields.find((field) => !this.shape.fields.has(field));
    if (undeclared !== undefined) throw createBadQuery(`Counted by ${undeclared}, which is not declared`);
    if (dated !== undefined && !this.shape.dates.includes(dated)) throw createBadQuery(`${dated} is not declared date`);
    await this.#ensureReadable();
    return this.#store.tallyBy(this.shape, predicate, fields, dated);
  }

  async findOne(filter: Filter, options: Pick<FindOptions, "sort"> = {}): Promise<T | null> {
    const id = findOnlyId(filter);
    if (id !== undefined && this.#store.byId && this.#isMade)
      return (await this.#store.byId(this.shape, id)) as T | null;
    const [document] = await this.find(filter, { ...options, limit: 1 });
    return document ?? null;
  }

  async insertOne(document: T): Promise<void> {
    await this.#write(this.parse({ insertOne: document }));
  }

  async updateOne(filter: Filter, update: Update, options?: { upsert?: boolean }): Promise<UpdateResult> {
    return this.#write(this.#update(filter, update, options));
  }

  async updateMany(filter: Filter, update: Update): Promise<UpdateResult> {
    return this.#write(this.#update(filter, update, { many: true }));
  }

  async findOneAndUpdate(filter: Filter, update: Update, options?: { upsert?: boolean }): Promise<T | null> {
    const { document = null } = await this.#write(this.#update(filter, update, { ...options, answerDocument: true }));
    return document as Document as T | null;
  }

  async replaceOne(filter: Filter, replacement: T, options?: { upsert?: boolean }): Promise<UpdateResult> {
    return this.#write(this.parse({ replaceOne: { filter, replacement, ...options } }));
  }

  async deleteOne(filter: Filter): Promise<number> {
    return (await this.#write(this.parse({ deleteOne: { filter } }))).matched;
  }

  async deleteMany(filter: Filter): Promise<number> {
    return (await this.#write({ kind: "delete", filter: this.#filter(filter), many: true })).matched;
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
    await this.ready();
    const writes = parsed.filter((item): item is Write => !(item instanceof DocumentStoreError));
    const results = (await this.#store.writeEach(this.shape, writes)).values();
    return parsed.map((item) =>
      item instanceof DocumentStoreError ? { ok: false, error: item } : results.next().value!,
    );
  }

  /** @throws BAD_QUERY, BAD_DOCUMENT */
  parse(operation: BulkOperation<Document>): Write {
    if ("insertOne" in operation) return { kind: "insert", document: cleanDocument(this.shape, operation.insertOne) };
    if ("updateOne" in operation) {
      const { filter, update, upsert } = operation.updateOne;
      return this.#update(filter, update, { upsert });
    }
    if ("deleteOne" in operation) return { kind: "delete", filter: this.#filter(operation.deleteOne.filter) };
    const { filter, replacement, upsert } = operation.replaceOne;
    const [predicate, document] = [this.#filter(filter, upsert), cleanDocument(this.shape, replacement)];
    if ((findPinnedId(predicate) ?? document._id) !== document._id) throw createBadDocument("_id cannot be changed");
    return { kind: "replace", filter: predicate, document, upsert };
  }

  /** A read does not need what making a collection writes, which a full disk refuses: the next use makes it. */
  async #ensureReadable(): Promise<void> {
    try {
      await this.ready();
    } catch (error) {
      if (!isStoreAway(error)) throw error;
    }
  }

  async #write(write: Write): Promise<WriteResult> {
    // Asked at once if it can be, so that a close that comes next waits for it.
    if (!this.#isMade) await this.ready();
    return this.#store.write(this.shape, write);
  }

  #toSelection(filter: Filter, { sort, skip, limit }: FindOptions): Selection {
    return {
      predicate: this.#filter(filter),
      sort: parseSort(this.shape, sort),
      skip: assertWholeNumber("skip", skip),
      limit: assertWholeNumber("limit", limit),
    };
  }

  #update(
    filter: Filter,
    update: Update,
    options: Pick<UpdateWrite, "upsert" | "many" | "answerDocument"> = {},
  ): UpdateWrite {
    const predicate = this.#filter(filter, options.upsert);
    return { kind: "update", filter: predicate, steps: parseUpdate(this.shape, update), ...options };
  }

  #filter(filter: Filter, upsert = false): Predicate {
    const predicate = parseFilter(filter, this.shape);
    if (upsert && (predicate.op !== "$eq" || findPinnedId(predicate) === undefined))
      throw createBadQuery("The filter of an upsert is an id");
    return predicate;
  }
}

/** Returns the id if the filter is nothing else. Parsing and planning such a filter would halve the reads a second. */
function findOnlyId(filter: Filter): string | undefined {
  const id = filter["_id"];
  return typeof id === "string" && Object.keys(filter).length === 1 ? id : undefined;
}

function assertWholeNumber(name: string, value: number | undefined): number | undefined {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return value;
  throw createBadQuery(`${name} is a whole number from 0`);
}
