export function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Removes a value from the list of a key. The list itself stays as it was for those who read it. */
export function removeFrom<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const left = lists.get(key)?.filter((item) => item !== value) ?? [];
  if (left.length > 0) lists.set(key, left);
  else lists.delete(key);
}
