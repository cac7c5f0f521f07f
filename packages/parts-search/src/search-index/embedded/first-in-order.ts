import { reuseArray } from "./reused-array.ts";

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
const reusedTies = reuseArray((length) => new Float64Array(length));

/** Returns the first `count` values in their order, by a heap of the best so far in place of a full sort. */
export function selectFirst(values: ArrayLike<number>, count: number, { keys, tieOf, compare }: Order): number[] {
  if (count === 0) return [];
  const ties = reusedTies(values.length);
  const comparePlaces = (a: number, b: number): number =>
    keys[b]! - keys[a]! || ties[b]! - ties[a]! || compare(values[a]!, values[b]!);
  /** Places. */
  const heap = Array.from({ length: Math.min(count, values.length) }, (_, index) => index);
  for (const place of heap) ties[place] = tieOf(values[place]!, place);
  if (values.length > count) {
    for (let index = (count >> 1) - 1; index >= 0; index -= 1) moveDown(heap, index, comparePlaces);
    let last = heap[0]!;
    let [leastKey, leastTie] = [keys[last]!, ties[last]!];
    for (let place = count; place < values.length; place += 1) {
      const key = keys[place]!;
      if (key < leastKey) continue;
      // Of a common word, most rows have the same key.
      const tie = tieOf(values[place]!, place);
      if (key === leastKey && tie < leastTie) continue;
      ties[place] = tie;
      if (comparePlaces(place, last) >= 0) continue;
      heap[0] = place;
      moveDown(heap, 0, comparePlaces);
      last = heap[0];
      [leastKey, leastTie] = [keys[last]!, ties[last]!];
    }
  }
  return heap.sort(comparePlaces).map((place) => values[place]!);
}

/** Moves a place below the children that come after it; the last of all is on top. */
function moveDown(heap: number[], start: number, inOrder: (a: number, b: number) => number): void {
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
