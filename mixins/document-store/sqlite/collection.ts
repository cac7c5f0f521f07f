import type { BulkItemResult, Document, Filter, FindOptions } from "../port.ts";
import { CheckedCollection } from "../model/checked.ts";
import { isPlainObject, type JsonObject } from "../model/paths.ts";
import type { Predicate } from "../model/predicate.ts";
import type { Shape } from "../model/shape.ts";
import { toItemResult, type Selection, type StoredDocument, type Write, type WriteResult } from "../model/write.ts";
import type { SqliteStore } from "./store.ts";

/** Writes of a bulk that travel together; those of other callers get in between. */
const BULK_STEP = 500;

export class SqliteCollection<T extends Document> extends CheckedCollection<T> {
  readonly #store: SqliteStore;

  constructor(shape: Shape, store: SqliteStore) {
    super(shape, store);
    this.#store = store;
  }

  override async findOne(filter: Filter, options: Pick<FindOptions, "sort"> = {}): Promise<T | null> {
    const id = onlyId(filter);
    if (id === undefined || !this.#store.isReady(this.shape)) return super.findOne(filter, options);
    const document = await this.#store.reader.byId(this.shape, id);
    return document === undefined ? null : this.revive(document);
  }

  protected async select(selection: Selection): Promise<T[]> {
    const documents = await this.#store.reader.find(this.shape, selection);
    return documents.map((document) => this.revive(document));
  }

  protected async *walk({ predicate, sort }: Selection): AsyncIterable<T> {
    for await (const documents of this.#store.reader.iterate(this.shape, predicate, sort)) {
      for (const document of documents) yield this.revive(document);
    }
  }

  protected tally(predicate: Predicate): Promise<number> {
    return this.#store.reader.count(this.shape, predicate);
  }

  protected async write(write: Write): Promise<WriteResult> {
    // Asked at once, so that a close that comes next waits for it.
    if (!this.#store.isReady(this.shape)) await this.#store.ready(this.shape);
    return (await this.#store.request({ kind: "write", collection: this.shape.name, write })) as WriteResult;
  }

  protected async writeEach(writes: readonly Write[]): Promise<BulkItemResult[]> {
    await this.#store.ready(this.shape);
    const results: BulkItemResult[] = [];
    for (let start = 0; start < writes.length; start += BULK_STEP) {
      const step = writes.slice(start, start + BULK_STEP).map((write) => toItemResult(this.write(write)));
      results.push(...(await Promise.all(step)));
    }
    return results;
  }

  protected revive(document: StoredDocument): T {
    for (const path of this.shape.dates) {
      const segments = path.split(".");
      const key = segments.pop()!;
      let holder: JsonObject | undefined = document;
      for (const segment of segments) {
        const next: unknown = holder?.[segment];
        holder = isPlainObject(next) ? next : undefined;
      }
      const value = holder?.[key];
      if (holder && typeof value === "number") holder[key] = new Date(value);
    }
    return document as Document as T;
  }
}

/** Returns the id if the filter is nothing else. Parsing and planning such a filter would halve the reads a second. */
function onlyId(filter: Filter): string | undefined {
  const id = filter["_id"];
  return typeof id === "string" && Object.keys(filter).length === 1 ? id : undefined;
}
