import { types } from "node:util";
import type { DocumentStoreError, FieldType } from "../port.ts";
import type { Shape } from "./shape.ts";
import { type JsonObject, isPlainObject, createBadDocument } from "./paths.ts";

/** MongoDB's own limits, kept by every adapter. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
const MAX_DEPTH = 100;

export const FIRST_DATE = Date.parse("0001-01-01T00:00:00.000Z");
const LAST_DATE = Date.parse("9999-12-31T23:59:59.999Z");

/** Returns a copy that holds what JSON holds and declared dates, and nothing undefined. @throws BAD_DOCUMENT */
export function cleanDocument(shape: Shape, document: unknown): JsonObject & { _id: string } {
  if (!isPlainObject(document)) throw createProblem("", "a document is an object");
  const id = document["_id"];
  if (typeof id !== "string" || id === "") throw createProblem("_id", "is not a string");
  return cleanObject(document, "", shape, 1) as JsonObject & { _id: string };
}

/**
 * Cleans the value at a path as `cleanDocument` does.
 * @param shape undefined inside arrays, where no field is declared
 */
export function cleanValue(value: unknown, path: string, shape: Shape | undefined, depth = 1): unknown {
  if (value === null || value === undefined) return null;
  const type = shape?.fields.get(path);
  if (type && !hasType(value, type)) throw createProblem(path, `is not a ${type}`);
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw createProblem(path, "is not a finite number");
    return value + 0;
  }
  if (typeof value !== "object") throw createProblem(path, `is a ${typeof value}`);
  if (depth > MAX_DEPTH) throw createProblem(path, "is nested too deeply");
  if (Array.isArray(value)) {
    if (shape?.holders.has(path)) throw createProblem(path, "is an array, and a declared field lies inside it");
    return Array.from(value, (item: unknown) => cleanValue(item, path, undefined, depth + 1));
  }
  if (types.isDate(value)) {
    if (!shape || !type) throw createProblem(path, "is a Date, and the field is not declared date");
    if (!isStorableDate(value)) throw createProblem(path, "is no date of the years 1 to 9999");
    return shape.encodeDate(value);
  }
  if (!isPlainObject(value)) throw createProblem(path, "is neither a plain object nor an array");
  return cleanObject(value, path, shape, depth + 1);
}

/** True when a value is of a declared type; null is of none. */
export function hasType(value: unknown, type: FieldType): boolean {
  return type === "date" ? types.isDate(value) : typeof value === type;
}

/** True for a valid date of the years 1 to 9999, whose ISO form has four digits. */
export function isStorableDate(date: Date): boolean {
  return date.getTime() >= FIRST_DATE && date.getTime() <= LAST_DATE;
}

function cleanObject(object: JsonObject, path: string, shape: Shape | undefined, depth: number): JsonObject {
  const copy: JsonObject = {};
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value === undefined) continue;
    const childPath = path === "" ? key : `${path}.${key}`;
    if (key.startsWith("$") || key === "__proto__" || key.includes("\0"))
      throw createProblem(childPath, "is not a permitted field name");
    copy[key.toWellFormed()] = cleanValue(value, childPath, key.includes(".") ? undefined : shape, depth);
  }
  return copy;
}

function createProblem(path: string, reason: string): DocumentStoreError {
  return createBadDocument(path === "" ? `Not a document: ${reason}` : `${path} ${reason}`);
}
