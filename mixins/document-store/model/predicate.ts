import type { Scalar } from "../port.ts";

/** A checked filter, by MongoDB's operators. Plain JSON if dates are numbers, for the writer thread. */
export type Predicate =
  | { op: "$and" | "$or"; of: Predicate[] }
  | { op: "$eq" | "$ne"; path: string; value: Scalar }
  | { op: "$in"; path: string; value: Scalar[] }
  | { op: RangeOperator; path: string; value: NonNullable<Scalar> }
  | { op: "$exists"; path: string; value: boolean }
  | { op: "$size"; path: string; value: number }
  | { op: "$regex"; path: string; value: Pick<RegExp, "source" | "flags"> };

export type RangeOperator = "$gt" | "$gte" | "$lt" | "$lte";

export const EVERYTHING: Predicate = { op: "$and", of: [] };
export const NOTHING: Predicate = { op: "$in", path: "_id", value: [] };

export function allOf(predicates: Predicate[]): Predicate {
  return predicates.length === 1 ? predicates[0]! : { op: "$and", of: predicates };
}

export function conjuncts(predicate: Predicate): Predicate[] {
  return predicate.op === "$and" ? predicate.of.flatMap(conjuncts) : [predicate];
}

/** At its top level. */
export function pinnedId(predicate: Predicate): string | undefined {
  for (const part of conjuncts(predicate)) {
    if (part.op === "$eq" && part.path === "_id" && typeof part.value === "string") return part.value;
  }
  return undefined;
}
