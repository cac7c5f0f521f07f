import { PRICE_STEPS, toFacets, type CountedValue, type FacetName } from "../facet-values.ts";
import type { SearchQuery } from "../port.ts";
import type { Facets } from "../search-page.ts";
import { FACTS, FLAGS, NO_PRICE, PRICE, PROFILE, RANGE, REMOVED, STATUS, toStatusId, type Columns } from "./columns.ts";
import { ALL_FILTERS, filterBit, NO_VALUE, type FacetColumn } from "./profiles.ts";
import { reuseArray } from "./reused-array.ts";

const HIGHEST = 2 ** 31 - 1;

const passedRows = reuseArray((length) => new Uint32Array(length));
/** All 0 between two searches. */
const countsByProfile = reuseArray((length) => new Uint32Array(length));

/**
 * In one pass, selects the rows that pass every filter, and counts each facet over rows that pass all other filters.
 * The selected rows are valid until the next call. `anyStatus` selects rows that are shown in any status when active
 * parts are asked for.
 */
export function countFacets(
  columns: Columns,
  matched: Uint32Array,
  query: SearchQuery,
  anyStatus: ((row: number) => boolean) | undefined,
): { passed: Uint32Array; facets: Omit<Facets, "machine"> } {
  const { profiles } = columns;
  const passes = profiles.computePasses(query);
  const wantedStatus = toStatusId(query.status);
  const {
    rows,
    found: matchingRows,
    byProfile: profileCounts,
    byRange: rangeCounts,
    min,
    max,
  } = selectRows(columns, matched, {
    passes,
    wanted: wantedStatus,
    anyStatus: wantedStatus === toStatusId("active") ? anyStatus : undefined,
    minPrice: query.minPrice ?? (query.maxPrice === undefined ? NO_PRICE : 0),
    maxPrice: Math.min(query.maxPrice ?? HIGHEST, HIGHEST),
  });
  const hasAttributes = matchingRows.some((id) => profiles.haveAttributes[id] !== 0);
  const countValues = (name: FacetName): CountedValue[] => {
    if (!hasAttributes && name !== "manufacturer" && name !== "category" && name !== "availability") return [];
    const bit = filterBit(name);
    const counted =
      passes === undefined ? matchingRows : matchingRows.filter((id) => (passes[id]! | bit) === ALL_FILTERS);
    return sumCounts(profiles.getFacet(name), counted, profileCounts);
  };
  const priceFacet = {
    min: max === NO_PRICE ? null : min,
    max: max === NO_PRICE ? null : max,
    ranges: [...rangeCounts],
  };
  const facets = toFacets(countValues, priceFacet);
  for (const id of matchingRows) profileCounts[id] = 0;
  return { passed: rows, facets };
}

interface Conditions {
  passes: Uint32Array | undefined;
  wanted: number;
  anyStatus: ((row: number) => boolean) | undefined;
  /** Small integers, which V8 compares without converting them. */
  minPrice: number;
  maxPrice: number;
}

/** The pass itself. Queries, which have fields or not, stay out of it: V8 would compile it again and again. */
function selectRows(
  { facts, moment, profiles }: Columns,
  matched: Uint32Array,
  { passes, wanted: wantedStatus, anyStatus, minPrice, maxPrice }: Conditions,
) {
  const count = matched.length;
  const passed = passedRows(count);
  let total = 0;
  // Rows of the right price by profile: the facets but the price's are sums of these.
  const profileCounts = countsByProfile(profiles.all.length);
  const matchingRows: number[] = [];
  const rangeCounts = new Uint32Array(PRICE_STEPS.length);
  let min = HIGHEST;
  let max = NO_PRICE;
  for (let index = 0; index < count; index += 1) {
    const row = matched[index]!;
    const start = row * FACTS;
    const flags = facts[start + FLAGS]!;
    const status = flags & STATUS;
    if (status !== wantedStatus && (status === 0 || anyStatus === undefined || !anyStatus(row))) continue;
    const gone = facts[start + REMOVED]!;
    if (gone !== 0 && gone <= moment) continue;
    const id = facts[start + PROFILE]!;
    const cents = facts[start + PRICE]!;
    const isInPriceRange = cents >= minPrice && cents <= maxPrice;
    if (isInPriceRange) {
      const counted = profileCounts[id]!;
      if (counted === 0) matchingRows.push(id);
      profileCounts[id] = counted + 1;
    }
    if (passes !== undefined && passes[id] !== ALL_FILTERS) continue;
    if (isInPriceRange) passed[total++] = row;
    if (cents < 0) continue;
    rangeCounts[flags >> RANGE]! += 1;
    if (cents < min) min = cents;
    if (cents > max) max = cents;
  }
  return {
    rows: passed.subarray(0, total),
    found: matchingRows,
    byProfile: profileCounts,
    byRange: rangeCounts,
    min,
    max,
  };
}

/** Sums the counts of profiles by their values. */
function sumCounts({ values, ids }: FacetColumn, profiles: readonly number[], counts: Uint32Array): CountedValue[] {
  const totals = new Uint32Array(values.length);
  for (const profile of profiles) {
    const id = ids[profile]!;
    if (id !== NO_VALUE) totals[id]! += counts[profile]!;
  }
  const sums: CountedValue[] = [];
  // Each search counts all values: entries of an array would be made for each.
  for (let id = 0; id < totals.length; id += 1) if (totals[id]! > 0) sums.push({ ...values[id]!, count: totals[id]! });
  return sums;
}
