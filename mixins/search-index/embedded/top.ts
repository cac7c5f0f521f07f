/** Returns the first `count` values in the order of `compare`, by a heap of the best so far in place of a full sort. */
export function firstInOrder(
  values: readonly number[],
  count: number,
  compare: (a: number, b: number) => number,
): number[] {
  if (values.length <= count * 2) return [...values].sort(compare).slice(0, count);
  if (count === 0) return [];
  const heap = values.slice(0, count);
  for (let index = (count >> 1) - 1; index >= 0; index -= 1) sink(heap, index, compare);
  for (let index = count; index < values.length; index += 1) {
    if (compare(values[index]!, heap[0]!) >= 0) continue;
    heap[0] = values[index]!;
    sink(heap, 0, compare);
  }
  return heap.sort(compare);
}

/** Moves an entry below the children that come after it; the last of all is on top. */
function sink(heap: number[], start: number, compare: (a: number, b: number) => number): void {
  let index = start;
  for (;;) {
    let last = index;
    for (const child of [2 * index + 1, 2 * index + 2]) {
      if (child < heap.length && compare(heap[child]!, heap[last]!) > 0) last = child;
    }
    if (last === index) return;
    [heap[index], heap[last]] = [heap[last]!, heap[index]!];
    index = last;
  }
}
