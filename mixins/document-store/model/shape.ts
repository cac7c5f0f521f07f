import type { CollectionDefinition, FieldType, IndexDefinition, SortSpec } from "../port.ts";
import { badQuery, isPath, pathsOverlap } from "./document.ts";

export interface Shape {
  definition: CollectionDefinition;
  name: string;
  /** Declared paths, `_id` among them. */
  fields: ReadonlyMap<string, FieldType>;
  /** Paths of objects that hold declared fields. */
  holders: ReadonlySet<string>;
  indexes: readonly IndexDefinition[];
  dates: readonly string[];
  expires?: string;
  /** SQLite: milliseconds since 1970; MongoDB: a Date. */
  encodeDate: DateCodec;
}

export type DateCodec = (date: Date) => Date | number;

const COLLECTION_NAME = /^(?!sqlite_)[a-z][a-z0-9_]{0,63}$/;
const FIELD_PATH = /^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$/;

/** @throws BAD_QUERY when the definition contradicts itself */
export function compileShape(definition: CollectionDefinition, encodeDate: DateCodec): Shape {
  const { name, indexes = [], expires } = definition;
  if (!COLLECTION_NAME.test(name)) throw badQuery(`Not a collection name: ${JSON.stringify(name)}`);
  const fields = new Map<string, FieldType>([["_id", "string"]]);
  for (const [path, type] of Object.entries(definition.fields ?? {})) {
    if (!FIELD_PATH.test(path) || !isPath(path)) throw badQuery(`${name}: not a field name: ${JSON.stringify(path)}`);
    const clash = [...fields.keys()].find((other) => other !== path && pathsOverlap(other, path));
    if (clash) throw badQuery(`${name}: ${path} and ${clash} cannot both be declared`);
    fields.set(path, type);
  }
  for (const { keys } of indexes) {
    const paths = Object.keys(keys);
    const undeclared = paths.find((path) => !fields.has(path));
    if (paths.length === 0 || undeclared)
      throw badQuery(`${name}: an index needs declared fields, not ${undeclared ?? "none"}`);
  }
  if (expires !== undefined && fields.get(expires) !== "date")
    throw badQuery(`${name}: ${expires} must be declared date to expire by`);
  const dates = [...fields].filter(([, type]) => type === "date").map(([path]) => path);
  const holders = new Set([...fields.keys()].flatMap(holdersOf));
  return { definition, name, fields, holders, indexes, dates, expires, encodeDate };
}

export function isInsideScalar({ fields }: Shape, path: string): boolean {
  return holdersOf(path).some((holder) => fields.has(holder));
}

function holdersOf(path: string): string[] {
  const segments = path.split(".");
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join("."));
}

export interface SortKey {
  path: string;
  direction: 1 | -1;
}

/**
 * Ended by `_id` so that pages never overlap; in the last key's direction, so that one index serves both.
 * @throws BAD_QUERY
 */
export function parseSort(shape: Shape, sort: SortSpec = {}): SortKey[] {
  const keys = Object.entries(sort).map(([path, direction]): SortKey => {
    if (direction !== 1 && direction !== -1) throw badQuery(`A sort direction is 1 or -1 (${path})`);
    if (!shape.fields.has(path)) throw badQuery(`${shape.name} is sorted by ${path}, which is not declared`);
    return { path, direction };
  });
  const last = keys.at(-1);
  if (last && !("_id" in sort)) keys.push({ path: "_id", direction: last.direction });
  return keys;
}

/** A unique index is of its own fields alone. */
export function indexKeys(shape: Shape, { keys, unique }: IndexDefinition): SortKey[] {
  return parseSort(shape, keys).filter(({ path }) => !unique || path in keys);
}

export function indexName({ keys, unique }: IndexDefinition): string {
  const parts = Object.entries(keys).map(([path, direction]) => `${path}_${direction}`);
  return [...parts, unique ? "unique" : "plain"].join("__");
}

/** One value a key. */
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

/** By code point, as UTF-8 bytes compare; JavaScript puts astral characters before U+E000. */
function compareStrings(first: string, second: string): number {
  let at = 0;
  while (at < first.length && first.charCodeAt(at) === second.charCodeAt(at)) at++;
  return (first.codePointAt(at) ?? -1) - (second.codePointAt(at) ?? -1);
}
