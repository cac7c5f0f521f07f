import { AVAILABILITIES, type Availability } from "../availability.ts";
import { foldName } from "../fold.ts";
import type { Cents } from "../money.ts";
import { type Attribute, attributeKey, ATTRIBUTES } from "./attributes.ts";
import type { Facets, FacetValue } from "./port.ts";
import { remembering } from "../remembering.ts";

/** Lower ends of the price ranges; the last one is open. */
export const PRICE_STEPS: readonly Cents[] = [0, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000];

export const MAX_FACET_VALUES = 100;
/** Names of values, which search after search has again. */
const nameKey = remembering(2_000, foldName);

/** Both ends are included; `to` null is open. */
export function priceRange(step: number): { from: Cents; to: Cents | null } {
  return { from: PRICE_STEPS[step]!, to: step + 1 < PRICE_STEPS.length ? PRICE_STEPS[step + 1]! - 1 : null };
}

const AVAILABILITY_LABELS: Record<Availability, string> = {
  in_stock: "In stock",
  low_stock: "Few left",
  out_of_stock: "Out of stock",
  unknown: "Not known",
};

/** Returns those with parts, from in stock to not known. */
export function toAvailabilityFacet(countOf: (availability: Availability) => number): FacetValue[] {
  return AVAILABILITIES.map((value) => ({ value, label: AVAILABILITY_LABELS[value], count: countOf(value) })).filter(
    ({ count }) => count > 0,
  );
}

/** Returns the attributes with parts. A value may come more than once. */
export function toAttributeFacets(
  countsOf: (attribute: Attribute) => readonly { value: string; count: number }[],
): Facets["attributes"] {
  const facets = ATTRIBUTES.map((attribute) => {
    const counts = new Map<string, number>();
    for (const { value, count } of countsOf(attribute)) counts.set(value, (counts.get(value) ?? 0) + count);
    const entries = [...counts].map(([value, count]) => ({ value, label: value, count }));
    return [attribute, toFacetValues(entries, attributeKey)] as const;
  });
  return Object.fromEntries(facets.filter(([, values]) => values.length > 0));
}

/**
 * Sorts values by frequency. Entries of one value (brands of a vendor, spellings of a category) are summed under the
 * name of the most frequent.
 */
export function toFacetValues(entries: readonly FacetValue[], keyOf = nameKey): FacetValue[] {
  const values = new Map<string, FacetValue>();
  for (const { value, label, count } of entries.toSorted(byCount)) {
    const key = keyOf(value);
    const known = values.get(key);
    if (known) known.count += count;
    else values.set(key, { value, label, count });
  }
  return [...values.values()].sort(byCount).slice(0, MAX_FACET_VALUES);
}

export function byCount(a: FacetValue, b: FacetValue): number {
  return b.count - a.count || (a.label < b.label ? -1 : 1);
}
