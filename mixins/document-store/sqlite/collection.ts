import type { Outcome } from "../../sqlite/protocol.ts";
import { DocumentStoreError } from "../port.ts";
import type { BulkItemResult, Collection, Document, Filter, FindOptions } from "../port.ts";
import { CheckedCollection } from "../model/checked-collection.ts";
import { valueAt } from "../model/paths.ts";
import type { Shape } from "../model/shape.ts";
import type { StoredDocument, Write, WriteResult } from "../model/write.ts";
import { fromWire } from "./errors.ts";
import type { WireError } from "./protocol.ts";
import type { SqliteStore } from "./store.ts";
import { encodeDate, reviveDates } from "./text.ts";

/** Writes of a bulk that go over at once; those of other callers get in between. */
const BULK_STEP = 500;

type Host = Pick<SqliteStore, "reader" | "writer" | "prepare">;

export class SqliteCollection<T extends Document> extends CheckedCollection<T> implements Collection<T> {
  readonly #host: Host;
  readonly #expires: string[] | undefined;
  #isReady = false;

  constructor(shape: Shape, host: Host) {
    super(shape, encodeDate);
    this.#host = host;
    this.#expires = shape.expires?.split(".");
  }

  async findOne(filter: Filter, options: Pick<FindOptions, "sort"> = {}): Promise<T | null> {
    const id = onlyId(filter);
    if (id !== undefined && this.#isReady) return this.#byId(id);
    const [document] = await this.find(filter, { ...options, limit: 1 });
    return document ?? null;
  }

  async find(filter: Filter, options: FindOptions = {}): Promise<T[]> {
    const selection = this.parse.selection(filter, options);
    await this.#prepare();
    const documents = await this.#host.reader.find(this.shape, selection);
    return documents.map((document) => this.revive(document));
  }

  async *iterate(filter: Filter, options: Pick<FindOptions, "sort"> = {}): AsyncIterable<T> {
    const { predicate, sort } = this.parse.selection(filter, options);
    await this.#prepare();
    for await (const documents of this.#host.reader.iterate(this.shape, predicate, sort)) {
      for (const document of documents) yield this.revive(document);
    }
  }

  async count(filter: Filter): Promise<number> {
    const predicate = this.parse.filter(filter);
    await this.#prepare();
    return this.#host.reader.count(this.shape, predicate);
  }

  protected async write(write: Write): Promise<WriteResult> {
    if (!this.#isReady) await this.#prepare();
    return (await this.#host.writer.request({ kind: "write", collection: this.shape.name, write })) as WriteResult;
  }

  protected async writeEach(writes: readonly Write[]): Promise<BulkItemResult[]> {
    await this.#prepare();
    const outcomes: Outcome<WriteResult, WireError>[] = [];
    for (let start = 0; start < writes.length; start += BULK_STEP) {
      const step = writes.slice(start, start + BULK_STEP);
      outcomes.push(
        ...((await this.#host.writer.request({ kind: "bulk", collection: this.shape.name, writes: step })) as Outcome<
          WriteResult,
          WireError
        >[]),
      );
    }
    return outcomes.map(toBulkItem);
  }

  protected revive(document: StoredDocument): T {
    return reviveDates(this.shape, document) as Document as T;
  }

  async #byId(id: string): Promise<T | null> {
    const text = await this.#host.reader.text(this.shape, id);
    if (text === undefined) return null;
    const document = this.revive(JSON.parse(text) as StoredDocument);
    if (!this.#expires) return document;
    const expiry = valueAt(document, this.#expires);
    return expiry instanceof Date && expiry.getTime() <= Date.now() ? null : document;
  }

  async #prepare(): Promise<void> {
    if (this.#isReady) return;
    await this.#host.prepare(this.shape);
    this.#isReady = true;
  }
}

function toBulkItem(outcome: Outcome<WriteResult, WireError>): BulkItemResult {
  if (outcome.ok) return { ok: true, ...outcome.value };
  const error = fromWire(outcome.error);
  if (error instanceof DocumentStoreError) return { ok: false, error };
  throw error;
}

/** The id, when the filter is nothing else. */
function onlyId(filter: Filter): string | undefined {
  const id = filter["_id"];
  return typeof id === "string" && Object.keys(filter).length === 1 ? id : undefined;
}
