import { foldName } from "../../mixins/fold.ts";
import { byCount } from "../../mixins/search-index/facet-values.ts";
import type { Facets, LogicalIndex, SearchQuery } from "../../mixins/search-index/port.ts";
import { TIRE_SUPPLIER_CODE, WHEELS_AND_TIRES } from "../../mixins/tires.ts";

const TIRE_CATEGORIES = new Set(["tires", "wheels", WHEELS_AND_TIRES].map(foldName));

type Filters = Pick<SearchQuery, "categories" | "manufacturers">;
type ValueFacet = "category" | "manufacturer";

/** Where a query goes. */
export interface Route {
  index: LogicalIndex;
  /**
   * The facet that counts parts, too: the only filter that led to the tires is its own, which it is counted without.
   */
  wider?: ValueFacet;
}

/**
 * `tires` for a category filter of tires, wheels or wheels & tires, or a manufacturer filter equal to the tire
 * supplier's code or one of its aliases; `parts` for every other query. Source: specification, "Index routing". A
 * filter that also asks for something else is answered by `parts`, which holds the tires too.
 */
export function routeToIndex({ categories, manufacturers }: Filters, supplierAliases: readonly string[]): Route {
  const suppliers = new Set([TIRE_SUPPLIER_CODE, ...supplierAliases].map(foldName));
  const allIn = (values: readonly string[], set: ReadonlySet<string>): boolean =>
    values.length > 0 && values.every((value) => set.has(foldName(value)));
  const byCategory = allIn(categories, TIRE_CATEGORIES);
  const bySupplier = allIn(manufacturers, suppliers);
  if (byCategory && bySupplier) return { index: "tires" };
  return byCategory
    ? { index: "tires", wider: "category" }
    : bySupplier
      ? { index: "tires", wider: "manufacturer" }
      : { index: "parts" };
}

/**
 * What a filter on the manufacturer means: the tire supplier's code for an alias of it. The index knows the names that
 * it goes by here alone.
 */
export function supplierCoder(supplierAliases: readonly string[]): (manufacturer: string) => string {
  const aliases = new Set(supplierAliases.map(foldName));
  return (manufacturer) => (aliases.has(foldName(manufacturer)) ? TIRE_SUPPLIER_CODE : manufacturer);
}

/** The query with the supplier by its code wherever a filter has an alias of it. */
export function withSupplierCode<F extends Filters>(query: F, supplierAliases: readonly string[]): F {
  return { ...query, manufacturers: query.manufacturers.map(supplierCoder(supplierAliases)) };
}

/**
 * The facets of a search of the tires, with the values of the wider one that lead to parts. Each index corrects words
 * by those that it has, so each value has the count of the index that choosing it leads to.
 */
export function withWiderFacet(tires: Facets, wider: ValueFacet, parts: Facets): Facets {
  const leadsToTires = ({ value }: { value: string }): boolean =>
    wider === "category" ? TIRE_CATEGORIES.has(foldName(value)) : value === TIRE_SUPPLIER_CODE;
  const values = [...tires[wider].filter(leadsToTires), ...parts[wider].filter((each) => !leadsToTires(each))].sort(
    byCount,
  );
  return { ...tires, [wider]: values };
}
