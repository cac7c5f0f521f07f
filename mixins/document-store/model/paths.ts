import { DocumentStoreError } from "../port.ts";

export type JsonObject = Record<string, unknown>;

/** Names that reach a prototype instead of data (CWE-1321). */
const PROTOTYPE_NAMES = new Set(["__proto__", "constructor", "prototype"]);

const DIGITS = /^\d+$/;

/** True for an object literal of any realm; false for arrays, dates, and instances of a class. */
export function isPlainObject(value: unknown): value is JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * The segments of a dotted path.
 * @throws BAD_QUERY for an empty segment, one that starts with `$`, one that reaches a prototype, and, unless
 *   `allowDigits`, one of digits alone: MongoDB reads that as a key and as an array index at once.
 */
export function parsePath(path: string, options: { allowDigits?: boolean } = {}): string[] {
  const segments = path.split(".");
  for (const segment of segments) {
    if (segment === "" || segment.startsWith("$") || segment.includes("\0")) {
      throw new DocumentStoreError("BAD_QUERY", `Not a path: ${JSON.stringify(path)}`);
    }
    if (PROTOTYPE_NAMES.has(segment)) {
      throw new DocumentStoreError("BAD_QUERY", `A path may not contain ${segment}: ${JSON.stringify(path)}`);
    }
    if (!options.allowDigits && DIGITS.test(segment)) {
      throw new DocumentStoreError("BAD_QUERY", `A path may not contain an array index here: ${JSON.stringify(path)}`);
    }
  }
  return segments;
}

/** The value at a path that runs through objects only; undefined where it ends early. */
export function valueAt(document: unknown, segments: readonly string[]): unknown {
  let current = document;
  for (const segment of segments) {
    if (typeof current !== "object" || current === null || Array.isArray(current)) return undefined;
    if (!Object.hasOwn(current, segment)) return undefined;
    current = (current as JsonObject)[segment];
  }
  return current;
}

/** True when one path is the other or lies inside it. */
export function pathsOverlap(first: string, second: string): boolean {
  return first === second || first.startsWith(`${second}.`) || second.startsWith(`${first}.`);
}
