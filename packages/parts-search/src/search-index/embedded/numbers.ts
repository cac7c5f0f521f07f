import { LONGEST_CHAIN, normalizePartNumber } from "@partline/parts-language";
import { TIER, type NumberPlan, type NumberReading, type Tier } from "../query-plan.ts";
import { toStatusId } from "./columns.ts";
import type { IndexReader } from "./index-reader.ts";

export interface NumberMatches {
  /** Tiers of the rows that the query names by number. */
  tiers: Map<number, Tier>;
  /** The named row, by the row that replaces it. */
  replaced: Map<number, number>;
}

/** Finds the rows that the query names by number. Numbers are never corrected. */
export function matchNumbers(index: IndexReader, plan: NumberPlan): NumberMatches {
  const tiers = new Map<number, Tier>();
  const replaced = new Map<number, number>();
  const add = (row: number, tier: Tier): void => {
    if ((tiers.get(row) ?? Infinity) > tier) tiers.set(row, tier);
  };
  const addNamed = (row: number, tier: Tier): void => {
    add(row, index.columns.getStatus(row) === toStatusId("active") ? tier : TIER.replaced);
    for (const next of successors(index, row)) {
      add(next, TIER.successor);
      if (!replaced.has(next)) replaced.set(next, row);
    }
  };
  // Most readings take a word for a vendor, and `160` begins thousands of numbers.
  const selectKnown = (readings: readonly NumberReading[]): NumberReading[] =>
    readings.filter(({ vendor }) => vendor === undefined || index.columns.profiles.getVendors(vendor) !== undefined);
  const addReading = (reading: NumberReading): void => {
    for (const row of ofVendor(index, reading, index.findRowsByNumber(reading.norm))) addNamed(row, TIER.variant);
    for (const row of ofVendor(index, reading, index.findRowsByVariant(reading.norm))) addNamed(row, TIER.variant);
  };

  if (plan.whole !== undefined) {
    for (const row of index.findRowsByNumber(plan.whole)) addNamed(row, TIER.exact);
    for (const row of index.findRowsByVariant(plan.whole)) addNamed(row, TIER.variant);
  }
  for (const reading of selectKnown(plan.ofVendor)) addReading(reading);
  if (tiers.size === 0) for (const reading of selectKnown(plan.amidWords)) addReading(reading);
  for (const reading of selectKnown(plan.prefixes)) {
    for (const row of ofVendor(index, reading, index.findRowsByPrefix(reading.norm))) add(row, TIER.prefix);
  }
  if (plan.suffix !== undefined) for (const row of index.findRowsBySuffix(plan.suffix)) add(row, TIER.suffix);
  return { tiers, replaced };
}

/** Rows of the vendor in front of the number, if there is one. */
export function ofVendor({ columns }: IndexReader, { vendor }: NumberReading, rows: number[]): number[] {
  return vendor === undefined ? rows : rows.filter((row) => columns.isOfVendor(row, vendor));
}

/** The end of the chain of successors, never a discontinued link. */
function successors(index: IndexReader, row: number): number[] {
  const { columns } = index;
  const { code } = columns.getProfile(row).manufacturer;
  const seen = new Set<number>();
  let last = row;
  for (let step = 0; columns.isSuperseded(last) && step < LONGEST_CHAIN; step += 1) {
    const number = normalizePartNumber(index.hit(last)?.supersededBy ?? "");
    const next = index.findRowsByNumber(number).find((each) => columns.getProfile(each).manufacturer.code === code);
    if (next === undefined || seen.has(next)) return [];
    seen.add(next);
    last = next;
    if (columns.getStatus(next) === toStatusId("active")) return [next];
  }
  return [];
}
