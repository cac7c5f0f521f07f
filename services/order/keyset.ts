import type { Place } from "../../broker/contract/cursor.ts";
import type { Condition, Filter } from "../../mixins/document-store/port.ts";

/** How orders can be sorted; those of the same value follow by id. */
export const SORTS = {
  newest: { field: "createdAt", direction: -1 },
  oldest: { field: "createdAt", direction: 1 },
  total_desc: { field: "total", direction: -1 },
  total_asc: { field: "total", direction: 1 },
} as const;

export type Sort = keyof typeof SORTS;

/** Returns the filter of what follows a place. Its first condition leads the index there. */
export function beyond({ value, id }: Omit<Place, "sort">, sort: Sort, filter: Filter): Filter {
  const { field, direction } = SORTS[sort];
  const at = field === "createdAt" ? new Date(value) : value;
  const { $gte: least, ...within } = (filter[field] ?? {}) as Condition;
  const [upTo, after] = direction === -1 ? (["$lte", "$lt"] as const) : (["$gte", "$gt"] as const);
  const bounds = direction === -1 ? { ...(least ? { $gte: least } : {}), [upTo]: at } : { [upTo]: later(least, at) };
  return {
    ...filter,
    [field]: { ...within, ...bounds },
    $or: [{ [field]: { [after]: at } }, { [field]: at, _id: { [after]: id } }],
  };
}

function later(least: Condition["$gte"], at: Date | number): Condition["$gte"] {
  return least instanceof Date && least.getTime() > Number(at) ? least : at;
}
