/**
 * Values in the order of their keys, the highest first, then of their ties, the highest first, then by `compare`. Keys
 * are there for all, ties are made for the few that need them.
 */
export interface Order {
  keys: ArrayLike<number>;
  tieOf(value: number, at: number): number;
  compare(a: number, b: number): number;
}

interface Entry {
  value: number;
  key: number;
  tie: number;
}

/** Returns the first `count` values in their order, by a heap of the best so far in place of a full sort. */
export function firstInOrder(values: ArrayLike<number>, count: number, { keys, tieOf, compare }: Order): number[] {
  if (count === 0) return [];
  const inOrder = (a: Entry, b: Entry): number => b.key - a.key || b.tie - a.tie || compare(a.value, b.value);
  const heap = Array.from({ length: Math.min(count, values.length) }, (_, at): Entry => {
    const value = values[at]!;
    return { value, key: keys[at]!, tie: tieOf(value, at) };
  });
  if (values.length > count) {
    for (let index = (count >> 1) - 1; index >= 0; index -= 1) sink(heap, index, inOrder);
    let [last] = heap as [Entry];
    for (let at = count; at < values.length; at += 1) {
      const key = keys[at]!;
      if (key < last.key) continue;
      const value = values[at]!;
      const tie = tieOf(value, at);
      if (key === last.key && (tie < last.tie || (tie === last.tie && compare(value, last.value) >= 0))) continue;
      heap[0] = { value, key, tie };
      sink(heap, 0, inOrder);
      last = heap[0];
    }
  }
  return heap.sort(inOrder).map(({ value }) => value);
}

/** Moves an entry below the children that come after it; the last of all is on top. */
function sink(heap: Entry[], start: number, inOrder: (a: Entry, b: Entry) => number): void {
  let index = start;
  for (;;) {
    let last = index;
    for (let child = 2 * index + 1; child <= 2 * index + 2; child += 1) {
      if (child < heap.length && inOrder(heap[child]!, heap[last]!) > 0) last = child;
    }
    if (last === index) return;
    [heap[index], heap[last]] = [heap[last]!, heap[index]!];
    index = last;
  }
}
