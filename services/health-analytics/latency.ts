import { getAt } from "@partline/toolkit";
import { HTTP_SECONDS } from "@partline/moleculer-kit";
import type { Answers } from "./collections.ts";

export const BOUNDS_MS: readonly number[] = HTTP_SECONDS.map((seconds) => seconds * 1_000);

/**
 * Computes the percentile `rank` (0 to 1) as if a bucket's values were evenly spread; beyond the last bound it is that bound.
 * Null without a value.
 */
export function computePercentile(buckets: readonly number[], rank: number): number | null {
  const total = buckets.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const place = Math.max(1, Math.ceil(rank * total));
  let cumulative = 0;
  for (const [index, count] of buckets.entries()) {
    if (cumulative + count >= place) {
      const lower = index === 0 ? 0 : getAt(BOUNDS_MS, index - 1);
      const upper = BOUNDS_MS[index] ?? lower;
      return lower + ((upper - lower) * (place - cumulative)) / count;
    }
    cumulative += count;
  }
  return getAt(BOUNDS_MS, -1);
}

export function toLatency({ count, errors, sum: took, buckets }: Answers) {
  const round = (value: number | null): number | null => (value === null ? null : Math.round(value * 100) / 100);
  const getPercentile = (rank: number): number | null => round(computePercentile(buckets, rank));
  const meanMs = round(count === 0 ? null : took / count);
  return {
    requests: count,
    errors,
    meanMs,
    p50Ms: getPercentile(0.5),
    p95Ms: getPercentile(0.95),
    p99Ms: getPercentile(0.99),
  };
}
