import { HTTP_SECONDS } from "../../broker/metrics/metrics.ts";
import type { Answers } from "./collections.ts";

export const BOUNDS_MS: readonly number[] = HTTP_SECONDS.map((seconds) => seconds * 1_000);

/**
 * The percentile `rank` (0 to 1), as if a bucket's values were evenly spread; beyond the last bound it is that bound.
 * Null without a value.
 */
export function percentile(buckets: readonly number[], rank: number): number | null {
  const total = buckets.reduce((all, count) => all + count, 0);
  if (total === 0) return null;
  const place = Math.max(1, Math.ceil(rank * total));
  let before = 0;
  for (const [index, count] of buckets.entries()) {
    if (before + count >= place) {
      const lower = index === 0 ? 0 : BOUNDS_MS[index - 1]!;
      const upper = BOUNDS_MS[index] ?? lower;
      return lower + ((upper - lower) * (place - before)) / count;
    }
    before += count;
  }
  return BOUNDS_MS.at(-1)!;
}

export function latencyOf({ count, errors, sum: took, buckets }: Answers) {
  const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value * 100) / 100);
  const at = (rank: number): number | null => rounded(percentile(buckets, rank));
  const meanMs = rounded(count === 0 ? null : took / count);
  return { requests: count, errors, meanMs, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
}
