import { DocumentStoreError } from "../port.ts";
import type { CollectionDefinition, FieldType, IndexDefinition } from "../port.ts";
import { pathsOverlap } from "./paths.ts";

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
  /** Segments of every path that is declared `date`. */
  dates: readonly (readonly string[])[];
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
  if (!COLLECTION_NAME.test(name)) throw bad(`Not a collection name: ${JSON.stringify(name)}`);
  const fields = new Map<string, FieldType>([["_id", "string"]]);
  for (const [path, type] of Object.entries(definition.fields ?? {})) {
    if (!FIELD_PATH.test(path) || RESERVED.test(path)) throw bad(`${name}: not a field name: ${JSON.stringify(path)}`);
    const clash = [...fields.keys()].find((other) => other !== path && pathsOverlap(other, path));
    if (clash) throw bad(`${name}: ${path} and ${clash} cannot both be declared`);
    fields.set(path, type);
  }
  for (const { keys } of indexes) {
    const paths = Object.keys(keys);
    const undeclared = paths.find((path) => !fields.has(path));
    if (paths.length === 0 || undeclared)
      throw bad(`${name}: an index needs declared fields, not ${undeclared ?? "none"}`);
  }
  if (expires !== undefined && fields.get(expires) !== "date")
    throw bad(`${name}: ${expires} must be declared date to expire by`);
  const dates = [...fields].filter(([, type]) => type === "date").map(([path]) => path.split("."));
  return { definition, name, fields, tree: fieldTree(fields), indexes, dates, expires };
}

/** Shapes by name; asking twice costs a look-up. */
export class ShapeRegistry {
  readonly #byDefinition = new WeakMap<CollectionDefinition, Shape>();
  readonly #byName = new Map<string, Shape>();

  /** @throws BAD_QUERY when the name is already in use with another definition. */
  of(definition: CollectionDefinition): Shape {
    const known = this.#byDefinition.get(definition);
    if (known) return known;
    let shape = this.#byName.get(definition.name);
    if (!shape) {
      shape = compileShape(definition);
      this.#byName.set(definition.name, shape);
    } else if (JSON.stringify(shape.definition) !== JSON.stringify(definition)) {
      throw bad(`Collection ${definition.name} has two different definitions`);
    }
    this.#byDefinition.set(definition, shape);
    return shape;
  }

  all(): Shape[] {
    return [...this.#byName.values()];
  }
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

function bad(message: string): DocumentStoreError {
  return new DocumentStoreError("BAD_QUERY", message);
}
