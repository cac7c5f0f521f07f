import { reused } from "./reused-array.ts";

/**
 * Values in the order of their keys, the highest first, then of their ties, the highest first, then by `compare`. Keys
 * are there for all, ties are made for the few that need them.
 */
export interface Order {
  keys: ArrayLike<number>;
  tieOf(value: number, at: number): number;
  compare(a: number, b: number): number;
}

/** By place, of the values that were ever among the first. */
const reusedTies = reused((length) => new Float64Array(length));

/** Returns the first `count` values in their order, by a heap of the best so far in place of a full sort. */
export function firstInOrder(values: ArrayLike<number>, count: number, { keys, tieOf, compare }: Order): number[] {
  if (count === 0) return [];
  const ties = reusedTies(values.length);
  const inOrder = (a: number, b: number): number =>
    keys[b]! - keys[a]! || ties[b]! - ties[a]! || compare(values[a]!, values[b]!);
  /** Places. */
  const heap = Array.from({ length: Math.min(count, values.length) }, (_, at) => at);
  for (const at of heap) ties[at] = tieOf(values[at]!, at);
  if (values.length > count) {
    for (let index = (count >> 1) - 1; index >= 0; index -= 1) sink(heap, index, inOrder);
    let last = heap[0]!;
    let [leastKey, leastTie] = [keys[last]!, ties[last]!];
    for (let at = count; at < values.length; at += 1) {
      const key = keys[at]!;
      if (key < leastKey) continue;
      // Of a common word, most rows have the same key.
      const tie = tieOf(values[at]!, at);
      if (key === leastKey && tie < leastTie) continue;
      ties[at] = tie;
      if (inOrder(at, last) >= 0) continue;
      heap[0] = at;
      sink(heap, 0, inOrder);
      last = heap[0];
      [leastKey, leastTie] = [keys[last]!, ties[last]!];
    }
  }
  return heap.sort(inOrder).map((at) => values[at]!);
}

/** Moves a place below the children that come after it; the last of all is on top. */
function sink(heap: number[], start: number, inOrder: (a: number, b: number) => number): void {
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
