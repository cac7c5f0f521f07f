/**
 * The document store port: a closed subset of MongoDB's collections, filters and updates that means the same on every
 * adapter. `sqlite/` is the embedded adapter, `mongo/` the real one; `test/document-store.contract.ts` runs on both.
 *
 * A resolved write is durable (SQLite synchronous=FULL, MongoDB majority and journal). Errors are
 * `DocumentStoreError`s, distinguished by `code`.
 */

export type Scalar = string | number | boolean | Date | null;

/**
 * Every document has a string id that is not empty. Undefined is never stored: it is the same as absent. A document
 * holds what JSON holds, and declared dates; no field name starts with `$`; at most 16 MiB and 100 levels.
 */
export interface Document {
  _id: string;
}

export type FieldType = "string" | "number" | "boolean" | "date";

/**
 * 1 ascending, -1 descending, of declared fields. Missing and null come first in ascending order; strings compare by
 * code point. Equal documents follow by id, in the last key's direction.
 */
export type SortSpec = Record<string, 1 | -1>;

export interface IndexDefinition {
  /** Paths of declared fields (dots reach into objects), in order. */
  keys: SortSpec;
  /** Two documents may not share these values; those that lack a key, or have null in it, are not compared. */
  unique?: boolean;
}

export interface CollectionDefinition {
  /** Lower-case snake case, at most 64 characters. */
  name: string;
  /**
   * Declared scalar fields. A value of another type is refused, null is not. A Date (years 1 to 9999) needs a field
   * declared `date`. Nothing on the way to a declared field may be an array.
   */
  fields?: Record<string, FieldType>;
  indexes?: IndexDefinition[];
  /** A `date` field: from that moment on the document is gone, and its id and unique values are free. */
  expires?: string;
}

/** All that are given must hold. */
export interface Condition {
  $ne?: Scalar;
  $gt?: NonNullable<Scalar>;
  $gte?: NonNullable<Scalar>;
  $lt?: NonNullable<Scalar>;
  $lte?: NonNullable<Scalar>;
  $in?: readonly Scalar[];
  $exists?: boolean;
  $size?: number;
  $regex?: RegExp;
}

/**
 * MongoDB's meaning; any other operator is refused with BAD_QUERY. Ranges and patterns take declared fields; equality
 * also finds an element of an undeclared array. A path runs through objects, never through arrays; its segments do not
 * start with `$`, are not digits alone and have no quotation mark. `undefined` is refused: left out, it would match
 * everything. Patterns take the flags i, m, s and u, and should keep to what JavaScript and PCRE share.
 */
export interface Filter {
  $or?: readonly Filter[];
  [path: string]: Scalar | Condition | readonly Filter[] | undefined;
}

/** Update with MongoDB's meaning, and no other operator or path. */
export interface Update {
  $set?: Record<string, unknown>;
  $unset?: Record<string, true | "" | 1>;
  $inc?: Record<string, number>;
  $push?: Record<string, unknown>;
  $addToSet?: Record<string, unknown>;
  $pull?: Record<string, Scalar>;
  $setOnInsert?: Record<string, unknown>;
}

export interface FindOptions {
  sort?: SortSpec;
  skip?: number;
  limit?: number;
  /**
   * Reads only what a failover of MongoDB cannot take back, for acts that nothing undoes. The newest writes may be
   * missing.
   */
  durable?: boolean;
}

export interface UpdateResult {
  matched: number;
  upsertedId?: string;
}

export type BulkOperation<T extends Document> =
  | { insertOne: T }
  | { updateOne: { filter: Filter; update: Update; upsert?: boolean } }
  | { replaceOne: { filter: Filter; replacement: T; upsert?: boolean } }
  | { deleteOne: { filter: Filter } };

/** One result for each operation, in order. A failed one leaves the others as they are. */
export type BulkItemResult = { ok: true; upsertedId?: string } | { ok: false; error: DocumentStoreError };

/**
 * A write of an atomic batch. `require: true` fails the whole batch with CONDITION_FAILED when the operation matches
 * nothing (an upsert always matches). Use it to write a compare-and-set.
 */
export type AtomicWrite = { collection: CollectionDefinition; require?: boolean } & BulkOperation<
  Document & Record<string, unknown>
>;

export interface CountedGroup {
  /** One of each field; null if a document has none. */
  values: Scalar[];
  count: number;
  /** Absent if no document of the group has the date. */
  earliest?: Date;
}

