import type { Update } from "../port.ts";
import { cleanValue, hasType } from "./document.ts";
import { badDocument, badQuery, isPlainObject, parsePath, pathsOverlap } from "./paths.ts";
import { isInsideScalar, type DateCodec, type Shape } from "./shape.ts";

const UPDATE_OPERATORS = ["$set", "$unset", "$inc", "$push", "$addToSet", "$pull", "$setOnInsert"] as const;

type UpdateOperator = (typeof UPDATE_OPERATORS)[number];

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
export function parseUpdate(shape: Shape, update: Update, encodeDate: DateCodec): UpdateStep[] {
  if (!isPlainObject(update) || Object.keys(update).length === 0) throw badQuery("An update needs an operator");
  const steps: UpdateStep[] = [];
  for (const [operator, operands] of Object.entries(update)) {
    if (!(UPDATE_OPERATORS as readonly string[]).includes(operator))
      throw badQuery(`Unknown update operator ${operator}`);
    if (operands === undefined) continue;
    if (!isPlainObject(operands)) throw badQuery(`${operator} takes an object`);
    for (const [path, operand] of Object.entries(operands)) {
      if (operand === undefined) continue;
      const op = operator as UpdateOperator;
      const other = steps.find((step) => pathsOverlap(step.path, path));
      if (other) throw badQuery(`${other.op} of ${other.path} and ${op} of ${path} touch the same place`);
      steps.push({ op, path, value: parseOperand(shape, op, path, operand, encodeDate) });
    }
  }
  return steps;
}

function parseOperand(
  shape: Shape,
  op: UpdateOperator,
  path: string,
  operand: unknown,
  encodeDate: DateCodec,
): unknown {
  parsePath(path);
  const type = shape.fields.get(path);
  const holdsDeclared = shape.holders.has(path);
  if (op !== "$unset" && isInsideScalar(shape, path)) throw badDocument(`${path} lies inside a declared field`);
  if (path === "_id" && op !== "$set") throw badQuery(`${op} cannot change _id`);
  switch (op) {
    case "$set":
    case "$setOnInsert":
      return cleanValue(operand, path, { shape, encodeDate });
    case "$unset":
      if (operand !== true && operand !== "" && operand !== 1) throw badQuery(`$unset of ${path} takes true`);
      return true;
    case "$inc":
      if (typeof operand !== "number" || !Number.isFinite(operand))
        throw badQuery(`$inc of ${path} takes a finite number`);
      if (holdsDeclared) throw badDocument(`${path} holds declared fields`);
      if (type && !hasType(operand, type)) throw badDocument(`${path} is declared ${type}`);
      return operand + 0;
    case "$push":
    case "$addToSet":
    case "$pull":
      if (type || holdsDeclared)
        throw badDocument(`${path} cannot become an array: it is declared, or holds declared fields`);
      if (isPlainObject(operand) && Object.keys(operand).some((key) => key.startsWith("$")))
        throw badQuery(`${op} of ${path} takes one element`);
      if (op === "$pull" && typeof operand === "object" && operand !== null)
        throw badQuery(`$pull of ${path} takes a scalar`);
      return cleanValue(operand, path, { encodeDate });
  }
}
