import { types } from "node:util";
import { DocumentStoreError } from "../port.ts";
import type { Filter } from "../port.ts";
import { hasType, isStorableDate } from "./document.ts";
import { isPlainObject, parsePath } from "./paths.ts";
import { allOf } from "./predicate.ts";
import type { Operand, Predicate, RangeOperator } from "./predicate.ts";
import { nodeAt } from "./shape.ts";
import type { DateCodec, Shape } from "./shape.ts";

const MAX_DEPTH = 50;

/**
 * Flags that both JavaScript and MongoDB's engine know; `g` and `y` would carry state from one document to the next.
 */
const REGEX_FLAGS = /^[imsu]*$/;

const RANGES: Record<string, RangeOperator> = { $gt: "gt", $gte: "gte", $lt: "lt", $lte: "lte" };

interface Scope {
  shape: Shape;
  encodeDate: DateCodec;
}

/**
 * The filter as a predicate. `undefined` as a value is refused: ignoring it would make `{ userId: undefined }` match
 * everything.
 * @throws BAD_QUERY for anything that the port does not name
 */
export function parseFilter(filter: Filter, scope: Scope): Predicate {
  return parseObject(filter, scope, 1);
}

/** The conditions of one field, `{ $gt: 1, $lt: 5 }`. @throws BAD_QUERY */
function parseCondition(condition: object, path: string, scope: Scope): Predicate {
  const entries = Object.entries(condition);
  if (entries.length === 0) throw bad(`An empty condition on ${path}`);
  return allOf(entries.map(([operator, operand]) => parseOperator(path, operator, operand, scope)));
}

function parseObject(filter: unknown, scope: Scope, depth: number): Predicate {
  if (!isPlainObject(filter)) throw bad("A filter is an object");
  if (depth > MAX_DEPTH) throw bad("The filter is nested too deeply");
  return allOf(
    Object.entries(filter).map(([key, value]) => {
      if (key.startsWith("$")) return parseAlternatives(key, value, scope, depth);
      parsePath(key);
      if (isPlainObject(value)) return parseCondition(value, key, scope);
      return equality(key, value, scope);
    }),
  );
}

function parseAlternatives(operator: string, value: unknown, scope: Scope, depth: number): Predicate {
  if (operator !== "$or") throw bad(`Unknown operator ${operator}`);
  if (!Array.isArray(value) || value.length === 0) throw bad("$or takes a list that is not empty");
  const parts = value.map((part) => parseObject(part, scope, depth + 1));
  return parts.length === 1 ? parts[0]! : { op: "or", of: parts };
}

function parseOperator(path: string, operator: string, operand: unknown, scope: Scope): Predicate {
  switch (operator) {
    case "$ne":
      return { op: "not", of: equality(path, operand, scope) };
    case "$in":
      return membership(path, operand, scope);
    case "$gt":
    case "$gte":
    case "$lt":
    case "$lte": {
      const value = parseScalar(path, operand, scope);
      if (value === null) throw bad(`${operator} on ${path} needs a value that is not null`);
      return isOfDeclaredType(path, operand, scope) ? { op: RANGES[operator]!, path, value } : { op: "never", path };
    }
    case "$exists":
      if (typeof operand !== "boolean") throw bad(`$exists on ${path} takes true or false`);
      return operand ? { op: "exists", path } : { op: "not", of: { op: "exists", path } };
    case "$size":
      if (!Number.isSafeInteger(operand) || (operand as number) < 0) throw bad(`$size on ${path} takes a whole number`);
      return { op: "size", path, value: operand as number };
    case "$regex":
      return pattern(path, operand);
    default:
      throw bad(`Unknown operator ${operator} on ${path}`);
  }
}

function equality(path: string, operand: unknown, scope: Scope): Predicate {
  const value = parseScalar(path, operand, scope);
  return isOfDeclaredType(path, operand, scope) ? { op: "eq", path, value } : { op: "never", path };
}

/** A list of one is an equality, so that an upsert takes it over on every adapter as MongoDB does. */
function membership(path: string, operand: unknown, scope: Scope): Predicate {
  if (!Array.isArray(operand)) throw bad(`$in on ${path} takes a list`);
  if (operand.length === 1) return equality(path, operand[0], scope);
  const typed = operand.map((item: unknown) => ({ item, value: parseScalar(path, item, scope) }));
  return {
    op: "in",
    path,
    values: typed.filter(({ item }) => isOfDeclaredType(path, item, scope)).map(({ value }) => value),
  };
}

function pattern(path: string, operand: unknown): Predicate {
  if (!types.isRegExp(operand)) throw bad(`$regex on ${path} takes a RegExp`);
  const { source, flags } = operand;
  if (!REGEX_FLAGS.test(flags) || source.includes("\0"))
    throw bad(`$regex on ${path} takes the flags i, m, s and u only`);
  return { op: "regex", path, source, flags };
}

function parseScalar(path: string, operand: unknown, { shape, encodeDate }: Scope): Operand {
  if (operand === null || typeof operand === "boolean") return operand;
  if (typeof operand === "string") return operand.toWellFormed();
  if (typeof operand === "number") {
    if (!Number.isFinite(operand)) throw bad(`The value of ${path} is not a finite number`);
    return operand + 0;
  }
  if (types.isDate(operand)) {
    if (shape.fields.get(path) !== "date") throw bad(`${path} is compared with a Date, and is not declared date`);
    if (!isStorableDate(operand)) throw bad(`The value of ${path} is no date of the years 1 to 9999`);
    return encodeDate(operand);
  }
  throw bad(`The value of ${path} is neither a scalar nor a condition`);
}

function isOfDeclaredType(path: string, operand: unknown, { shape }: Scope): boolean {
  if (operand === null) return true;
  const { node, insideScalar } = nodeAt(shape, path.split("."));
  return !insideScalar && (!node?.type || hasType(operand, node.type));
}

function bad(message: string): DocumentStoreError {
  return new DocumentStoreError("BAD_QUERY", message);
}
