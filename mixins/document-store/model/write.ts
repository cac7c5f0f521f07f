import { ulid } from "ulid";
import { DocumentStoreError } from "../port.ts";
import type { BulkOperation, Document, Filter, FindOptions, SortSpec, Update, UpdateResult } from "../port.ts";
import { cleanDocument } from "./document.ts";
import { parseFilter } from "./filter.ts";
import { parseSort } from "./order.ts";
import type { SortKey } from "./order.ts";
import type { JsonObject } from "./paths.ts";
import { pinnedId } from "./predicate.ts";
import type { Predicate } from "./predicate.ts";
import type { DateCodec, Shape } from "./shape.ts";
import { parseUpdate } from "./update.ts";
import type { UpdateStep } from "./update.ts";
import { givenId, upsertEqualities } from "./upsert.ts";
import type { Equality } from "./upsert.ts";

export type StoredDocument = JsonObject & { _id: string };

/** A write to one collection, checked. */
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
  upsert?: { newId: string; equalities: Equality[] };
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

/**
 * Checks the port's calls for one collection, for every adapter alike. Each method throws BAD_QUERY or BAD_DOCUMENT.
 */
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
      sort: parseSort(sort),
      skip: wholeNumber("skip", skip),
      limit: wholeNumber("limit", limit),
    };
  }

  insert(document: Document): Write {
    return { kind: "insert", document: this.#document(document) };
  }

  update(
    filter: Filter,
    update: Update,
    options: { upsert?: boolean; many?: boolean; sort?: SortSpec; answerDocument?: boolean } = {},
  ): UpdateWrite {
    const { upsert, many, sort, answerDocument } = options;
    const predicate = this.filter(filter);
    const steps = parseUpdate(this.#shape, update, this.#encodeDate);
    const write: UpdateWrite = {
      kind: "update",
      filter: predicate,
      steps,
      many,
      sort: parseSort(sort),
      answerDocument,
    };
    if (upsert) {
      const equalities = upsertEqualities(predicate, steps);
      write.upsert = { newId: givenId(equalities, steps) ?? ulid(), equalities };
    }
    return write;
  }

  replace(filter: Filter, replacement: Document, upsert = false): Write {
    const predicate = this.filter(filter);
    const document = this.#document(replacement);
    if ((pinnedId(predicate) ?? document._id) !== document._id)
      throw new DocumentStoreError("BAD_DOCUMENT", "_id cannot be changed");
    return { kind: "replace", filter: predicate, document, upsert };
  }

  delete(filter: Filter, many = false): Write {
    return { kind: "delete", filter: this.filter(filter), many };
  }

  operation(operation: BulkOperation<Document>): Write {
    if ("insertOne" in operation) return this.insert(operation.insertOne);
    if ("updateOne" in operation)
      return this.update(operation.updateOne.filter, operation.updateOne.update, {
        upsert: operation.updateOne.upsert,
      });
    if ("replaceOne" in operation)
      return this.replace(operation.replaceOne.filter, operation.replaceOne.replacement, operation.replaceOne.upsert);
    if ("deleteOne" in operation) return this.delete(operation.deleteOne.filter);
    throw new DocumentStoreError("BAD_QUERY", "Unknown bulk operation");
  }

  /** As `operation`, with the error as the answer: one bad item of a bulk does not stop the others. */
  tryOperation(operation: BulkOperation<Document>): Write | DocumentStoreError {
    try {
      return this.operation(operation);
    } catch (error) {
      if (error instanceof DocumentStoreError) return error;
      throw error;
    }
  }

  /** As `operation`; an error says which write of an atomic batch it is about. */
  batchOperation(operation: BulkOperation<Document>, index: number): Write {
    const write = this.tryOperation(operation);
    if (!(write instanceof DocumentStoreError)) return write;
    write.failedAt = index;
    throw write;
  }

  #document(document: Document): StoredDocument {
    return cleanDocument(this.#shape, document, this.#encodeDate);
  }
}

export function isUpsert(write: Write): boolean {
  return (write.kind === "update" || write.kind === "replace") && Boolean(write.upsert);
}

/** What `require` asks of a write in an atomic batch. */
export function hasEffect({ matched, inserted, upsertedId }: WriteResult): boolean {
  return matched > 0 || inserted === true || upsertedId !== undefined;
}

export function toUpdateResult({ matched, modified, upsertedId }: WriteResult): UpdateResult {
  return upsertedId === undefined ? { matched, modified } : { matched, modified, upsertedId };
}

function wholeNumber(name: string, value: number | undefined): number | undefined {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return value;
  throw new DocumentStoreError("BAD_QUERY", `${name} is a whole number from 0`);
}
