import { foldName } from "../../mixins/fold.ts";
import type { LogicalIndex } from "../../mixins/search-index/port.ts";
import { TIRE_SUPPLIER_CODE, WHEELS_AND_TIRES } from "../../mixins/tires.ts";

const TIRE_CATEGORIES = new Set(["tires", "wheels", WHEELS_AND_TIRES].map(foldName));

/**
 * `tires` for a category filter of tires, wheels or wheels & tires, or a manufacturer filter equal to the tire
 * supplier's code or one of its aliases; `parts` for every other query. Source: specification, "Index routing". A filter that also
 * asks for something else is answered by `parts`, which holds the tires too.
 */
export function routeToIndex(
  filters: { categories: readonly string[]; manufacturers: readonly string[] }, supplierAliases: readonly string[],
): LogicalIndex {
  const suppliers = new Set([TIRE_SUPPLIER_CODE, ...supplierAliases].map(foldName));
  const allIn = (values: readonly string[], set: Set<string>): boolean => values.length > 0 && values.every((value) => set.has(foldName(value)));
  return allIn(filters.categories, TIRE_CATEGORIES) || allIn(filters.manufacturers, suppliers) ? "tires" : "parts";
}
