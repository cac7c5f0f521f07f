import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { Scalar } from "../port.ts";
import type { SortKey } from "../model/order.ts";
import type { Shape } from "../model/shape.ts";
import { conjuncts, type Predicate, type RangeOperator } from "../model/filter.ts";
import type { Selection } from "../model/write.ts";

/** A condition in SQL; empty when every document matches. */
interface Condition {
  sql: string;
  params: SQLInputValue[];
}

const RANGE_SQL: Record<RangeOperator, string> = { $gt: ">", $gte: ">=", $lt: "<", $lte: "<=" };

/** An index serves them. */
const SELECTIVE: ReadonlySet<string> = new Set(["$eq", "$in", ...Object.keys(RANGE_SQL)]);

/** Translates a filter. An index can serve conditions on declared fields, which are scalars and never inside arrays. */
function planCondition(shape: Shape, predicate: Predicate): Condition {
  if ("of" in predicate) {
    const parts = predicate.of.map((part) => planCondition(shape, part));
    return predicate.op === "$and" ? conjunction(parts) : disjunction(parts);
  }
  const { path } = predicate;
  const field = shape.fields.has(path) ? fieldSql(shape, path) : undefined;
  const equality = (value: Scalar): Condition =>
    field === undefined ? undeclaredEquality(path, value) : declaredEquality(field, value);
  switch (predicate.op) {
    case "$eq":
      return equality(predicate.value);
    case "$ne": {
      const { sql, params } = equality(predicate.value);
      return { sql: `(${sql}) IS NOT TRUE`, params };
    }
    case "$in":
      return field === undefined
        ? disjunction(predicate.value.map(equality))
        : membership(shape, path, predicate.value);
    case "$exists":
      if (path === "_id") return condition(predicate.value ? "" : "FALSE");
      return condition(`json_type(doc, ?) IS ${predicate.value ? "NOT NULL" : "NULL"}`, jsonPath(path));
    case "$size": {
      const at = jsonPath(path);
      return condition("(json_type(doc, ?) = 'array' AND json_array_length(doc, ?) = ?)", at, at, predicate.value);
    }
    case "$regex":
      return condition(`matches(${field}, ?, ?)`, predicate.value.source, predicate.value.flags);
    case "$gt":
    case "$gte":
    case "$lt":
    case "$lte":
      return condition(`${field} ${RANGE_SQL[predicate.op]} ?`, toSql(predicate.value));
  }
}

/** Defines `matches(value, source, flags)`, for patterns. */
export function defineMatches(database: DatabaseSync): void {
  let pattern = new RegExp("");
  database.function("matches", { deterministic: true }, (value, source, flags) => {
    if (typeof value !== "string") return 0;
    if (pattern.source !== source || pattern.flags !== flags) pattern = new RegExp(String(source), String(flags));
    return Number(pattern.test(value));
  });
}

/**
 * Returns the statement that reads a selection of the documents that have not expired.
 * @param columns `doc` unless given
 * @param among only of so many documents, the first in the order; all unless given
 */
export function selectStatement(
  shape: Shape,
  { predicate, sort, skip = 0, limit = -1 }: Selection,
  { columns = "doc", among }: { columns?: string; among?: number } = {},
) {
  const { sql, params } = planUnexpired(shape, predicate);
  const order = sort.length === 0 ? "" : ` ORDER BY ${keysSql(shape, sort)}`;
  const where = sql && ` WHERE ${sql}`;
  const table = `"${shape.name}"`;
  // SQLite gives the rows of such a subquery in its order, one by one; sorted once more, all would be read.
  const source =
    among === undefined ? `${table}${where}${order}` : `(SELECT id, doc FROM ${table}${order} LIMIT ${among})${where}`;
  return {
    sql: `SELECT ${columns} FROM ${source} LIMIT ? OFFSET ?`,
    params: [...params, limit, skip],
  };
}

/** As `planCondition`, without what has expired. */
export function planUnexpired(shape: Shape, predicate: Predicate): Condition {
  const plan = planCondition(shape, predicate);
  if (shape.expires === undefined) return plan;
  // The unary plus keeps SQLite from choosing the expiry index to find what a query is really after.
  const field = `+${fieldSql(shape, shape.expires)}`;
  return conjunction([plan, condition(`(${field} IS NULL OR ${field} > ?)`, Date.now())]);
}

