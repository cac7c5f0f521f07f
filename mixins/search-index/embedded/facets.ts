import { AVAILABILITIES } from "../../availability.ts";
import type { Cents } from "../../money.ts";
import { ATTRIBUTES } from "../attributes.ts";
import { PRICE_STEPS, priceRange, toAttributeFacets, toAvailabilityFacet, toFacetValues } from "../facet-values.ts";
import type { Facets, FacetValue, SearchQuery } from "../port.ts";
import { type Columns, FAILS_MORE, statusId } from "./columns.ts";

/**
 * In one pass, selects the rows that pass every filter, and counts each facet over rows that pass all other filters.
 * `anyStatus` selects rows that are shown in any status when active parts are asked for.
 */
export function countFacets(
  columns: Columns,
  rows: readonly number[],
  query: SearchQuery,
  anyStatus: (row: number) => boolean,
): { passed: number[]; facets: Facets } {
  const filter = columns.filter(query);
  const minPrice = filter.minPrice ?? (filter.maxPrice === undefined ? -Infinity : 0);
  const maxPrice = filter.maxPrice ?? Infinity;
  const active = statusId("active");
  const passed: number[] = [];
  const byManufacturer = new Uint32Array(columns.manufacturers.values.length);
  const byCategory = new Uint32Array(columns.categories.values.length);
  const byAvailability = new Uint32Array(AVAILABILITIES.length);
  const byAttributes = new Uint32Array(columns.attributeSets.length);
  const byRange = PRICE_STEPS.map(() => 0);
  let min = Infinity;
  let max = -Infinity;
  for (const row of rows) {
    if (columns.status[row] !== filter.status && !(filter.status === active && anyStatus(row))) continue;
    const manufacturer = columns.manufacturer[row]!;
    const category = columns.category[row]!;
    const price = columns.price[row]!;
    const ofManufacturer = filter.manufacturer === undefined || filter.manufacturer[manufacturer] === 1;
    const ofCategory = filter.category === undefined || filter.category[category] === 1;
    const availability = columns.availability[row]!;
    const ofAvailability = filter.availability === undefined || filter.availability[availability] === 1;
    const ofPrice = price >= minPrice && price <= maxPrice;
    const attributes = columns.attributes[row]!;
    const failing = filter.attributes === undefined ? 0 : filter.attributes[attributes]!;
    if (attributes !== 0 && failing !== FAILS_MORE && ofManufacturer && ofCategory && ofPrice && ofAvailability)
      byAttributes[attributes]! += 1;
    if (failing !== 0) continue;
    if (ofCategory && ofPrice && ofAvailability) byManufacturer[manufacturer]! += 1;
    if (ofManufacturer && ofPrice && ofAvailability) byCategory[category]! += 1;
    if (ofManufacturer && ofCategory && ofPrice) byAvailability[availability]! += 1;
    if (ofManufacturer && ofCategory && ofAvailability && columns.hasPrice(row)) {
      byRange[rangeOf(price)]! += 1;
      if (price < min) min = price;
      if (price > max) max = price;
    }
    if (ofManufacturer && ofCategory && ofPrice && ofAvailability) passed.push(row);
  }
  return {
    passed,
    facets: {
      manufacturer: toValues(byManufacturer, (id) => {
        const { code, label } = columns.manufacturerValue(id);
        return { value: code, label };
      }),
      category: toValues(byCategory, (id) => ({ value: columns.categoryValue(id), label: columns.categoryValue(id) })),
      availability: toAvailabilityFacet((value) => byAvailability[AVAILABILITIES.indexOf(value)]!),
      attributes: toAttributeFacets((attribute) => {
        const own = ATTRIBUTES.indexOf(attribute) + 1;
        return [...byAttributes].flatMap((count, set) => {
          const value = columns.attributeSets[set]![attribute];
          const failing = filter.attributes?.[set] ?? 0;
          return value === undefined || count === 0 || (failing !== 0 && failing !== own) ? [] : [{ value, count }];
        });
      }),
      price: {
        min: min === Infinity ? null : min,
        max: max === -Infinity ? null : max,
        ranges: byRange.map((count, step) => ({ ...priceRange(step), count })),
      },
    },
  };
}

function rangeOf(price: Cents): number {
  let range = PRICE_STEPS.length - 1;
  while (price < PRICE_STEPS[range]!) range -= 1;
  return range;
}

function toValues(counts: Uint32Array, nameOf: (id: number) => { value: string; label: string }): FacetValue[] {
  return toFacetValues([...counts].flatMap((count, id) => (count === 0 ? [] : [{ ...nameOf(id), count }])));
}
