import { compareStrings, typeOf } from "./order.ts";
import { isPlainObject } from "./paths.ts";
import type { JsonObject } from "./paths.ts";
import type { Operand, Predicate, RangeOperator } from "./predicate.ts";

export type Matcher = (document: JsonObject) => boolean;

/**
 * MongoDB's meaning of a filter, on documents as they are stored. A path that meets an array goes on in each element
 * that is an object; a condition on an array holds when it holds for one element or for the array itself. Source:
 * MongoDB manual, "Query an Array" and "Query for Null or Missing Fields".
 */
export function compileMatcher(predicate: Predicate): Matcher {
  switch (predicate.op) {
    case "and": {
      const all = predicate.of.map(compileMatcher);
      return (document) => all.every((matches) => matches(document));
    }
    case "or": {
      const any = predicate.of.map(compileMatcher);
      return (document) => any.some((matches) => matches(document));
    }
    case "not": {
      const matches = compileMatcher(predicate.of);
      return (document) => !matches(document);
    }
    case "eq":
      return at(predicate.path, true, equals(predicate.value));
    case "in": {
      const tests = predicate.values.map(equals);
      return at(predicate.path, true, (value) => tests.some((test) => test(value)));
    }
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return at(predicate.path, true, range(predicate.op, predicate.value));
    case "exists":
      return at(predicate.path, false, (value) => value !== undefined);
    case "size":
      return at(predicate.path, false, (value) => Array.isArray(value) && value.length === predicate.value);
    case "regex": {
      const pattern = new RegExp(predicate.source, predicate.flags);
      return at(predicate.path, true, (value) => typeof value === "string" && pattern.test(value));
    }
    case "never":
      return () => false;
  }
}

function at(path: string, intoArray: boolean, test: (value: unknown) => boolean): Matcher {
  const segments = path.split(".");
  return (document) => someAt(document, segments, 0, intoArray, test);
}

function someAt(
  from: unknown,
  segments: readonly string[],
  start: number,
  intoArray: boolean,
  test: (value: unknown) => boolean,
): boolean {
  let current = from;
  for (let index = start; index < segments.length; index++) {
    if (Array.isArray(current)) {
      return current.some((item) => isPlainObject(item) && someAt(item, segments, index, intoArray, test));
    }
    const segment = segments[index]!;
    if (!isPlainObject(current) || !Object.hasOwn(current, segment)) return test(undefined);
    current = current[segment];
  }
  return (intoArray && Array.isArray(current) && current.some(test)) || test(current);
}

function equals(operand: Operand): (value: unknown) => boolean {
  return operand === null ? (value) => value === null || value === undefined : (value) => value === operand;
}

function range(op: RangeOperator, operand: NonNullable<Operand>): (value: unknown) => boolean {
  const type = typeOf(operand);
  const holds = RANGE_TESTS[op];
  if (typeof operand === "string") return (value) => typeof value === "string" && holds(compareStrings(value, operand));
  return (value) => typeOf(value) === type && holds(Number(value) - Number(operand));
}

const RANGE_TESTS: Record<RangeOperator, (order: number) => boolean> = {
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
};
