import type { Update } from "../port.ts";
import { cleanValue, hasType } from "./document.ts";
import {
  assertPath,
  createBadDocument,
  createBadQuery,
  isPlainObject,
  isSame,
  isOverlapping,
  type JsonObject,
} from "./paths.ts";
import { isInsideScalar, type Shape } from "./shape.ts";

type UpdateOperator = keyof Update;

const OPERATORS = new Set<string>([
  "$set",
  "$unset",
  "$inc",
  "$push",
  "$addToSet",
  "$pull",
  "$setOnInsert",
] satisfies UpdateOperator[]);

/** One operator on one path, its operand checked, copied and with dates encoded. */
export interface UpdateStep {
  op: UpdateOperator;
  path: string;
  value: unknown;
}

/**
 * Returns the update as a list of steps. `undefined` operands are left out, as MongoDB's driver does.
 * @throws BAD_QUERY for an unknown operator, path or operand, and for two steps that touch the same place;
 *   BAD_DOCUMENT for a value that may not stand where it is put
 */
export function parseUpdate(shape: Shape, update: Update): UpdateStep[] {
  if (!isPlainObject(update) || Object.keys(update).length === 0) throw createBadQuery("An update needs an operator");
  const steps: UpdateStep[] = [];
  for (const [operator, operands] of Object.entries(update)) {
    if (!OPERATORS.has(operator)) throw createBadQuery(`Unknown update operator ${operator}`);
    if (operands === undefined) continue;
    if (!isPlainObject(operands)) throw createBadQuery(`${operator} takes an object`);
    for (const [path, operand] of Object.entries(operands)) {
      if (operand === undefined) continue;
      const op = operator as UpdateOperator;
      const overlapping = steps.find((step) => isOverlapping(step.path, path));
      if (overlapping)
        throw createBadQuery(`${overlapping.op} of ${overlapping.path} and ${op} of ${path} touch the same place`);
      steps.push({ op, path, value: parseOperand(shape, op, path, operand) });
    }
  }
  return steps;
}

function parseOperand(shape: Shape, op: UpdateOperator, path: string, operand: unknown): unknown {
  assertPath(path);
  const type = shape.fields.get(path);
  const holdsDeclared = shape.holders.has(path);
  if (op !== "$unset" && isInsideScalar(shape, path)) throw createBadDocument(`${path} lies inside a declared field`);
  if (path === "_id" && op !== "$set") throw createBadQuery(`${op} cannot change _id`);
  switch (op) {
    case "$set":
    case "$setOnInsert":
      return cleanValue(operand, path, shape);
    case "$unset":
      if (operand !== true && operand !== "" && operand !== 1) throw createBadQuery(`$unset of ${path} takes true`);
      return true;
    case "$inc":
      if (typeof operand !== "number" || !Number.isFinite(operand))
        throw createBadQuery(`$inc of ${path} takes a finite number`);
      if (holdsDeclared) throw createBadDocument(`${path} holds declared fields`);
      if (type && !hasType(operand, type)) throw createBadDocument(`${path} is declared ${type}`);
      return operand + 0;
    case "$push":
    case "$addToSet":
    case "$pull":
      if (type || holdsDeclared)
        throw createBadDocument(`${path} cannot become an array: it is declared, or holds declared fields`);
      if (isPlainObject(operand) && Object.keys(operand).some((key) => key.startsWith("$")))
        throw createBadQuery(`${op} of ${path} takes one element`);
      if (op === "$pull" && typeof operand === "object" && operand !== null)
        throw createBadQuery(`$pull of ${path} takes a scalar`);
      return cleanValue(operand, path, undefined);
  }
}

/**
 * Applies the steps to a stored document, in place, with MongoDB's meaning. Returns whether anything changed.
 * `$setOnInsert` counts only when `inserting`. Operands become part of the document: serialize it before the next call.
 * @throws BAD_DOCUMENT when the document does not fit the update ($inc of a string, a path through a scalar)
 */
export function applyUpdate(document: JsonObject, steps: readonly UpdateStep[], inserting = false): boolean {
  let isChanged = false;
  for (const step of steps) {
    if (step.op === "$setOnInsert" && !inserting) continue;
    if (applyStep(document, step)) isChanged = true;
  }
  return isChanged;
}

function applyStep(document: JsonObject, { op, path, value }: UpdateStep): boolean {
  const segments = path.split(".");
  const key = segments.pop()!;
  const holder = findHolder(document, segments, path, op !== "$unset" && op !== "$pull");
  if (!holder) return false;
  const current = Object.hasOwn(holder, key) ? holder[key] : undefined;
  const next = computeValue(current, { op, path, value });
  if (next === undefined) return current !== undefined && delete holder[key];
  if (current !== undefined && isSame(current, next)) return false;
  if (path === "_id" && current !== undefined) throw createBadDocument("_id cannot be changed");
  holder[key] = next;
  return true;
}

/** Returns what a step makes of a value; undefined means that there is none. */
function computeValue(current: unknown, { op, path, value }: UpdateStep): unknown {
  switch (op) {
    case "$set":
    case "$setOnInsert":
      return value;
    case "$unset":
      return undefined;
    case "$inc": {
      if (current !== undefined && typeof current !== "number")
        throw createBadDocument(`$inc: ${path} is not a number`);
      const sum = (current ?? 0) + (value as number);
      if (!Number.isFinite(sum)) throw createBadDocument(`$inc: ${path} becomes too large`);
      return sum;
    }
    case "$push":
    case "$addToSet":
    case "$pull": {
      if (op === "$pull" && current === undefined) return undefined;
      const items = current === undefined ? [] : current;
      if (!Array.isArray(items)) throw createBadDocument(`${op}: ${path} is not an array`);
      if (op === "$pull") return items.filter((item) => !isSame(item, value));
      return op === "$addToSet" && items.some((item) => isSame(item, value)) ? items : [...(items as unknown[]), value];
    }
  }
}

/** Returns the object that holds the last segment; undefined when the path ends early and nothing is made. */
function findHolder(
  document: JsonObject,
  segments: readonly string[],
  path: string,
  creates: boolean,
): JsonObject | undefined {
  let holder = document;
  for (const segment of segments) {
    if (!Object.hasOwn(holder, segment)) {
      if (!creates) return undefined;
      holder[segment] = {};
    }
    const next = holder[segment];
    if (!isPlainObject(next)) {
      if (!creates) return undefined;
      throw createBadDocument(`${path} cannot be created: ${segment} is in the way`);
    }
    holder = next;
  }
  return holder;
}
