export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Adds up numbers by key. */
export function sumByKey<K>(entries: Iterable<readonly [K, number]>): Map<K, number> {
  const sums = new Map<K, number>();
  for (const [key, value] of entries) sums.set(key, (sums.get(key) ?? 0) + value);
  return sums;
}

/** Deals out what there is of each key to claims, in their order; undefined where nothing is said of a key. */
export function assignStock<K>(
  claims: readonly (readonly [key: K, quantity: number])[],
  stock: ReadonlyMap<K, number>,
): (number | undefined)[] {
  const leftByKey = new Map(stock);
  return claims.map(([key, quantity]) => {
    const left = leftByKey.get(key);
    if (left === undefined) return undefined;
    const dealt = Math.max(0, Math.min(quantity, left));
    leftByKey.set(key, left - dealt);
    return dealt;
  });
}