/** The SQL of an index's keys, or of an order: SQLite, too, puts NULL first and compares UTF-8 bytes. */
export function keysSql(shape: Shape, keys: readonly SortKey[]): string {
  return keys.map(({ path, direction }) => `${fieldSql(shape, path)}${direction === 1 ? "" : " DESC"}`).join(", ");
}

/** Whether an index narrows the filter down, so that a query need not read the whole table. */
export function isSelective(shape: Shape, predicate: Predicate): boolean {
  return conjuncts(predicate).some((part) => {
    if ("of" in part) return part.of.every((branch) => isSelective(shape, branch));
    return SELECTIVE.has(part.op) && leadsIndex(shape, part.path);
  });
}

/** Whether an index begins with a field, so that it gives documents in that order without sorting them. */
export function leadsIndex(shape: Shape, path: string): boolean {
  return path === "_id" || path === shape.expires || shape.indexes.some(({ keys }) => Object.keys(keys)[0] === path);
}

/** The SQL of a declared field: for SQLite to use an index, its text to the letter. */
export function fieldSql(shape: Shape, path: string): string {
  if (path === "_id") return "id";
  const extract = `json_extract(doc, '$.${path}')`;
  // JSON has integers that no double can hold exactly; as REAL they are rounded as JavaScript rounded them.
  return shape.fields.get(path) === "number" ? `CAST(${extract} AS REAL)` : extract;
}

export function toSql(value: Scalar): SQLInputValue {
  return typeof value === "boolean" || typeof value === "object" ? Number(value) : value;
}

function conjunction(parts: Condition[]): Condition {
  const known = parts.filter(({ sql }) => sql !== "");
  return { sql: known.map(({ sql }) => sql).join(" AND "), params: known.flatMap(({ params }) => params) };
}

function disjunction(parts: Condition[]): Condition {
  if (parts.length === 0) return condition("FALSE");
  if (parts.some(({ sql }) => sql === "")) return condition("");
  const sql = parts.map((part) => `(${part.sql})`).join(" OR ");
  return { sql: `(${sql})`, params: parts.flatMap(({ params }) => params) };
}

function declaredEquality(field: string, value: Scalar): Condition {
  return value === null ? condition(`${field} IS NULL`) : condition(`${field} = ?`, toSql(value));
}

/** A value that is the field's, or an element of its array. Of an object, `json_each` gives the fields: not meant. */
function undeclaredEquality(path: string, value: Scalar): Condition {
  const at = jsonPath(path);
  const items = "SELECT 1 FROM json_each(doc, ?) AS item WHERE typeof(item.key) <> 'text'";
  const some = (test: string, ...params: SQLInputValue[]): Condition =>
    condition(`EXISTS (${items} AND ${test})`, at, ...params);
  if (typeof value === "string") return some("item.type = 'text' AND item.atom = ?", value);
  if (typeof value === "number") return some("item.type IN ('integer', 'real') AND CAST(item.atom AS REAL) = ?", value);
  if (typeof value === "boolean") return some("item.type = ?", String(value));
  return disjunction([condition("json_type(doc, ?) IS NULL", at), some("item.type = 'null'")]);
}

/** The list travels as one JSON parameter, so that its length does not make a new statement. */
function membership(shape: Shape, path: string, values: readonly Scalar[]): Condition {
  const field = fieldSql(shape, path);
  // A list of one is found in half the time without making a table of it.
  if (values.length === 1) return declaredEquality(field, values[0]!);
  const scalars = values.filter((value) => value !== null).map(toSql);
  const column = shape.fields.get(path) === "number" ? "CAST(value AS REAL)" : "value";
  const inList = condition(`${field} IN (SELECT ${column} FROM json_each(?))`, JSON.stringify(scalars));
  if (scalars.length === values.length) return inList;
  return scalars.length === 0 ? declaredEquality(field, null) : disjunction([inList, declaredEquality(field, null)]);
}

function condition(sql: string, ...params: SQLInputValue[]): Condition {
  return { sql, params };
}

function jsonPath(path: string): string {
  return `$."${path.replaceAll(".", '"."')}"`;
}
