import { DocumentStoreError } from "../port.ts";
import type {
  BulkItemResult,
  BulkOperation,
  CollectionDefinition,
  Document,
  Filter,
  SortSpec,
  Update,
  UpdateResult,
} from "../port.ts";
import type { DateCodec, Shape } from "./shape.ts";
import { CallParser, toUpdateResult } from "./write.ts";
import type { StoredDocument, Write, WriteResult } from "./write.ts";

/**
 * The port's writes, the same for every adapter: checked here, carried out by the adapter. Reading is the adapter's
 * own.
 */
export abstract class CheckedCollection<T extends Document> {
  readonly definition: CollectionDefinition;
  protected readonly shape: Shape;
  protected readonly parse: CallParser;

  constructor(shape: Shape, encodeDate: DateCodec) {
    this.definition = shape.definition;
    this.shape = shape;
    this.parse = new CallParser(shape, encodeDate);
  }

  protected abstract write(write: Write): Promise<WriteResult>;

  /** One entry a write, in their order. */
  protected abstract writeEach(writes: readonly Write[]): Promise<BulkItemResult[]>;

  protected abstract revive(document: StoredDocument): T;

  async insertOne(document: T): Promise<void> {
    await this.write(this.parse.insert(document));
  }

  async updateOne(filter: Filter, update: Update, options: { upsert?: boolean } = {}): Promise<UpdateResult> {
    return toUpdateResult(await this.write(this.parse.update(filter, update, { upsert: options.upsert })));
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

  async replaceOne(filter: Filter, replacement: T, options: { upsert?: boolean } = {}): Promise<UpdateResult> {
    return toUpdateResult(await this.write(this.parse.replace(filter, replacement, options.upsert)));
  }

  async deleteOne(filter: Filter): Promise<number> {
    return (await this.write(this.parse.delete(filter))).deleted ?? 0;
  }

  async deleteMany(filter: Filter): Promise<number> {
    return (await this.write(this.parse.delete(filter, true))).deleted ?? 0;
  }

  async bulkWrite(operations: BulkOperation<T>[]): Promise<BulkItemResult[]> {
    const parsed = operations.map((operation) => this.parse.tryOperation(operation));
    const writes = parsed.filter((item): item is Write => !(item instanceof DocumentStoreError));
    const results = (await this.writeEach(writes)).values();
    return parsed.map((item) =>
      item instanceof DocumentStoreError ? { ok: false, error: item } : results.next().value!,
    );
  }
}
