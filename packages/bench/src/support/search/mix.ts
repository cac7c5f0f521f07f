import { mixedQueries, type MixedQuery } from "../generated-catalog/queries.ts";
import { generatedRows, type VendorRow } from "../generated-catalog/price-rows.ts";

const SAMPLE = 2_000;

/** The size whose aims a catalog of about this size has: 100,001 parts are judged as 100,000. */
export const judgedAs = (parts: number): number => Math.round(parts / 1_000) * 1_000;

/** The mixed queries of a generated catalog of this size, made from parts spread over all of it. */
export function createMix(parts: number, queries: number): MixedQuery[] {
  const every = Math.max(1, Math.floor(parts / SAMPLE));
  const sample: VendorRow[] = [];
  let index = 0;
  for (const part of generatedRows(parts)) {
    if (index % every === 0) sample.push(part);
    index += 1;
  }
  return mixedQueries(sample, queries);
}
