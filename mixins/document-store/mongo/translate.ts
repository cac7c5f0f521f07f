import type { Document as BsonDocument, Filter as BsonFilter, Sort, UpdateFilter } from "mongodb";
import type { SortKey } from "../model/order.ts";
import type { Predicate } from "../model/predicate.ts";
import type { Shape } from "../model/shape.ts";
import type { StoredDocument, UpdateWrite } from "../model/write.ts";

type Expression = Record<string, unknown>;

/** Translates a checked filter. Hides what has expired, since the server's sweep comes late. */
export function toFilter(shape: Shape, predicate: Predicate): BsonFilter<StoredDocument> {
  const conditions = isEverything(predicate) ? [] : [toExpression(predicate)];
  if (shape.expires !== undefined) conditions.push({ [shape.expires]: { $not: { $lte: new Date() } } });
  return conditions.length > 1 ? { $and: conditions } : (conditions[0] ?? {});
}

export function toUpdate({ steps }: UpdateWrite): UpdateFilter<StoredDocument> {
  const update: Record<string, Expression> = { $set: {} };
  for (const { op, path, value } of steps) (update[op] ??= {})[path] = value;
  return update as UpdateFilter<BsonDocument> as UpdateFilter<StoredDocument>;
}

export function toSort(keys: readonly SortKey[] | undefined): Sort | undefined {
  return keys && keys.length > 0 ? keys.map(({ path, direction }): [string, 1 | -1] => [path, direction]) : undefined;
}

function isEverything(predicate: Predicate): boolean {
  return predicate.op === "and" && predicate.of.length === 0;
}

function toExpression(predicate: Predicate): Expression {
  switch (predicate.op) {
    case "and":
      return merge(predicate.of.map(toExpression));
    case "or":
      return { $or: predicate.of.map(toExpression) };
    case "not":
      return toNegation(predicate.of);
    case "eq":
      return { [predicate.path]: { $eq: predicate.value } };
    case "in":
      return { [predicate.path]: { $in: predicate.values } };
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return { [predicate.path]: { [`$${predicate.op}`]: predicate.value } };
    case "exists":
      return { [predicate.path]: { $exists: true } };
    case "size":
      return { [predicate.path]: { $size: predicate.value } };
    case "regex":
      // The server always reads patterns as UTF-8: the u flag is its default.
      return { [predicate.path]: { $regex: predicate.source, $options: predicate.flags.replace("u", "") } };
    case "never":
      return { _id: { $in: [] } };
  }
}

/** Merges into one object unless a path or operator comes twice: the server plans that best. */
function merge(parts: Expression[]): Expression {
  const merged: Expression = {};
  for (const [key, value] of parts.flatMap((part) => Object.entries(part))) {
    const present = merged[key];
    if (present === undefined) merged[key] = value;
    else if (isCondition(present) && isCondition(value) && !Object.keys(value).some((operator) => operator in present))
      merged[key] = { ...present, ...value };
    else return { $and: parts };
  }
  return merged;
}

/** $regex and $options belong together: a merge could part them. */
function isCondition(value: unknown): value is Expression {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !("$regex" in value);
}

/** Filters negate equality ($ne) and existence alone. */
function toNegation(predicate: Predicate): Expression {
  if (predicate.op === "eq") return { [predicate.path]: { $ne: predicate.value } };
  if (predicate.op === "exists") return { [predicate.path]: { $exists: false } };
  return { $nor: [toExpression(predicate)] };
}
