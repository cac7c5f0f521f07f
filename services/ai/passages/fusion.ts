/** Of reciprocal rank fusion: how little the first ranks of a list count more than the next. The usual value. */
const K = 60;

/** A list of keys, the best first, and how much its ranks count. */
export interface Ranking {
  keys: readonly string[];
  weight?: number;
}

/**
 * Reciprocal rank fusion: what several lists have near their top comes first. A key's later places in one list count
 * for nothing.
 */
export function fuse(rankings: readonly Ranking[]): Map<string, number> {
  const scores = new Map<string, number>();
  for (const { keys, weight = 1 } of rankings) {
    for (const [rank, key] of [...new Set(keys)].entries())
      scores.set(key, (scores.get(key) ?? 0) + weight / (K + rank + 1));
  }
  return new Map([...scores].sort(([, a], [, b]) => b - a));
}
