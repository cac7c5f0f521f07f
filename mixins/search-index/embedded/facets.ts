import { PRICE_STEPS, priceRange, toAttributeFacets, toAvailabilityFacet, toFacetValues } from "../facet-values.ts";
import type { Facets, FacetValue, SearchQuery } from "../port.ts";
import { NO_PRICE, statusId, type Columns } from "./columns.ts";
import { ALL_FILTERS, filterBit, type FacetColumn, type FilterName } from "./profiles.ts";

const HIGHEST = 2 ** 31 - 1;

/**
 * In one pass, selects the rows that pass every filter, and counts each facet over rows that pass all other filters.
 * `anyStatus` selects rows that are shown in any status when active parts are asked for.
 */
export function countFacets(
  columns: Columns,
  matched: Uint32Array,
  query: SearchQuery,
  anyStatus: (row: number) => boolean,
): { passed: Uint32Array; facets: Facets } {
  const { profile, price, range, status, removed, moment, profiles } = columns;
  const passes = profiles.passes(query);
  // Small integers, which V8 compares without converting them.
  const minPrice = query.minPrice ?? (query.maxPrice === undefined ? NO_PRICE : 0);
  const maxPrice = Math.min(query.maxPrice ?? HIGHEST, HIGHEST);
  const wanted = statusId(query.status);
  const anyIsShown = wanted === statusId("active");
  const count = matched.length;
  const passed = new Uint32Array(count);
  let total = 0;
  // Rows of the right price by profile: the facets but the price's are sums of these.
  const byProfile = new Uint32Array(profiles.all.length);
  const found: number[] = [];
  const byRange = new Uint32Array(PRICE_STEPS.length);
  let min = HIGHEST;
  let max = NO_PRICE;
  for (let at = 0; at < count; at += 1) {
    const row = matched[at]!;
    const own = status[row]!;
    if (own !== wanted && !(anyIsShown && own !== 0 && anyStatus(row))) continue;
    const gone = removed[row]!;
    if (gone !== 0 && gone <= moment) continue;
    const id = profile[row]!;
    const cents = price[row]!;
    const ofPrice = cents >= minPrice && cents <= maxPrice;
    if (ofPrice) {
      if (byProfile[id] === 0) found.push(id);
      byProfile[id]! += 1;
    }
    if (passes[id] !== ALL_FILTERS) continue;
    if (ofPrice) passed[total++] = row;
    if (cents < 0) continue;
    byRange[range[row]!]! += 1;
    if (cents < min) min = cents;
    if (cents > max) max = cents;
  }
  const valuesOf = (name: FilterName): FacetValue[] => {
    const bit = filterBit(name);
    const counted = found.filter((id) => (passes[id]! | bit) === ALL_FILTERS);
    return sums(profiles.facet(name), counted, byProfile);
  };
  const hasAttributes = found.some((id) => profiles.all[id]!.attributes);
  const availabilities = new Map(valuesOf("availability").map(({ value, count: rows }) => [value, rows]));
  return {
    passed: passed.subarray(0, total),
    facets: {
      manufacturer: toFacetValues(valuesOf("manufacturer")),
      category: toFacetValues(valuesOf("category")),
      availability: toAvailabilityFacet((value) => availabilities.get(value) ?? 0),
      attributes: hasAttributes ? toAttributeFacets(valuesOf) : {},
      price: {
        min: max === NO_PRICE ? null : min,
        max: max === NO_PRICE ? null : max,
        ranges: Array.from(byRange, (rows, step) => ({ ...priceRange(step), count: rows })),
      },
    },
  };
}

/** Sums the counts of profiles by their values. */
function sums({ values, ids }: FacetColumn, profiles: readonly number[], counts: Uint32Array): FacetValue[] {
  const found = new Map<number, number>();
  for (const profile of profiles) {
    const id = ids[profile]!;
    if (id < values.length) found.set(id, (found.get(id) ?? 0) + counts[profile]!);
  }
  return [...found].map(([id, count]) => ({ ...values[id]!, count }));
}
