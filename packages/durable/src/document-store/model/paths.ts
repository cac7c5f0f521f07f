import { DocumentStoreError } from "../port.ts";

export type JsonObject = Record<string, unknown>;

/**
 * A segment that is empty, begins with `$`, has a quotation mark or null character, reaches a prototype instead of data
 * (CWE-1321), or is digits alone: MongoDB reads that as a key and as an array index at once.
 */
const BAD_SEGMENT = /^$|^\$|["\0]|^\d+$|^(?:__proto__|constructor|prototype)$/;

/** True for an object literal of any realm; false for arrays, dates, and instances of a class. */
export function isPlainObject(value: unknown): value is JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

export function isPath(path: string): boolean {
  return !path.split(".").some((segment) => BAD_SEGMENT.test(segment));
}

/** @throws BAD_QUERY */
export function assertPath(path: string): void {
  if (!isPath(path)) throw createBadQuery(`Not a path: ${JSON.stringify(path)}`);
}

/** Returns the value at a path that runs through objects only; undefined if it ends early. */
export function getValueAt(document: unknown, path: string): unknown {
  let current = document;
  for (const segment of path.split(".")) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, segment)) return undefined;
    current = (current as JsonObject)[segment];
  }
  return current;
}

/** True when one path is the other or lies inside it. */
export function isOverlapping(first: string, second: string): boolean {
  return first === second || first.startsWith(`${second}.`) || second.startsWith(`${first}.`);
}

/** Returns whether two stored values are the same; the order of an object's fields counts, as in MongoDB. */
export function isSame(first: unknown, second: unknown): boolean {
  return first === second || JSON.stringify(first) === JSON.stringify(second);
}

export function createBadQuery(message: string): DocumentStoreError {
  return new DocumentStoreError("BAD_QUERY", message);
}

export function createBadDocument(message: string): DocumentStoreError {
  return new DocumentStoreError("BAD_DOCUMENT", message);
}
