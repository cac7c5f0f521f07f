import { ulid } from "ulid";
import { DocumentStoreError } from "../port.ts";
import type { BulkOperation, Document, Filter, SortSpec, Update } from "../port.ts";
import { cleanDocument } from "../model/document.ts";
import { parseFilter } from "../model/filter.ts";
import { parseSort } from "../model/order.ts";
import { pinnedId } from "../model/predicate.ts";
import type { Predicate } from "../model/predicate.ts";
import type { Shape } from "../model/shape.ts";
import { parseUpdate } from "../model/update.ts";
import { givenId, upsertEqualities } from "../model/upsert.ts";
import type { Write } from "./protocol.ts";
import { encodeDate, toText } from "./text.ts";

/** The port's calls, checked and put as the writer takes them. Each throws BAD_QUERY or BAD_DOCUMENT. */

export function filterPredicate(shape: Shape, filter: Filter): Predicate {
  return parseFilter(filter, { shape, encodeDate });
}

export function insertWrite(shape: Shape, document: Document): Write {
  const clean = cleanDocument(shape, document, encodeDate);
  return { kind: "insert", id: clean._id, doc: toText(clean) };
}

export function updateWrite(shape: Shape, filter: Filter, update: Update, options: { upsert?: boolean; many?: boolean; sort?: SortSpec; answerDocument?: boolean } = {}): Write {
  const predicate = filterPredicate(shape, filter);
  const steps = parseUpdate(shape, update, encodeDate);
  const write: Write = { kind: "update", filter: predicate, steps, many: options.many, sort: parseSort(options.sort), answerDocument: options.answerDocument };
  if (options.upsert) {
    const equalities = upsertEqualities(predicate, steps);
    write.upsert = { newId: givenId(equalities, steps) ?? ulid(), equalities };
  }
  return write;
}

export function replaceWrite(shape: Shape, filter: Filter, replacement: Document, upsert = false): Write {
  const predicate = filterPredicate(shape, filter);
  const clean = cleanDocument(shape, replacement, encodeDate);
  if ((pinnedId(predicate) ?? clean._id) !== clean._id) throw new DocumentStoreError("BAD_DOCUMENT", "_id cannot be changed");
  return { kind: "replace", filter: predicate, id: clean._id, doc: toText(clean), upsert };
}

export function deleteWrite(shape: Shape, filter: Filter, many = false): Write {
  return { kind: "delete", filter: filterPredicate(shape, filter), many };
}

export function operationWrite(shape: Shape, operation: BulkOperation<Document>): Write {
  if ("insertOne" in operation) return insertWrite(shape, operation.insertOne);
  if ("updateOne" in operation) return updateWrite(shape, operation.updateOne.filter, operation.updateOne.update, operation.updateOne);
  if ("replaceOne" in operation) return replaceWrite(shape, operation.replaceOne.filter, operation.replaceOne.replacement, operation.replaceOne.upsert);
  if ("deleteOne" in operation) return deleteWrite(shape, operation.deleteOne.filter);
  throw new DocumentStoreError("BAD_QUERY", "Unknown bulk operation");
}
