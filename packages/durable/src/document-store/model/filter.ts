import { types } from "node:util";
import type { Scalar } from "../port.ts";
import { hasType, isStorableDate } from "./document.ts";
import { assertPath, createBadQuery, isPlainObject } from "./paths.ts";
import { isInsideScalar, type Shape } from "./shape.ts";

/**
 * A filter, checked and in one form, by MongoDB's operators. It is plain JSON if dates are encoded as numbers, so that
 * it can be sent to the writer thread.
 */
export type Predicate =
  | { op: "$and" | "$or"; of: Predicate[] }
  | { op: "$eq" | "$ne"; path: string; value: Scalar }
  | { op: "$in"; path: string; value: Scalar[] }
  | { op: RangeOperator; path: string; value: NonNullable<Scalar> }
  | { op: "$exists"; path: string; value: boolean }
  | { op: "$size"; path: string; value: number }
  | { op: "$regex"; path: string; value: Pick<RegExp, "source" | "flags"> };

export type RangeOperator = "$gt" | "$gte" | "$lt" | "$lte";

const EVERYTHING: Predicate = { op: "$and", of: [] };
const NOTHING: Predicate = { op: "$in", path: "_id", value: [] };

function joinPredicates(predicates: Predicate[]): Predicate {
  return predicates.length === 1 ? predicates[0]! : { op: "$and", of: predicates };
}

/** The conditions that must all hold, with nested conjunctions opened up. */
export function listConjuncts(predicate: Predicate): Predicate[] {
  return predicate.op === "$and" ? predicate.of.flatMap(listConjuncts) : [predicate];
}

/** The id that a filter pins, when it does so at its top level. */
export function findPinnedId(predicate: Predicate): string | undefined {
  for (const part of listConjuncts(predicate)) {
    if (part.op === "$eq" && part.path === "_id" && typeof part.value === "string") return part.value;
  }
  return undefined;
}

const MAX_DEPTH = 50;

/** Flags that JavaScript and MongoDB's engine share; `g` and `y` would carry state from one document to the next. */
const REGEX_FLAGS = /^[imsu]*$/;

/**
 * Returns the filter as a predicate. `undefined` as a value is refused: ignoring it would make `{ userId: undefined }`
 * match everything.
 * @throws BAD_QUERY for anything that the port does not name
 */
export function parseFilter(filter: unknown, shape: Shape, depth = 1): Predicate {
  if (!isPlainObject(filter)) throw createBadQuery("A filter is an object");
  if (depth > MAX_DEPTH) throw createBadQuery("The filter is nested too deeply");
  return joinPredicates(
    Object.entries(filter).map(([key, value]) => {
      if (key.startsWith("$")) return parseAlternatives(key, value, shape, depth);
      assertPath(key);
      if (!isPlainObject(value)) return createEquality(key, value, shape);
      const operators = Object.entries(value);
      if (operators.length === 0) throw createBadQuery(`An empty condition on ${key}`);
      return joinPredicates(operators.map(([operator, operand]) => parseOperator(key, operator, operand, shape)));
    }),
  );
}

function parseAlternatives(operator: string, value: unknown, shape: Shape, depth: number): Predicate {
  if (operator !== "$or") throw createBadQuery(`Unknown operator ${operator}`);
  if (!Array.isArray(value) || value.length === 0) throw createBadQuery("$or takes a list that is not empty");
  const parts = value.map((part) => parseFilter(part, shape, depth + 1));
  return parts.length === 1 ? parts[0]! : { op: "$or", of: parts };
}

function parseOperator(path: string, operator: string, operand: unknown, shape: Shape): Predicate {
  switch (operator) {
    case "$ne":
      return createEquality(path, operand, shape, operator);
    case "$in": {
      if (!Array.isArray(operand)) throw createBadQuery(`$in on ${path} takes a list`);
      const values = operand.map((item: unknown) => ({ item, value: parseScalar(path, item, shape) }));
      const fitting = values.filter(({ item }) => isOfDeclaredType(path, item, shape));
      return { op: operator, path, value: fitting.map(({ value }) => value) };
    }
    case "$gt":
    case "$gte":
    case "$lt":
    case "$lte": {
      assertDeclared(path, operator, shape);
      const value = parseScalar(path, operand, shape);
      if (value === null) throw createBadQuery(`${operator} on ${path} needs a value that is not null`);
      return isOfDeclaredType(path, operand, shape) ? { op: operator, path, value } : NOTHING;
    }
    case "$exists":
      if (typeof operand !== "boolean") throw createBadQuery(`$exists on ${path} takes true or false`);
      return { op: operator, path, value: operand };
    case "$size":
      if (!Number.isSafeInteger(operand) || (operand as number) < 0)
        throw createBadQuery(`$size on ${path} takes a whole number`);
      return { op: operator, path, value: operand as number };
    case "$regex": {
      assertDeclared(path, operator, shape);
      if (!types.isRegExp(operand)) throw createBadQuery(`$regex on ${path} takes a RegExp`);
      const { source, flags } = operand;
      if (!REGEX_FLAGS.test(flags) || source.includes("\0"))
        throw createBadQuery(`$regex on ${path} takes the flags i, m, s and u only`);
      return { op: operator, path, value: { source, flags } };
    }
    default:
      throw createBadQuery(`Unknown operator ${operator} on ${path}`);
  }
}

function createEquality(path: string, operand: unknown, shape: Shape, op: "$eq" | "$ne" = "$eq"): Predicate {
  const value = parseScalar(path, operand, shape);
  // A value of another type than the field is declared with matches nothing.
  if (!isOfDeclaredType(path, operand, shape)) return op === "$eq" ? NOTHING : EVERYTHING;
  return { op, path, value };
}

function parseScalar(path: string, operand: unknown, shape: Shape): Scalar {
  if (operand === null || typeof operand === "boolean") return operand;
  if (typeof operand === "string") return operand.toWellFormed();
  if (typeof operand === "number") {
    if (!Number.isFinite(operand)) throw createBadQuery(`The value of ${path} is not a finite number`);
    return operand + 0;
  }
  if (types.isDate(operand)) {
    if (shape.fields.get(path) !== "date")
      throw createBadQuery(`${path} is compared with a Date, and is not declared date`);
    if (!isStorableDate(operand)) throw createBadQuery(`The value of ${path} is no date of the years 1 to 9999`);
    return shape.encodeDate(operand);
  }
  throw createBadQuery(`The value of ${path} is neither a scalar nor a condition`);
}

function isOfDeclaredType(path: string, operand: unknown, shape: Shape): boolean {
  if (operand === null) return true;
  const type = shape.fields.get(path);
  return type ? hasType(operand, type) : !isInsideScalar(shape, path);
}

function assertDeclared(path: string, operator: string, shape: Shape): void {
  if (!shape.fields.has(path)) throw createBadQuery(`${operator} needs a declared field, which ${path} is not`);
}
