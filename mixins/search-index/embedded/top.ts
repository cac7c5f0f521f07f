import { reused } from "./reused.ts";

/**
 * Values in the order of their keys, the highest first, then of their ties, the highest first, then by `compare`. Keys
 * are there for all, ties are made for the few that need them.
 */
export interface Order {
  keys: ArrayLike<number>;
  tieOf(value: number, at: number): number;
  compare(a: number, b: number): number;
  /** Whether it is to be among them; all are without it. Asked of few. */
  isIn?(value: number): boolean;
}

/** By place, of the values that were ever among the first. */
const reusedTies = reused((length) => new Float64Array(length));

/** Returns the first `count` values in their order, by a heap of the best so far in place of a full sort. */
export function firstInOrder(
  values: ArrayLike<number>,
  count: number,
  { keys, tieOf, compare, isIn }: Order,
): number[] {
  if (count === 0) return [];
  const ties = reusedTies(values.length);
  const inOrder = (a: number, b: number): number =>
    keys[b]! - keys[a]! || ties[b]! - ties[a]! || compare(values[a]!, values[b]!);
  /** Places. */
  const heap: number[] = [];
  let next = 0;
  for (; next < values.length && heap.length < count; next += 1) {
    if (isIn && !isIn(values[next]!)) continue;
    heap.push(next);
    ties[next] = tieOf(values[next]!, next);
  }
  if (next < values.length) {
    for (let index = (count >> 1) - 1; index >= 0; index -= 1) sink(heap, index, inOrder);
    let last = heap[0]!;
    let [leastKey, leastTie] = [keys[last]!, ties[last]!];
    for (let at = next; at < values.length; at += 1) {
      const key = keys[at]!;
      if (key < leastKey) continue;
      // Of a common word, most rows have the same key.
      const tie = tieOf(values[at]!, at);
      if ((key === leastKey && tie < leastTie) || (isIn && !isIn(values[at]!))) continue;
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
