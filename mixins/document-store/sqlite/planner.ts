import type { SQLInputValue } from "node:sqlite";
import type { SortKey } from "../model/order.ts";
import { conjuncts } from "../model/predicate.ts";
import type { Operand, Predicate, RangeOperator } from "../model/predicate.ts";
import type { Shape } from "../model/shape.ts";

/** A condition in SQL that holds for every match; when `exact`, for nothing else. */
export interface Condition {
  /** Undefined when every document is a candidate. */
  sql?: string;
  params: SQLInputValue[];
  exact: boolean;
}

const RANGE_SQL: Record<RangeOperator, string> = { gt: ">", gte: ">=", lt: "<", lte: "<=" };

const UNKNOWN: Condition = { params: [], exact: false };

/**
 * The part of a filter that SQL can decide: conditions on declared fields, which are scalars and never inside arrays.
 */
export function planCondition(shape: Shape, predicate: Predicate): Condition {
  switch (predicate.op) {
    case "and":
      return conjunction(predicate.of.map((part) => planCondition(shape, part)));
    case "or":
      return disjunction(predicate.of.map((part) => planCondition(shape, part)));
    case "not":
      return negation(planCondition(shape, predicate.of));
    case "never":
      return { sql: "FALSE", params: [], exact: true };
    default:
      return shape.fields.has(predicate.path) ? onDeclared(shape, predicate) : UNKNOWN;
  }
}

/**
 * Hides what has expired. The unary plus keeps SQLite from choosing the expiry index to find what a query is really
 * after.
 */
export function unexpired(shape: Shape, now: number): Condition {
  if (shape.expires === undefined) return { params: [], exact: true };
  const field = fieldSql(shape, shape.expires);
  return { sql: `(+${field} IS NULL OR +${field} > ?)`, params: [now], exact: true };
}

export function conjunction(parts: Condition[]): Condition {
  const known = parts.filter(({ sql }) => sql !== undefined);
  return {
    sql: known.length === 0 ? undefined : known.map(({ sql }) => sql).join(" AND "),
    params: known.flatMap(({ params }) => params),
    exact: parts.every(({ exact }) => exact),
  };
}

/**
 * ORDER BY for the keys, or undefined when one of them is not declared. SQLite, too, puts NULL first and compares UTF-8
 * bytes.
 */
export function planOrder(shape: Shape, keys: readonly SortKey[]): string | undefined {
  if (!keys.every(({ path }) => shape.fields.has(path))) return undefined;
  return keys.map(({ path, direction }) => `${fieldSql(shape, path)} ${direction === 1 ? "ASC" : "DESC"}`).join(", ");
}

/** Whether an index narrows the filter down, so that a query need not read the whole table. */
export function isSelective(shape: Shape, predicate: Predicate): boolean {
  return conjuncts(predicate).some((part) => {
    if (part.op === "or") return part.of.every((branch) => isSelective(shape, branch));
    if (part.op === "never") return true;
    return ["eq", "in", "gt", "gte", "lt", "lte"].includes(part.op) && "path" in part && leadsIndex(shape, part.path);
  });
}

/** Whether an index gives documents in this order without sorting them. */
export function isOrderedByIndex(shape: Shape, keys: readonly SortKey[]): boolean {
  return keys[0] !== undefined && leadsIndex(shape, keys[0].path);
}

/** The SQL of a declared field. The text must be the index's own, letter by letter, for SQLite to use the index. */
export function fieldSql(shape: Shape, path: string): string {
  if (path === "_id") return "id";
  const extract = `json_extract(doc, '$.${path}')`;
  // JSON has integers that no double can hold exactly; as REAL they are rounded as JavaScript rounded them.
  return shape.fields.get(path) === "number" ? `CAST(${extract} AS REAL)` : extract;
}

function leadsIndex(shape: Shape, path: string): boolean {
  return path === "_id" || path === shape.expires || shape.indexes.some(({ keys }) => Object.keys(keys)[0] === path);
}

function disjunction(parts: Condition[]): Condition {
  if (parts.some(({ sql }) => sql === undefined)) return { params: [], exact: parts.some(isEverything) };
  return {
    sql: parts.length === 0 ? "FALSE" : `(${parts.map(({ sql }) => `(${sql})`).join(" OR ")})`,
    params: parts.flatMap(({ params }) => params),
    exact: parts.every(({ exact }) => exact),
  };
}

function negation(part: Condition): Condition {
  if (!part.exact) return UNKNOWN;
  if (part.sql === undefined) return { sql: "FALSE", params: [], exact: true };
  return { sql: `(${part.sql}) IS NOT TRUE`, params: part.params, exact: true };
}

function isEverything({ sql, exact }: Condition): boolean {
  return sql === undefined && exact;
}

type FieldPredicate = Exclude<Predicate, { op: "and" | "or" | "not" | "never" }>;

function onDeclared(shape: Shape, predicate: FieldPredicate): Condition {
  const field = fieldSql(shape, predicate.path);
  switch (predicate.op) {
    case "eq":
      return predicate.value === null ? exactly(`${field} IS NULL`) : exactly(`${field} = ?`, toSql(predicate.value));
    case "in":
      return membership(shape, predicate.path, field, predicate.values);
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return exactly(`${field} ${RANGE_SQL[predicate.op]} ?`, toSql(predicate.value));
    case "exists":
      return exactly(predicate.path === "_id" ? "TRUE" : `json_type(doc, '$.${predicate.path}') IS NOT NULL`);
    case "size":
      return exactly("FALSE");
    case "regex":
      return { sql: `${field} IS NOT NULL`, params: [], exact: false };
  }
}

/** The list travels as one JSON parameter, so that its length does not make a new statement. */
function membership(shape: Shape, path: string, field: string, values: readonly Operand[]): Condition {
  const scalars = values.filter((value) => value !== null).map(toSql);
  const column = shape.fields.get(path) === "number" ? "CAST(value AS REAL)" : "value";
  const inList = `${field} IN (SELECT ${column} FROM json_each(?))`;
  const list = JSON.stringify(scalars);
  if (scalars.length === values.length) return exactly(inList, list);
  return exactly(
    scalars.length === 0 ? `${field} IS NULL` : `(${inList} OR ${field} IS NULL)`,
    ...(scalars.length === 0 ? [] : [list]),
  );
}

function exactly(sql: string, ...params: SQLInputValue[]): Condition {
  return { sql, params, exact: true };
}

function toSql(value: Operand): SQLInputValue {
  return typeof value === "boolean" || typeof value === "object" ? Number(value) : value;
}
