import { DocumentStoreError } from "../port.ts";
import type { SortSpec } from "../port.ts";
import { isPlainObject, parsePath } from "./paths.ts";
import type { JsonObject } from "./paths.ts";

/** MongoDB's order between types: null, numbers, strings, objects, arrays, booleans, dates. */
const TYPE_RANK = { null: 1, number: 2, string: 3, object: 4, array: 5, boolean: 6, date: 7 } as const;

export type SortKey = { path: string; segments: string[]; direction: 1 | -1 };

/**
 * The keys of a sort with `_id` as the last one, so that pages never overlap; in the last key's direction, so that one
 * index serves both directions.
 * @throws BAD_QUERY
 */
export function parseSort(sort: SortSpec | undefined): SortKey[] {
  const keys: SortKey[] = [];
  for (const [path, direction] of Object.entries(sort ?? {})) {
    if (direction !== 1 && direction !== -1)
      throw new DocumentStoreError("BAD_QUERY", `A sort direction is 1 or -1 (${path})`);
    keys.push({ path, segments: parsePath(path), direction });
  }
  const last = keys.at(-1);
  if (last && !keys.some(({ path }) => path === "_id"))
    keys.push({ path: "_id", segments: ["_id"], direction: last.direction });
  return keys;
}

/** Compares two documents by the keys. An array counts as its smallest element ascending and its largest descending. */
export function documentComparator(keys: readonly SortKey[]): (first: JsonObject, second: JsonObject) => number {
  return (first, second) => compareSortValues(sortValues(first, keys), sortValues(second, keys), keys);
}

/** What a document is sorted by: one value a key. */
export function sortValues(document: JsonObject, keys: readonly SortKey[]): unknown[] {
  return keys.map(({ segments, direction }) => sortValue(document, segments, direction));
}

/** Compares two results of `sortValues`. */
export function compareSortValues(
  first: readonly unknown[],
  second: readonly unknown[],
  keys: readonly SortKey[],
): number {
  for (const [index, { direction }] of keys.entries()) {
    const order = compareOrNothing(first[index], second[index]);
    if (order !== 0) return order * direction;
  }
  return 0;
}

/** MongoDB's total order of values; 0 is equality, in which the order of an object's fields counts. */
export function compareValues(first: unknown, second: unknown): number {
  const type = typeOf(first);
  const rank = TYPE_RANK[type] - TYPE_RANK[typeOf(second)];
  if (rank !== 0) return rank;
  switch (type) {
    case "null":
      return 0;
    case "string":
      return compareStrings(first as string, second as string);
    case "array":
      return compareLists(first as unknown[], second as unknown[], compareValues);
    case "object":
      return compareLists(Object.entries(first as JsonObject), Object.entries(second as JsonObject), compareEntries);
    case "number":
    case "boolean":
    case "date":
      return Number(first) - Number(second);
  }
}

/** By code point, as UTF-8 bytes compare; JavaScript's own order puts astral characters before U+E000. */
export function compareStrings(first: string, second: string): number {
  const length = Math.min(first.length, second.length);
  for (let index = 0; index < length; index++) {
    const a = first.charCodeAt(index);
    const b = second.charCodeAt(index);
    if (a !== b) return codePointRank(a) - codePointRank(b);
  }
  return first.length - second.length;
}

export function typeOf(value: unknown): keyof typeof TYPE_RANK {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  if (type === "number" || type === "string" || type === "boolean") return type;
  return isPlainObject(value) ? "object" : "date";
}

function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

function compareEntries([nameA, valueA]: [string, unknown], [nameB, valueB]: [string, unknown]): number {
  return (
    TYPE_RANK[typeOf(valueA)] - TYPE_RANK[typeOf(valueB)] ||
    compareStrings(nameA, nameB) ||
    compareValues(valueA, valueB)
  );
}

function compareLists<T>(first: T[], second: T[], compare: (a: T, b: T) => number): number {
  const length = Math.min(first.length, second.length);
  for (let index = 0; index < length; index++) {
    const order = compare(first[index]!, second[index]!);
    if (order !== 0) return order;
  }
  return first.length - second.length;
}

/** An empty array sorts before null: it is the only value that stands for no value at all. */
const NOTHING = Symbol("nothing");

function compareOrNothing(first: unknown, second: unknown): number {
  if (first === NOTHING || second === NOTHING) return Number(second === NOTHING) - Number(first === NOTHING);
  return compareValues(first, second);
}

function sortValue(document: JsonObject, segments: readonly string[], direction: 1 | -1): unknown {
  const values: unknown[] = [];
  collect(document, segments, 0, values);
  if (values.length === 0) return NOTHING;
  return values.reduce((best, value) => (compareOrNothing(value, best) * direction < 0 ? value : best));
}

function collect(value: unknown, segments: readonly string[], from: number, into: unknown[]): void {
  let current = value;
  for (let index = from; index < segments.length; index++) {
    if (Array.isArray(current)) {
      for (const item of current) collect(isPlainObject(item) ? item : null, segments, index, into);
      return;
    }
    const segment = segments[index]!;
    if (!isPlainObject(current) || !Object.hasOwn(current, segment)) {
      into.push(null);
      return;
    }
    current = current[segment];
  }
  if (Array.isArray(current)) {
    into.push(...(current.length === 0 ? [NOTHING] : (current as unknown[])));
  } else {
    into.push(current);
  }
}
