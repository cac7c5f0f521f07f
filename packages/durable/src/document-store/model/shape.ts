import type { CollectionDefinition, FieldType, IndexDefinition } from "../port.ts";
import { createBadQuery, isPath, isOverlapping } from "./paths.ts";

/** A collection definition, checked and compiled. */
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
  /** Returns a declared date as the adapter stores it (SQLite: milliseconds since 1970; MongoDB: a Date). */
  encodeDate: DateCodec;
}

export type DateCodec = (date: Date) => Date | number;

const COLLECTION_NAME = /^(?!sqlite_)[a-z][a-z0-9_]{0,63}$/;
const FIELD_PATH = /^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$/;

/**
 * @throws BAD_QUERY when the definition contradicts itself: a name, an index on an undeclared field, an expiry that is
 * no date.
 */
export function compileShape(definition: CollectionDefinition, encodeDate: DateCodec): Shape {
  const { name, indexes = [], expires } = definition;
  if (!COLLECTION_NAME.test(name)) throw createBadQuery(`Not a collection name: ${JSON.stringify(name)}`);
  const fields = new Map<string, FieldType>([["_id", "string"]]);
  for (const [path, type] of Object.entries(definition.fields ?? {})) {
    if (!FIELD_PATH.test(path) || !isPath(path))
      throw createBadQuery(`${name}: not a field name: ${JSON.stringify(path)}`);
    const clash = [...fields.keys()].find((declared) => declared !== path && isOverlapping(declared, path));
    if (clash) throw createBadQuery(`${name}: ${path} and ${clash} cannot both be declared`);
    fields.set(path, type);
  }
  for (const { keys } of indexes) {
    const paths = Object.keys(keys);
    const undeclared = paths.find((path) => !fields.has(path));
    if (paths.length === 0 || undeclared)
      throw createBadQuery(`${name}: an index needs declared fields, not ${undeclared ?? "none"}`);
  }
  if (expires !== undefined && fields.get(expires) !== "date")
    throw createBadQuery(`${name}: ${expires} must be declared date to expire by`);
  const dates = [...fields].filter(([, type]) => type === "date").map(([path]) => path);
  const holders = new Set([...fields.keys()].flatMap(listHolders));
  return { definition, name, fields, holders, indexes, dates, expires, encodeDate };
}

export function isInsideScalar({ fields }: Shape, path: string): boolean {
  return listHolders(path).some((holder) => fields.has(holder));
}

function listHolders(path: string): string[] {
  const segments = path.split(".");
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join("."));
}