export interface Collection<T extends Document> {
  readonly definition: CollectionDefinition;
  /** @throws DUPLICATE_KEY when the id or a unique index is taken by a document that has not expired. */
  insertOne(document: T): Promise<void>;
  findOne(filter: Filter, options?: Pick<FindOptions, "sort">): Promise<T | null>;
  find(filter: Filter, options?: FindOptions): Promise<T[]>;
  /** Streams every match in batches, by id unless `sort` is given. */
  iterate(filter: Filter, options?: Pick<FindOptions, "sort">): AsyncIterable<T>;
  count(filter: Filter): Promise<number>;
  /**
   * Counts the matches by the values of declared fields, in one query. An index should begin with a field of the
   * filter: the embedded store reads all matches at once.
   * @param dated a declared date, whose earliest value each group has
   */
  countBy(filter: Filter, fields: readonly string[], dated?: string): Promise<CountedGroup[]>;
  /** The filter of an upsert is `{ _id }` alone. */
  updateOne(filter: Filter, update: Update, options?: { upsert?: boolean }): Promise<UpdateResult>;
  /**
   * Updates all documents that match. On MongoDB, an update that does not fit one of them may leave others updated;
   * SQLite updates all or none.
   */
  updateMany(filter: Filter, update: Update): Promise<UpdateResult>;
  /** Returns the document after the update, or null when nothing matched. */
  findOneAndUpdate(filter: Filter, update: Update, options?: { upsert?: boolean }): Promise<T | null>;
  replaceOne(filter: Filter, replacement: T, options?: { upsert?: boolean }): Promise<UpdateResult>;
  deleteOne(filter: Filter): Promise<number>;
  deleteMany(filter: Filter): Promise<number>;
  /** @throws UNAVAILABLE, OUTCOME_UNKNOWN: after both, some may be written. */
  bulkWrite(operations: BulkOperation<T>[]): Promise<BulkItemResult[]>;
}

export interface DocumentStore {
  /** Name in the start table and /health. */
  readonly backend: "embedded" | "mongodb";
  /** Cheap and idempotent; indexes are made on first use. */
  collection<T extends Document>(definition: CollectionDefinition): Collection<T>;
  /**
   * All of the writes or none. Repeats after conflicts with other batches.
   * @throws DUPLICATE_KEY, CONDITION_FAILED (nothing written; `failedAt` is the index of the write); UNAVAILABLE
   * (nothing written); OUTCOME_UNKNOWN
   */
  atomically(writes: AtomicWrite[]): Promise<void>;
  /** @throws UNAVAILABLE */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Messages of an adapter, without documents or values. A Moleculer logger fits. */
export interface StoreLogger {
  warn(message: string): void;
  error(message: string): void;
}

type DocumentStoreErrorCode =
  | "DUPLICATE_KEY"
  | "CONDITION_FAILED"
  | "BAD_QUERY"
  | "BAD_DOCUMENT"
  /** Disk full, locked, closed, unreachable: a later try may go through. Nothing was written, except by `bulkWrite`. */
  | "UNAVAILABLE"
  /** The connection or the writer thread was lost midway: all of it was written, or nothing. */
  | "OUTCOME_UNKNOWN";

export class DocumentStoreError extends Error {
  override readonly name = "DocumentStoreError";
  readonly code: DocumentStoreErrorCode;
  /** Index of the failed write in an atomic batch. */
  failedAt?: number;

  constructor(code: DocumentStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Returns whether an error is a store's with one of these codes. From another node it has no class and no `failedAt`.
 */
export function hasStoreCode(error: unknown, ...codes: DocumentStoreErrorCode[]): error is DocumentStoreError {
  const { name, code } = (error ?? {}) as Partial<DocumentStoreError>;
  return name === "DocumentStoreError" && code !== undefined && codes.includes(code);
}

/** Waits for a write. @returns whether it was done: false if the store refuses it with this code */
export async function isWritten(
  write: Promise<unknown>,
  unless: "DUPLICATE_KEY" | "CONDITION_FAILED",
): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (hasStoreCode(error, unless)) return false;
    throw error;
  }
}

/** Returns whether the store is, or was at this call, unreachable. */
export function isStoreAway(error: unknown): error is DocumentStoreError {
  return hasStoreCode(error, "UNAVAILABLE", "OUTCOME_UNKNOWN");
}

/** The condition that a text holds one of the pieces, in any case. No index serves it. */
export function contains(...pieces: [string, ...string[]]): Condition {
  const patterns = pieces.map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return { $regex: new RegExp(patterns.join("|"), "i") };
}
