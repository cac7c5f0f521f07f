import { DocumentStoreError } from "../port.ts";
import type { Update } from "../port.ts";
import { cleanValue, hasType } from "./document.ts";
import { isPlainObject, parsePath, pathsOverlap } from "./paths.ts";
import { nodeAt } from "./shape.ts";
import type { DateCodec, FieldNode, Shape } from "./shape.ts";

const UPDATE_OPERATORS = ["$set", "$unset", "$inc", "$push", "$addToSet", "$pull", "$setOnInsert"] as const;

export type UpdateOperator = (typeof UPDATE_OPERATORS)[number];

/** One operator on one path, its operand checked, copied and with dates encoded. */
export interface UpdateStep {
  op: UpdateOperator;
  path: string;
  value: unknown;
}

/**
 * The update as a list of steps. `undefined` operands are left out, as MongoDB's driver does.
 * @throws BAD_QUERY for an unknown operator, path or operand, and for two steps that touch the same place;
 *   BAD_DOCUMENT for a value that may not stand where it is put
 */
export function parseUpdate(shape: Shape, update: Update, encodeDate: DateCodec): UpdateStep[] {
  if (!isPlainObject(update) || Object.keys(update).length === 0) throw bad("An update needs an operator");
  const steps: UpdateStep[] = [];
  for (const [operator, operands] of Object.entries(update)) {
    if (!(UPDATE_OPERATORS as readonly string[]).includes(operator)) throw bad(`Unknown update operator ${operator}`);
    if (operands === undefined) continue;
    if (!isPlainObject(operands)) throw bad(`${operator} takes an object`);
    for (const [path, operand] of Object.entries(operands)) {
      if (operand !== undefined) steps.push(parseStep(shape, operator as UpdateOperator, path, operand, encodeDate));
    }
  }
  refuseConflicts(steps);
  return steps;
}

function parseStep(
  shape: Shape,
  op: UpdateOperator,
  path: string,
  operand: unknown,
  encodeDate: DateCodec,
): UpdateStep {
  const { node, insideScalar } = nodeAt(shape, parsePath(path, { allowDigits: true }));
  if (insideScalar && op !== "$unset")
    throw new DocumentStoreError("BAD_DOCUMENT", `${path} lies inside a declared field`);
  if (path === "_id" && op !== "$set" && op !== "$setOnInsert") throw bad(`${op} cannot change _id`);
  switch (op) {
    case "$set":
    case "$setOnInsert":
      if (path === "_id" && (typeof operand !== "string" || operand === ""))
        throw new DocumentStoreError("BAD_DOCUMENT", "_id is not a string");
      return { op, path, value: cleanValue(operand, node, path, encodeDate) };
    case "$unset":
      if (operand !== true && operand !== "" && operand !== 1) throw bad(`$unset of ${path} takes true`);
      return { op, path, value: true };
    case "$inc":
      if (typeof operand !== "number" || !Number.isFinite(operand)) throw bad(`$inc of ${path} takes a finite number`);
      requireType(node, path, operand);
      return { op, path, value: operand + 0 };
    case "$push":
    case "$addToSet":
      requireUndeclared(node, path);
      if (isPlainObject(operand) && Object.keys(operand).some((key) => key.startsWith("$")))
        throw bad(`${op} of ${path} takes one element`);
      return { op, path, value: cleanValue(operand, undefined, path, encodeDate) };
    case "$pull":
      requireUndeclared(node, path);
      if (typeof operand === "object" && operand !== null) throw bad(`$pull of ${path} takes a scalar`);
      return { op, path, value: cleanValue(operand, undefined, path, encodeDate) };
  }
}

function requireType(node: FieldNode | undefined, path: string, operand: unknown): void {
  if (node?.children) throw new DocumentStoreError("BAD_DOCUMENT", `${path} holds declared fields`);
  if (node?.type && !hasType(operand, node.type))
    throw new DocumentStoreError("BAD_DOCUMENT", `${path} is declared ${node.type}`);
}

function requireUndeclared(node: FieldNode | undefined, path: string): void {
  if (node)
    throw new DocumentStoreError(
      "BAD_DOCUMENT",
      `${path} cannot become an array: it is declared, or holds declared fields`,
    );
}

function refuseConflicts(steps: readonly UpdateStep[]): void {
  for (const [index, step] of steps.entries()) {
    const other = steps.slice(0, index).find(({ path }) => pathsOverlap(path, step.path));
    if (other) throw bad(`${other.op} of ${other.path} and ${step.op} of ${step.path} touch the same place`);
  }
}

function bad(message: string): DocumentStoreError {
  return new DocumentStoreError("BAD_QUERY", message);
}
