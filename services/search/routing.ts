import type { Settings } from "../../broker/settings.ts";
import { foldName, TIRE_SUPPLIER_CODE, WHEELS_AND_TIRES } from "@partline/parts-language";
import { compareCounts, type Facets, type LogicalIndex, type SearchQuery } from "@partline/parts-search";

const TIRE_CATEGORIES = new Set(["tires", "wheels", WHEELS_AND_TIRES].map(foldName));
const TIRE_SUPPLIER = foldName(TIRE_SUPPLIER_CODE);

type Filters = Pick<SearchQuery, "categories" | "manufacturers">;
type ValueFacet = "category" | "manufacturer";

export interface Route {
  index: LogicalIndex;
  /** A facet with counts of all parts: its own filter, which it ignores, is all that led to the tires. */
  wider?: ValueFacet;
}

/**
 * Returns `tires` for a category filter of tires, wheels or wheels & tires, or a manufacturer filter equal to the tire
 * supplier's code (aliases are codes by now); `parts` for every other query. Source: specification, "Index routing".
 * A filter that also asks for something else goes to `parts`, which holds the tires too.
 */
export function routeToIndex({ categories, manufacturers }: Filters): Route {
  const areAll = (values: readonly string[], isOne: (folded: string) => boolean): boolean =>
    values.length > 0 && values.every((value) => isOne(foldName(value)));
  const areTireCategories = areAll(categories, (category) => TIRE_CATEGORIES.has(category));
  const areTireSuppliers = areAll(manufacturers, (manufacturer) => manufacturer === TIRE_SUPPLIER);
  if (areTireCategories && areTireSuppliers) return { index: "tires" };
  return areTireCategories
    ? { index: "tires", wider: "category" }
    : areTireSuppliers
      ? { index: "tires", wider: "manufacturer" }
      : { index: "parts" };
}

/** Returns a supplier's code for its alias in the settings; other values as they are. */
export type SupplierCoder = (manufacturer: string) => string;

export function createSupplierCoder(suppliers: Settings["suppliers"]): SupplierCoder {
  const codes = new Map(
    Object.entries(suppliers).flatMap(([code, { aliases }]) => aliases.map((alias) => [foldName(alias), code])),
  );
  return (manufacturer) => codes.get(foldName(manufacturer)) ?? manufacturer;
}

/**
 * Combines the facets of a search of tires with the values of the wider one that lead to parts. Each index corrects
 * words by its own, so each value has the count of the index that it leads to.
 */
export function withWiderFacet(tires: Facets, wider: ValueFacet, parts: Facets): Facets {
  const leadsToTires = ({ value }: { value: string }): boolean =>
    wider === "category" ? TIRE_CATEGORIES.has(foldName(value)) : value === TIRE_SUPPLIER_CODE;
  const values = [...tires[wider].filter(leadsToTires), ...parts[wider].filter((value) => !leadsToTires(value))].sort(
    compareCounts,
  );
  return { ...tires, [wider]: values };
}
