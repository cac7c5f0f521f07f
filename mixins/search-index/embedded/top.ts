/**
 * Returns the first `count` values in the order of their keys, highest first, and among equals of `compare`, by a heap
 * of the best so far in place of a full sort.
 */
export function firstInOrder(
  values: ArrayLike<number>,
  count: number,
  keyOf: (value: number) => number,
  compare: (a: number, b: number) => number,
): number[] {
  const inOrder = (a: number, b: number): number => keyOf(b) - keyOf(a) || compare(a, b);
  if (count === 0) return [];
  if (values.length <= count * 2) return Array.from(values).sort(inOrder).slice(0, count);
  const heap = Array.from({ length: count }, (_, at) => values[at]!);
  for (let index = (count >> 1) - 1; index >= 0; index -= 1) sink(heap, index, inOrder);
  let least = keyOf(heap[0]!);
  for (let index = count; index < values.length; index += 1) {
    const value = values[index]!;
    const key = keyOf(value);
    if (key < least || (key === least && compare(value, heap[0]!) >= 0)) continue;
    heap[0] = value;
    sink(heap, 0, inOrder);
    least = keyOf(heap[0]);
  }
  return heap.sort(inOrder);
}

/** Moves an entry below the children that come after it; the last of all is on top. */
function sink(heap: number[], start: number, compare: (a: number, b: number) => number): void {
  let index = start;
  for (;;) {
    let last = index;
    for (let child = 2 * index + 1; child <= 2 * index + 2; child += 1) {
      if (child < heap.length && compare(heap[child]!, heap[last]!) > 0) last = child;
    }
    if (last === index) return;
    [heap[index], heap[last]] = [heap[last]!, heap[index]!];
    index = last;
  }
}
