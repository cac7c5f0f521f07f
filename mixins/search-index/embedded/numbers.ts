import { LONGEST_CHAIN, normalizePartNumber } from "../../part-number.ts";
import { TIER, type NumberPlan, type NumberReading, type Tier } from "../query-plan.ts";
import type { IndexReader } from "./index-reader.ts";

/** Rows that the query names by number, with their tiers. Numbers are never corrected. */
export function matchNumbers(index: IndexReader, plan: NumberPlan): Map<number, Tier> {
  const tiers = new Map<number, Tier>();
  const add = (row: number, tier: Tier): void => {
    if ((tiers.get(row) ?? Infinity) > tier) tiers.set(row, tier);
  };
  const addNamed = (row: number, tier: Tier): void => {
    const document = index.document(row);
    if (!document) return;
    const { status, supersededBy, manufacturer } = document;
    add(row, status === "active" ? tier : TIER.replaced);
    if (supersededBy !== undefined)
      for (const next of successors(index, supersededBy, manufacturer.code)) add(next, TIER.successor);
  };
  const addReading = (reading: NumberReading): void => {
    for (const row of ofVendor(index, reading, index.rowsOfNumber(reading.norm))) addNamed(row, TIER.variant);
    for (const row of ofVendor(index, reading, index.rowsOfVariant(reading.norm))) addNamed(row, TIER.variant);
  };

  if (plan.whole !== undefined) {
    for (const row of index.rowsOfNumber(plan.whole)) addNamed(row, TIER.exact);
    for (const row of index.rowsOfVariant(plan.whole)) addNamed(row, TIER.variant);
  }
  for (const reading of plan.ofVendor) addReading(reading);
  if (tiers.size === 0) for (const reading of plan.amidWords) addReading(reading);
  for (const reading of plan.prefixes) {
    for (const row of ofVendor(index, reading, index.rowsOfNumberPrefix(reading.norm))) add(row, TIER.prefix);
  }
  if (plan.suffix !== undefined) for (const row of index.rowsOfNumberSuffix(plan.suffix)) add(row, TIER.suffix);
  return tiers;
}

/** Rows of the vendor in front of the number, if there is one. */
export function ofVendor({ columns }: IndexReader, { vendor }: NumberReading, rows: number[]): number[] {
  return vendor === undefined ? rows : rows.filter((row) => columns.isOfVendor(row, vendor));
}

/** The end of the chain of successors, never a discontinued link. */
function successors(index: IndexReader, supersededBy: string, code: string): number[] {
  const { columns } = index;
  let number = supersededBy;
  const seen = new Set<number>();
  for (let step = 0; step < LONGEST_CHAIN; step += 1) {
    const row = index
      .rowsOfNumber(normalizePartNumber(number))
      .find((each) => columns.profileOf(each).manufacturer.code === code);
    const document = row === undefined || seen.has(row) ? undefined : index.document(row);
    if (row === undefined || !document) return [];
    seen.add(row);
    const { status, supersededBy: next } = document;
    if (next === undefined || status === "active") return status === "active" ? [row] : [];
    number = next;
  }
  return [];
}
