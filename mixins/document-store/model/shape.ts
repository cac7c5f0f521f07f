import type { CollectionDefinition, FieldType, IndexDefinition } from "../port.ts";
import { badQuery, pathsOverlap } from "./paths.ts";

/** What a declared path expects: a scalar of `type` at its end, objects on the way. */
export interface FieldNode {
  type?: FieldType;
  children?: Map<string, FieldNode>;
}

/** A collection definition, checked and compiled. */
export interface Shape {
  definition: CollectionDefinition;
  name: string;
  /** Declared paths, `_id` among them. */
  fields: ReadonlyMap<string, FieldType>;
  tree: FieldNode;
  indexes: readonly IndexDefinition[];
  /** Paths that are declared `date`. */
  dates: readonly string[];
  expires?: string;
}

/** Declared date, stored in the adapter's own way (SQLite: milliseconds since 1970; MongoDB: a Date). */
export type DateCodec = (date: Date) => Date | number;

const COLLECTION_NAME = /^(?!sqlite_)[a-z][a-z0-9_]{0,63}$/;
const FIELD_PATH = /^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$/;
const RESERVED = /(^|\.)(__proto__|constructor|prototype)(\.|$)/;

/**
 * @throws BAD_QUERY when the definition contradicts itself: a name, an index on an undeclared field, an expiry that is
 * no date.
 */
export function compileShape(definition: CollectionDefinition): Shape {
  const { name, indexes = [], expires } = definition;
  if (!COLLECTION_NAME.test(name)) throw badQuery(`Not a collection name: ${JSON.stringify(name)}`);
  const fields = new Map<string, FieldType>([["_id", "string"]]);
  for (const [path, type] of Object.entries(definition.fields ?? {})) {
    if (!FIELD_PATH.test(path) || RESERVED.test(path))
      throw badQuery(`${name}: not a field name: ${JSON.stringify(path)}`);
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
  return { definition, name, fields, tree: fieldTree(fields), indexes, dates, expires };
}

/** The declared node at a path and whether a declared scalar lies above it. */
export function nodeAt(shape: Shape, segments: readonly string[]): { node?: FieldNode; insideScalar: boolean } {
  let node: FieldNode | undefined = shape.tree;
  for (const segment of segments) {
    if (node?.type) return { insideScalar: true };
    node = node?.children?.get(segment);
  }
  return { node, insideScalar: false };
}

function fieldTree(fields: ReadonlyMap<string, FieldType>): FieldNode {
  const root: FieldNode = { children: new Map() };
  for (const [path, type] of fields) {
    let node = root;
    for (const segment of path.split(".")) {
      node.children ??= new Map();
      let child = node.children.get(segment);
      if (!child) node.children.set(segment, (child = {}));
      node = child;
    }
    node.type = type;
  }
  return root;
}
