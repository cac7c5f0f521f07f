import type { Document as BsonDocument, Filter as BsonFilter, Sort, UpdateFilter } from "mongodb";
import type { SortKey } from "../model/order.ts";
import type { Shape } from "../model/shape.ts";
import type { Predicate } from "../model/filter.ts";
import type { StoredDocument, UpdateWrite } from "../model/write.ts";

type Expression = Record<string, unknown>;

/** Translates a checked filter. Hides what has expired, since the server's sweep comes late. */
export function toFilter(shape: Shape, predicate: Predicate): BsonFilter<StoredDocument> {
  const expression = toExpression(predicate);
  if (shape.expires === undefined) return expression;
  const unexpired = { [shape.expires]: { $not: { $lte: new Date() } } };
  return Object.keys(expression).length === 0 ? unexpired : { $and: [expression, unexpired] };
}

export function toUpdate({ steps }: UpdateWrite): UpdateFilter<StoredDocument> {
  const update: Record<string, Expression> = { $set: {} };
  for (const { op, path, value } of steps) (update[op] ??= {})[path] = value;
  return update as UpdateFilter<BsonDocument> as UpdateFilter<StoredDocument>;
}

export function toSort(keys: readonly SortKey[] | undefined): Sort | undefined {
  return keys && keys.length > 0 ? keys.map(({ path, direction }): [string, 1 | -1] => [path, direction]) : undefined;
}

function toExpression(predicate: Predicate): Expression {
  if ("of" in predicate) {
    const parts = predicate.of.map(toExpression);
    return predicate.op === "$and" ? merge(parts) : { $or: parts };
  }
  if (predicate.op !== "$regex") return { [predicate.path]: { [predicate.op]: predicate.value } };
  const { source, flags } = predicate.value;
  // The server always reads patterns as UTF-8: the u flag is its default.
  return { [predicate.path]: { $regex: source, $options: flags.replace("u", "") } };
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
