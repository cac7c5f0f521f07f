import { ATTRIBUTES } from "../attributes.ts";
import { byCount, MAX_FACET_VALUES, PRICE_STEPS, priceRange, toAvailabilityFacet } from "../facet-values.ts";
import type { Facets, FacetValue, SearchQuery } from "../port.ts";
import {
  FACTS,
  FLAGS,
  NO_PRICE,
  NO_RANGE,
  PRICE,
  PROFILE,
  REMOVED,
  STATUS,
  statusId,
  type Columns,
} from "./columns.ts";
import { ALL_FILTERS, filterBit, NO_VALUE, type FacetColumn, type FilterName } from "./profiles.ts";
import { reused } from "./reused.ts";
import { CELL_PROFILE, CELL_RANGE, HIGHEST, RANGE_BITS, Tally, tallyOfAll, type Counted } from "./tally.ts";

const ofMatched = new Tally();
const countsByProfile = reused((length) => new Uint32Array(length));

/**
 * Counts each facet over the rows that pass all other filters. `anyStatus` selects rows that are shown in any status
 * when active parts are asked for; without it, the matched rows are all of the index, and no price is asked for.
 */
export function countFacets(
  columns: Columns,
  matched: Uint32Array,
  query: SearchQuery,
  anyStatus: ((row: number) => boolean) | undefined,
): { total: number; facets: Facets; passesAll(row: number): boolean } {
  const { profiles } = columns;
  const passes = profiles.passes(query);
  const status = statusId(query.status);
  const counted = {
    status,
    anyStatus: status === statusId("active") ? anyStatus : undefined,
    minPrice: query.minPrice ?? (query.maxPrice === undefined ? NO_PRICE : 0),
    maxPrice: Math.min(query.maxPrice ?? HIGHEST, HIGHEST),
    passes,
  };
  const tally = anyStatus === undefined ? tallyOfAll(columns, status) : ofMatched.count(columns, matched, counted);
  const { total, found, byProfile, byRange, min, max } = sumsOf(tally, passes, profiles.all.length);
  const valuesOf = (name: FilterName): FacetValue[] => {
    const bit = filterBit(name);
    const counted = passes === undefined ? found : found.filter((id) => (passes[id]! | bit) === ALL_FILTERS);
    return mostFrequent(profiles.facet(name), counted, byProfile);
  };
  const hasAttributes = found.some((id) => profiles.haveAttributes[id] !== 0);
  const availabilities = new Map(valuesOf("availability").map(({ value, count }) => [value, count]));
  const facets: Facets = {
    manufacturer: valuesOf("manufacturer"),
    category: valuesOf("category"),
    availability: toAvailabilityFacet((value) => availabilities.get(value) ?? 0),
    attributes: hasAttributes
      ? Object.fromEntries(
          ATTRIBUTES.map((name) => [name, valuesOf(name)] as const).filter(([, values]) => values.length > 0),
        )
      : {},
    price: {
      min: max === NO_PRICE ? null : min,
      max: max === NO_PRICE ? null : max,
      ranges: PRICE_STEPS.map((_, step) => ({ ...priceRange(step), count: byRange[step]! })),
    },
  };
  return { total, facets, passesAll: testOf(columns, counted) };
}

/** Queries, which have fields or not, stay out of what is done by row or cell: V8 would compile it again and again. */
function sumsOf(
  { cells, counts, bounds, min: lowest, max: highest }: Tally,
  passes: Uint32Array | undefined,
  profiles: number,
) {
  // Of the right price: the facets but the price's are sums of these.
  const found: number[] = [];
  const byProfile = countsByProfile(profiles).fill(0);
  const byRange = new Uint32Array(PRICE_STEPS.length);
  let total = 0;
  let [min, max] = bounds ? [HIGHEST, NO_PRICE] : [lowest, highest];
  for (const cell of cells) {
    const id = cell >> CELL_PROFILE;
    const range = (cell >> CELL_RANGE) & RANGE_BITS;
    const count = counts[cell]!;
    const ofPrice = (cell & 1) === 1;
    if (ofPrice) {
      if (byProfile[id] === 0) found.push(id);
      byProfile[id]! += count;
    }
    if (passes !== undefined && passes[id] !== ALL_FILTERS) continue;
    if (ofPrice) total += count;
    if (range === NO_RANGE) continue;
    byRange[range]! += count;
    if (bounds === undefined) continue;
    min = Math.min(min, bounds.lowest[id]!);
    max = Math.max(max, bounds.highest[id]!);
  }
  return { total, found, byProfile, byRange, min, max };
}

function testOf({ facts, moment }: Columns, counted: Counted): (row: number) => boolean {
  const { status, anyStatus, minPrice, maxPrice, passes } = counted;
  return (row) => {
    const own = row * FACTS;
    const is = facts[own + FLAGS]! & STATUS;
    if (is !== status && (is === 0 || anyStatus === undefined || !anyStatus(row))) return false;
    const gone = facts[own + REMOVED]!;
    if (gone !== 0 && gone <= moment) return false;
    if (passes !== undefined && passes[facts[own + PROFILE]!] !== ALL_FILTERS) return false;
    const cents = facts[own + PRICE]!;
    return cents >= minPrice && cents <= maxPrice;
  };
}

/**
 * Sums the counts of profiles by their values, the most frequent first; values that are the same go under the name of
 * the most frequent of them. As `toFacetValues`, which knows the values by their names alone.
 */
function mostFrequent(
  { values, ids, same }: FacetColumn,
  profiles: readonly number[],
  counts: Uint32Array,
): FacetValue[] {
  const totals = new Uint32Array(values.length);
  for (const profile of profiles) {
    const id = ids[profile]!;
    if (id !== NO_VALUE) totals[id]! += counts[profile]!;
  }
  const found = new Map<number, FacetValue & { most: number }>();
  for (let id = 0; id < totals.length; id += 1) {
    const count = totals[id]!;
    if (count === 0) continue;
    const { value, label } = values[id]!;
    const known = found.get(same[id]!);
    if (!known) found.set(same[id]!, { value, label, count, most: count });
    else {
      const isFirst = count > known.most || (count === known.most && label < known.label);
      if (isFirst) Object.assign(known, { value, label, most: count });
      known.count += count;
    }
  }
  return [...found.values()]
    .sort(byCount)
    .slice(0, MAX_FACET_VALUES)
    .map(({ value, label, count }) => ({ value, label, count }));
}
