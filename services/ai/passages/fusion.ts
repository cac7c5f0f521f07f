/** The k of reciprocal rank fusion: its usual value. */
const K = 60;

/** Keys, best first, and the weight of the list. */
export interface Ranking {
  keys: readonly string[];
  weight?: number;
}

/**
 * Returns the score of each key by reciprocal rank fusion, best first. Only a key's first place in a list counts.
 */
export function fuse(rankings: readonly Ranking[]): Map<string, number> {
  const scores = new Map<string, number>();
  for (const { keys, weight = 1 } of rankings) {
    for (const [rank, key] of [...new Set(keys)].entries())
      scores.set(key, (scores.get(key) ?? 0) + weight / (K + rank + 1));
  }
  return new Map([...scores].sort(([, a], [, b]) => b - a));
}
