import { AVAILABILITIES, type Availability, type Cents, foldName } from "@partline/parts-language";
import { toAttributeKey, ATTRIBUTES } from "./attributes.ts";
import type { Facets, FacetValue } from "./search-page.ts";
import { memoizeRecent } from "@partline/toolkit";

/** Facets of values: all but the price. */
export const FACETS = ["manufacturer", "category", "availability", ...ATTRIBUTES] as const;
export type FacetName = (typeof FACETS)[number];

/** Values with the same key are one: brands of a vendor, spellings of a category. */
export interface CountedValue extends FacetValue {
  key: string;
}

/** Lower ends of the price ranges; the last one is open. */
export const PRICE_STEPS: readonly Cents[] = [0, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000];

const MAX_FACET_VALUES = 100;
/** Maximum number of hits whose machines are counted: each hit has its own. */
export const MOST_COUNTED = 500;
/** Machines of a facet. */
export const MOST_MACHINES = 20;
/** Names of values, which search after search has again. */
const nameKey = memoizeRecent(2_000, foldName);

const AVAILABILITY_LABELS: Record<Availability, string> = {
  in_stock: "In stock",
  low_stock: "Few left",
  out_of_stock: "Out of stock",
  unknown: "Not known",
};

export function toFacetKey(facet: FacetName, value: string): string {
  return facet === "manufacturer" || facet === "category" ? nameKey(value) : toAttributeKey(value);
}

/** @param ranges parts by `PRICE_STEPS` */
export function toFacets(
  countsOf: (facet: FacetName) => readonly CountedValue[],
  { min, max, ranges }: { min: Cents | null; max: Cents | null; ranges: readonly number[] },
): Omit<Facets, "machine"> {
  const availabilities = new Map(countsOf("availability").map(({ value, count }) => [value, count]));
  const attributes = ATTRIBUTES.map((attribute) => [attribute, selectMostFrequent(countsOf(attribute))] as const);
  return {
    manufacturer: selectMostFrequent(countsOf("manufacturer")),
    category: selectMostFrequent(countsOf("category")),
    availability: AVAILABILITIES.map((value) => ({
      value,
      label: AVAILABILITY_LABELS[value],
      count: availabilities.get(value) ?? 0,
    })).filter(({ count }) => count > 0),
    attributes: Object.fromEntries(attributes.filter(([, values]) => values.length > 0)),
    price: {
      min,
      max,
      ranges: ranges.map((count, step) => ({
        from: PRICE_STEPS[step]!,
        to: step + 1 < PRICE_STEPS.length ? PRICE_STEPS[step + 1]! - 1 : null,
        count,
      })),
    },
  };
}

/** Sorts values by frequency. Those that are the same are summed under the name of the most frequent. */
export function selectMostFrequent(counts: readonly CountedValue[]): FacetValue[] {
  const values = new Map<string, FacetValue>();
  for (const { value, label, key, count } of counts.toSorted(compareCounts)) {
    const existing = values.get(key);
    if (existing) existing.count += count;
    else values.set(key, { value, label, count });
  }
  return [...values.values()].sort(compareCounts).slice(0, MAX_FACET_VALUES);
}

export function compareCounts(a: FacetValue, b: FacetValue): number {
  return b.count - a.count || (a.label < b.label ? -1 : 1);
}
