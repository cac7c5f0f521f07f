import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { Scalar } from "../port.ts";
import type { SortKey } from "../model/order.ts";
import type { Shape } from "../model/shape.ts";
import { listConjuncts, type Predicate, type RangeOperator } from "../model/filter.ts";
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
    return predicate.op === "$and" ? joinByAnd(parts) : joinByOr(parts);
  }
  const { path } = predicate;
  const field = shape.fields.has(path) ? toFieldSql(shape, path) : undefined;
  const createEquality = (value: Scalar): Condition =>
    field === undefined ? createUndeclaredEquality(path, value) : createDeclaredEquality(field, value);
  switch (predicate.op) {
    case "$eq":
      return createEquality(predicate.value);
    case "$ne": {
      const { sql, params } = createEquality(predicate.value);
      return { sql: `(${sql}) IS NOT TRUE`, params };
    }
    case "$in":
      return field === undefined
        ? joinByOr(predicate.value.map(createEquality))
        : createMembership(shape, path, predicate.value);
    case "$exists":
      if (path === "_id") return createCondition(predicate.value ? "" : "FALSE");
      return createCondition(`json_type(doc, ?) IS ${predicate.value ? "NOT NULL" : "NULL"}`, toJsonPath(path));
    case "$size": {
      const pathParam = toJsonPath(path);
      return createCondition(
        "(json_type(doc, ?) = 'array' AND json_array_length(doc, ?) = ?)",
        pathParam,
        pathParam,
        predicate.value,
      );
    }
    case "$regex":
      return createCondition(`matches(${field}, ?, ?)`, predicate.value.source, predicate.value.flags);
    case "$gt":
    case "$gte":
    case "$lt":
    case "$lte":
      return createCondition(`${field} ${RANGE_SQL[predicate.op]} ?`, toSql(predicate.value));
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
  const order = sort.length === 0 ? "" : ` ORDER BY ${toKeysSql(shape, sort)}`;
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

/**
 * Returns the statement that counts the matches that have not expired: all, less those that have. An index counts
 * either; the date of expiry of each match would be read from its document.
 */
export function countStatement(shape: Shape, predicate: Predicate): Condition {
  const { sql, params } = planCondition(shape, predicate);
  const count = (source: string): string => `SELECT count(*) FROM ${source}${sql && ` WHERE ${sql}`}`;
  const table = `"${shape.name}"`;
  if (shape.expires === undefined) return createCondition(count(table), ...params);
  const expired = `SELECT id, doc FROM ${table} WHERE ${toFieldSql(shape, shape.expires)} <= ?`;
  const subtraction = `SELECT (${count(table)}) - (${count("expired")})`;
  return createCondition(`WITH expired AS MATERIALIZED (${expired}) ${subtraction}`, Date.now(), ...params, ...params);
}

/** Plans a condition like `planCondition`, without expired documents. */
export function planUnexpired(shape: Shape, predicate: Predicate): Condition {
  const plan = planCondition(shape, predicate);
  if (shape.expires === undefined) return plan;
  // The unary plus keeps SQLite from choosing the expiry index to find what a query is really after.
  const field = `+${toFieldSql(shape, shape.expires)}`;
  return joinByAnd([plan, createCondition(`(${field} IS NULL OR ${field} > ?)`, Date.now())]);
}

/** The SQL of an index's keys, or of an order: SQLite, too, puts NULL first and compares UTF-8 bytes. */
export function toKeysSql(shape: Shape, keys: readonly SortKey[]): string {
  return keys.map(({ path, direction }) => `${toFieldSql(shape, path)}${direction === 1 ? "" : " DESC"}`).join(", ");
}

/** Returns whether an index narrows the filter down, so that a query need not read the whole table. */
export function isSelective(shape: Shape, predicate: Predicate): boolean {
  return listConjuncts(predicate).some((part) => {
    if ("of" in part) return part.of.every((branch) => isSelective(shape, branch));
    return SELECTIVE.has(part.op) && isIndexLead(shape, part.path);
  });
}

/** Returns whether an index begins with a field, so that it gives documents in that order without sorting them. */
export function isIndexLead(shape: Shape, path: string): boolean {
  return path === "_id" || path === shape.expires || shape.indexes.some(({ keys }) => Object.keys(keys)[0] === path);
}

/** The SQL of a declared field: for SQLite to use an index, its text to the letter. */
export function toFieldSql(shape: Shape, path: string): string {
  if (path === "_id") return "id";
  const extract = `json_extract(doc, '$.${path}')`;
  // JSON has integers that no double can hold exactly; as REAL they are rounded as JavaScript rounded them.
  return shape.fields.get(path) === "number" ? `CAST(${extract} AS REAL)` : extract;
}

export function toSql(value: Scalar): SQLInputValue {
  return typeof value === "boolean" || typeof value === "object" ? Number(value) : value;
}

function joinByAnd(parts: Condition[]): Condition {
  const conditions = parts.filter(({ sql }) => sql !== "");
  return { sql: conditions.map(({ sql }) => sql).join(" AND "), params: conditions.flatMap(({ params }) => params) };
}

function joinByOr(parts: Condition[]): Condition {
  if (parts.length === 0) return createCondition("FALSE");
  if (parts.some(({ sql }) => sql === "")) return createCondition("");
  const sql = parts.map((part) => `(${part.sql})`).join(" OR ");
  return { sql: `(${sql})`, params: parts.flatMap(({ params }) => params) };
}

function createDeclaredEquality(field: string, value: Scalar): Condition {
  return value === null ? createCondition(`${field} IS NULL`) : createCondition(`${field} = ?`, toSql(value));
}

/** A value that is the field's, or an element of its array. Of an object, `json_each` gives the fields: not meant. */
function createUndeclaredEquality(path: string, value: Scalar): Condition {
  const pathParam = toJsonPath(path);
  const items = "SELECT 1 FROM json_each(doc, ?) AS item WHERE typeof(item.key) <> 'text'";
  const createExists = (test: string, ...params: SQLInputValue[]): Condition =>
    createCondition(`EXISTS (${items} AND ${test})`, pathParam, ...params);
  if (typeof value === "string") return createExists("item.type = 'text' AND item.atom = ?", value);
  if (typeof value === "number")
    return createExists("item.type IN ('integer', 'real') AND CAST(item.atom AS REAL) = ?", value);
  if (typeof value === "boolean") return createExists("item.type = ?", String(value));
  return joinByOr([createCondition("json_type(doc, ?) IS NULL", pathParam), createExists("item.type = 'null'")]);
}

/** The list travels as one JSON parameter, so that its length does not make a new statement. */
function createMembership(shape: Shape, path: string, values: readonly Scalar[]): Condition {
  const field = toFieldSql(shape, path);
  // A list of one is found in half the time without making a table of it.
  if (values.length === 1) return createDeclaredEquality(field, values[0]!);
  const scalars = values.filter((value) => value !== null).map(toSql);
  const column = shape.fields.get(path) === "number" ? "CAST(value AS REAL)" : "value";
  const inList = createCondition(`${field} IN (SELECT ${column} FROM json_each(?))`, JSON.stringify(scalars));
  if (scalars.length === values.length) return inList;
  return scalars.length === 0
    ? createDeclaredEquality(field, null)
    : joinByOr([inList, createDeclaredEquality(field, null)]);
}

function createCondition(sql: string, ...params: SQLInputValue[]): Condition {
  return { sql, params };
}

function toJsonPath(path: string): string {
  return `$."${path.replaceAll(".", '"."')}"`;
}
