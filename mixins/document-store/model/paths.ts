import { DocumentStoreError } from "../port.ts";

export type JsonObject = Record<string, unknown>;

/** Names that reach a prototype instead of data (CWE-1321). */
const PROTOTYPE_NAMES = new Set(["__proto__", "constructor", "prototype"]);

/** True for an object literal of any realm; false for arrays, dates, and instances of a class. */
export function isPlainObject(value: unknown): value is JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * Returns the segments of a dotted path.
 * @throws BAD_QUERY for a segment that is empty, begins with `$`, has a quotation mark or null character, reaches a
 *   prototype, or is digits alone: MongoDB reads that as a key and as an array index at once.
 */
export function parsePath(path: string): string[] {
  const segments = path.split(".");
  for (const segment of segments) {
    if (/^$|^\$|["\0]|^\d+$/.test(segment) || PROTOTYPE_NAMES.has(segment))
      throw badQuery(`Not a path: ${JSON.stringify(path)}`);
  }
  return segments;
}

/** Returns the value at a path that runs through objects only; undefined if it ends early. */
export function valueAt(document: unknown, path: string): unknown {
  let current = document;
  for (const segment of path.split(".")) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, segment)) return undefined;
    current = (current as JsonObject)[segment];
  }
  return current;
}

/** True when one path is the other or lies inside it. */
export function pathsOverlap(first: string, second: string): boolean {
  return first === second || first.startsWith(`${second}.`) || second.startsWith(`${first}.`);
}

/** Whether two stored values are the same; the order of an object's fields counts, as in MongoDB. */
export function isSame(first: unknown, second: unknown): boolean {
  return first === second || JSON.stringify(first) === JSON.stringify(second);
}

export function badQuery(message: string): DocumentStoreError {
  return new DocumentStoreError("BAD_QUERY", message);
}

export function badDocument(message: string): DocumentStoreError {
  return new DocumentStoreError("BAD_DOCUMENT", message);
}
