import type { IndexDefinition, SortSpec } from "../port.ts";
import { createBadQuery } from "./paths.ts";
import type { Shape } from "./shape.ts";

export interface SortKey {
  path: string;
  direction: 1 | -1;
}

/**
 * The keys of a sort, ended by `_id` so that pages never overlap; in the last key's direction, so that one index serves
 * both directions. @throws BAD_QUERY
 */
export function parseSort(shape: Shape, sort: SortSpec = {}): SortKey[] {
  const keys = Object.entries(sort).map(([path, direction]): SortKey => {
    if (direction !== 1 && direction !== -1) throw createBadQuery(`A sort direction is 1 or -1 (${path})`);
    if (!shape.fields.has(path)) throw createBadQuery(`${shape.name} is sorted by ${path}, which is not declared`);
    return { path, direction };
  });
  const last = keys.at(-1);
  if (last && !("_id" in sort)) keys.push({ path: "_id", direction: last.direction });
  return keys;
}

/** The keys of an index: as of a sort, except that a unique one is of its own fields alone. */
export function indexKeys(shape: Shape, { keys, unique }: IndexDefinition): SortKey[] {
  return parseSort(shape, keys).filter(({ path }) => !unique || path in keys);
}

/** Names an index within its collection. */
export function indexName({ keys, unique }: IndexDefinition): string {
  const parts = Object.entries(keys).map(([path, direction]) => `${path}_${direction}`);
  return [...parts, unique ? "unique" : "plain"].join("__");
}

/** Compares two lists of values of declared fields, one value a key. */
export function compareByKeys(first: readonly unknown[], second: readonly unknown[], keys: readonly SortKey[]): number {
  for (const [index, { direction }] of keys.entries()) {
    const order = compareScalars(first[index], second[index]);
    if (order !== 0) return order * direction;
  }
  return 0;
}

/** Null first; of two values of one type. */
function compareScalars(first: unknown, second: unknown): number {
  if (first === null || second === null) return Number(second === null) - Number(first === null);
  return typeof first === "string" ? compareStrings(first, second as string) : Number(first) - Number(second);
}

/** Compares by code point, like UTF-8 bytes; JavaScript's own order puts astral characters before U+E000. */
function compareStrings(first: string, second: string): number {
  let index = 0;
  while (index < first.length && first.charCodeAt(index) === second.charCodeAt(index)) index++;
  return (first.codePointAt(index) ?? -1) - (second.codePointAt(index) ?? -1);
}
