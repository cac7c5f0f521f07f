import { foldName } from "../../mixins/fold.ts";
import type { LogicalIndex } from "../../mixins/search-index/port.ts";

/** The collection code of the tire supplier, and the two other spellings of it that a manufacturer filter may have. */
export const TIRE_SUPPLIER_CODE = "KMT";
const TIRE_SUPPLIER_ALIASES = ["K&M", "K&M Tire"];

const TIRE_CATEGORIES = new Set(["tires", "wheels", "wheels & tires"].map(foldName));
const TIRE_MANUFACTURERS = new Set([TIRE_SUPPLIER_CODE, ...TIRE_SUPPLIER_ALIASES].map(foldName));

/**
 * `tires` for a category filter of tires, wheels or wheels & tires, or a manufacturer filter equal to the tire
 * supplier's code or alias; `parts` for every other query. Source: specification, "Index routing". A filter that also
 * asks for something else is answered by `parts`, which holds the tires too.
 */
export function routeToIndex(filters: { categories: readonly string[]; manufacturers: readonly string[] }): LogicalIndex {
  const allIn = (values: readonly string[], set: Set<string>): boolean => values.length > 0 && values.every((value) => set.has(foldName(value)));
  return allIn(filters.categories, TIRE_CATEGORIES) || allIn(filters.manufacturers, TIRE_MANUFACTURERS) ? "tires" : "parts";
}
