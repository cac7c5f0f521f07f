/** Returns the item at a place of a list, counted from the end if negative. @throws RangeError if there is none */
export function getAt<T>(list: readonly T[], index: number): T {
  const item = list.at(index);
  if (item === undefined) throw new RangeError(`A list of ${list.length} has no item ${index}`);
  return item;
}

/** Returns the value of a key that the map must have. @throws RangeError if it lacks the key */
export function getFrom<K, V>(map: { get(key: K): V | undefined }, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new RangeError("A map lacks the key that was looked up");
  return value;
}
