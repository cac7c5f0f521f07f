import {
  DocumentStoreError,
  isStoreAway,
  type BulkItemResult,
  type BulkOperation,
  type Document,
  type Filter,
  type FindOptions,
  type SortSpec,
  type Update,
  type UpdateResult,
} from "../port.ts";
import { applyUpdate, parseUpdate, type UpdateStep } from "./update.ts";
import { cleanDocument } from "./document.ts";
import { parseFilter } from "./filter.ts";
import { parseSort, type SortKey } from "./order.ts";
import { badDocument, badQuery, type JsonObject } from "./paths.ts";
import { pinnedId, type Predicate } from "./predicate.ts";
import type { DateCodec, Shape } from "./shape.ts";

export type StoredDocument = JsonObject & { _id: string };

/** A write to one collection, checked. The filter of an upsert is an id. */
export type Write =
  | { kind: "insert"; document: StoredDocument }
  | UpdateWrite
  | { kind: "replace"; filter: Predicate; document: StoredDocument; upsert?: boolean }
  | { kind: "delete"; filter: Predicate; many?: boolean };

export interface UpdateWrite {
  kind: "update";
  filter: Predicate;
  steps: UpdateStep[];
  many?: boolean;
  sort?: SortKey[];
  /** Whether the result carries the document as it is afterwards. */
  answerDocument?: boolean;
  upsert?: boolean;
}

export interface WriteResult {
  matched: number;
  modified: number;
  upsertedId?: string;
  inserted?: boolean;
  deleted?: number;
  /** The document as it is after the update, when it was asked for. */
  document?: StoredDocument;
}

export interface Selection {
  predicate: Predicate;
  sort: readonly SortKey[];
  skip?: number;
  limit?: number;
}

/** Checks the port's calls for one collection, for every adapter. Each method throws BAD_QUERY or BAD_DOCUMENT. */
export class CallParser {
  readonly #shape: Shape;
  readonly #encodeDate: DateCodec;

  constructor(shape: Shape, encodeDate: DateCodec) {
    this.#shape = shape;
    this.#encodeDate = encodeDate;
  }

  filter(filter: Filter): Predicate {
    return parseFilter(filter, { shape: this.#shape, encodeDate: this.#encodeDate });
  }

  selection(filter: Filter, { sort, skip, limit }: FindOptions): Selection {
    return {
      predicate: this.filter(filter),
      sort: parseSort(this.#shape, sort),
      skip: wholeNumber("skip", skip),
      limit: wholeNumber("limit", limit),
    };
  }

  update(
    filter: Filter,
    update: Update,
    { sort, ...options }: { upsert?: boolean; many?: boolean; sort?: SortSpec; answerDocument?: boolean } = {},
  ): UpdateWrite {
    return {
      kind: "update",
      filter: this.#filterOf(filter, options.upsert),
      steps: parseUpdate(this.#shape, update, this.#encodeDate),
      sort: parseSort(this.#shape, sort),
      ...options,
    };
  }

  operation(operation: BulkOperation<Document>): Write {
    if ("insertOne" in operation) return { kind: "insert", document: this.#document(operation.insertOne) };
    if ("updateOne" in operation) {
      const { filter, update, upsert } = operation.updateOne;
      return this.update(filter, update, { upsert });
    }
    if ("deleteOne" in operation) return { kind: "delete", filter: this.filter(operation.deleteOne.filter) };
    const { filter, replacement, upsert } = operation.replaceOne;
    const [predicate, document] = [this.#filterOf(filter, upsert), this.#document(replacement)];
    if ((pinnedId(predicate) ?? document._id) !== document._id) throw badDocument("_id cannot be changed");
    return { kind: "replace", filter: predicate, document, upsert };
  }

  #document(document: Document): StoredDocument {
    return cleanDocument(this.#shape, document, this.#encodeDate);
  }

  #filterOf(filter: Filter, upsert = false): Predicate {
    const predicate = this.filter(filter);
    if (upsert && (predicate.op !== "$eq" || pinnedId(predicate) === undefined))
      throw badQuery("The filter of an upsert is an id");
    return predicate;
  }
}

/** The document that an upsert inserts. */
export function upsertedDocument({ filter, steps }: UpdateWrite): StoredDocument {
  const document = { _id: pinnedId(filter)! };
  applyUpdate(document, steps, true);
  return document;
}

export function isUpsert(write: Write): boolean {
  return (write.kind === "update" || write.kind === "replace") && Boolean(write.upsert);
}

/** @throws CONDITION_FAILED when a write that is required had no effect */
export function assertEffect(
  { require, collection }: { require: boolean; collection: string },
  { matched, inserted, upsertedId }: WriteResult,
): void {
  if (require && matched === 0 && !inserted && upsertedId === undefined)
    throw new DocumentStoreError("CONDITION_FAILED", `${collection}: no document met the condition`);
}

export function toUpdateResult({ matched, modified, upsertedId }: WriteResult): UpdateResult {
  return upsertedId === undefined ? { matched, modified } : { matched, modified, upsertedId };
}

/** The entry of a bulk's answer. @throws the error of a store that is away */
export async function toItemResult(writing: Promise<WriteResult>): Promise<BulkItemResult> {
  try {
    return { ok: true, ...(await writing) };
  } catch (error) {
    if (error instanceof DocumentStoreError && !isStoreAway(error)) return { ok: false, error };
    throw error;
  }
}

/** Runs `work`; an error of the store says which write of an atomic batch it is about. */
export function asItem<T>(index: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof DocumentStoreError) error.failedAt = index;
    throw error;
  }
}

function wholeNumber(name: string, value: number | undefined): number | undefined {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return value;
  throw badQuery(`${name} is a whole number from 0`);
}
