import type { Cents } from "../../money.ts";
import type { Facets, FacetValue, SearchQuery } from "../port.ts";
import type { Columns } from "./columns.ts";
import { statusId } from "./columns.ts";

/** Lower ends of the price ranges; the last range is open. */
const PRICE_STEPS: readonly Cents[] = [0, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000];
const MAX_FACET_VALUES = 100;

/**
 * One pass over the matches: which of them pass every filter, and for each facet how many pass all filters but its own.
 * `anyStatus` tells the rows that are shown whatever their status, when active parts are asked for.
 */
export function countFacets(
  columns: Columns, rows: readonly number[], query: SearchQuery, anyStatus: (row: number) => boolean,
): { passed: number[]; facets: Facets } {
  const filter = columns.filter(query);
  const minPrice = filter.minPrice ?? (filter.maxPrice === undefined ? -Infinity : 0);
  const maxPrice = filter.maxPrice ?? Infinity;
  const active = statusId("active");
  const passed: number[] = [];
  const byManufacturer = new Uint32Array(columns.manufacturers.values.length);
  const byCategory = new Uint32Array(columns.categories.values.length);
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
    const ofPrice = price >= minPrice && price <= maxPrice;
    if (ofCategory && ofPrice) byManufacturer[manufacturer]! += 1;
    if (ofManufacturer && ofPrice) byCategory[category]! += 1;
    if (ofManufacturer && ofCategory && columns.hasPrice(row)) {
      byRange[rangeOf(price)]! += 1;
      if (price < min) min = price;
      if (price > max) max = price;
    }
    if (ofManufacturer && ofCategory && ofPrice) passed.push(row);
  }
  return {
    passed,
    facets: {
      manufacturer: toValues(byManufacturer, (id) => {
        const { code, label } = columns.manufacturerValue(id);
        return { value: code, label };
      }),
      category: toValues(byCategory, (id) => ({ value: columns.categoryValue(id), label: columns.categoryValue(id) })),
      price: {
        min: min === Infinity ? null : min,
        max: max === -Infinity ? null : max,
        ranges: byRange.map((count, range) => ({
          from: PRICE_STEPS[range]!,
          to: range + 1 < PRICE_STEPS.length ? PRICE_STEPS[range + 1]! - 1 : null,
          count,
        })),
      },
    },
  };
}

function rangeOf(price: Cents): number {
  let range = PRICE_STEPS.length - 1;
  while (price < PRICE_STEPS[range]!) range -= 1;
  return range;
}

/** Entries of one value (a vendor with several brands, a category with several kinds) are counted together. */
function toValues(counts: Uint32Array, nameOf: (id: number) => { value: string; label: string }): FacetValue[] {
  const values = new Map<string, FacetValue>();
  for (const [id, count] of counts.entries()) {
    if (!count) continue;
    const { value, label } = nameOf(id);
    const known = values.get(value.toLowerCase());
    if (known) known.count += count;
    else values.set(value.toLowerCase(), { value, label, count });
  }
  return [...values.values()]
    .sort((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1))
    .slice(0, MAX_FACET_VALUES);
}
