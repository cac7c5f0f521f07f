/** Adds up numbers by key. */
export function sumByKey<K>(entries: Iterable<readonly [K, number]>): Map<K, number> {
  const sums = new Map<K, number>();
  for (const [key, value] of entries) sums.set(key, (sums.get(key) ?? 0) + value);
  return sums;
}
