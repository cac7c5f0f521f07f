import {
  copyArray,
  createSharedBytes,
  createSharedDoubles,
  createSharedNumbers,
  withRoom,
} from "../../embedded-index/shared-arrays.ts";
import type { RowValues } from "./row-values.ts";
import { computeHash, computeHead, countHeads, TextPool } from "./text-pool.ts";

export type WordIndexView = ReturnType<WordIndex["view"]>;

/** Slots of the hash table for each term. */
const SLOTS_A_TERM = 2;

/**
 * An inverted index in shared memory, because a search of a common word walks tens of thousands of rows. One thread
 * adds to it. What others have by a view stays as it was, except for rows added since then, which they know by their
 * number: lists are in the order of the rows, and one that has no room left moves, leaving the old one behind.
 */
export class WordIndex {
  #terms = new TextPool();
  /** A hash table of ids, each one more than the id. */
  #slots = createSharedNumbers(1_024);
  /** Ids in the order of their terms. */
  #sorted = createSharedNumbers();
  /**
   * First letters by place in `#sorted`, in which most of a search for a beginning is done: terms are all over the
   * memory.
   */
  #heads = createSharedDoubles();
  #sortedLength = 0;
  /** Beginnings of lists by id. A list has room for the next power of two of its length. */
  #starts = createSharedNumbers();
  #lengths = createSharedNumbers();
  #rows = createSharedNumbers();
  #weights = createSharedBytes();
  #used = 0;

  static of(view: WordIndexView): WordIndex {
    const index = new WordIndex();
    index.#terms = TextPool.of(view.terms);
    index.#slots = view.slots;
    index.#sorted = view.sorted;
    index.#heads = view.heads;
    index.#sortedLength = view.sortedLength;
    index.#starts = view.starts;
    index.#lengths = view.lengths;
    index.#rows = view.rows;
    index.#weights = view.weights;
    index.#used = view.used;
    return index;
  }

  /** Returns a view with all terms in order. */
  view() {
    this.#sort();
    return {
      terms: this.#terms.view(),
      slots: this.#slots,
      sorted: this.#sorted,
      heads: this.#heads,
      sortedLength: this.#sortedLength,
      starts: this.#starts,
      lengths: this.#lengths,
      rows: this.#rows,
      weights: this.#weights,
      used: this.#used,
    };
  }

  /**
   * `weight` is 1 to 255. A row is added once, after all rows below it: a document whose terms change gets a new row.
   * @returns the id of the term if it is new
   */
  add(row: number, term: string, weight: number): number | undefined {
    const existing = this.findId(term);
    const id = existing ?? this.#learn(term);
    this.#append(id, row, weight);
    return existing === undefined ? id : undefined;
  }

  findId(term: string): number | undefined {
    const mask = this.#slots.length - 1;
    for (let slot = computeHash(term) & mask; ; slot = (slot + 1) & mask) {
      const id = this.#slots[slot]! - 1;
      if (id === -1) return undefined;
      if (id < this.#terms.length && this.#terms.isAt(id, term)) return id;
    }
  }

  getTerm(id: number): string {
    return this.#terms.at(id);
  }

  get size(): number {
    return this.#terms.length;
  }

  /** Rows that ever had the term. */
  getFrequency(id: number): number {
    return Atomics.load(this.#lengths, id);
  }

  /** Raises `best` at each row of the term to its weight there times `factor`. */
  raise(id: number, factor: number, best: RowValues): void {
    const [start, end] = this.#getPlaces(id);
    best.raiseAll(this.#rows, this.#weights, start, end, factor);
  }

  getRows(id: number): Uint32Array {
    return this.#rows.subarray(...this.#getPlaces(id));
  }

  /** Ids of the terms that begin so, in the order of the terms. */
  listIdsByBeginning(prefix: string): Uint32Array {
    this.#sort();
    const [heads, head] = [this.#heads, computeHead(prefix)];
    const end = head + countHeads(prefix);
    const from = findFirstPlace((place) => heads[place]! >= head, 0, this.#sortedLength);
    const to = findFirstPlace((place) => heads[place]! >= end, from, this.#sortedLength);
    const order = (place: number): number => this.#terms.compareBeginning(this.#sorted[place]!, prefix);
    const first = findFirstPlace((place) => order(place) >= 0, from, to);
    return this.#sorted.subarray(
      first,
      findFirstPlace((place) => order(place) > 0, first, to),
    );
  }

  hasBeginning(prefix: string): boolean {
    return this.listIdsByBeginning(prefix).length > 0;
  }

  #getPlaces(id: number): [start: number, end: number] {
    // A list may move while it is read: a place that is read after the length has room for it.
    const length = Atomics.load(this.#lengths, id);
    const start = Atomics.load(this.#starts, id);
    return [start, start + length];
  }

  #append(id: number, row: number, weight: number): void {
    const length = this.#lengths[id]!;
    let start = this.#starts[id]!;
    // A power of two is full.
    if ((length & (length - 1)) === 0) {
      const moved = this.#used;
      this.#used += Math.max(1, length * 2);
      this.#makeRoom();
      this.#rows.copyWithin(moved, start, start + length);
      this.#weights.copyWithin(moved, start, start + length);
      start = moved;
      Atomics.store(this.#starts, id, start);
    }
    this.#rows[start + length] = row;
    this.#weights[start + length] = weight;
    Atomics.store(this.#lengths, id, length + 1);
  }

  /** Makes room by copying: readers of the old arrays keep the old places. */
  #makeRoom(): void {
    if (this.#used <= this.#rows.length) return;
    this.#rows = withRoom(this.#rows, this.#used);
    this.#weights = withRoom(this.#weights, this.#rows.length);
    this.#starts = copyArray(this.#starts);
    this.#lengths = copyArray(this.#lengths);
  }

  #learn(term: string): number {
    const id = this.#terms.add(term);
    this.#starts = withRoom(this.#starts, id + 1);
    this.#lengths = withRoom(this.#lengths, id + 1);
    if ((id + 1) * SLOTS_A_TERM > this.#slots.length) {
      this.#slots = createSharedNumbers(this.#slots.length * 2);
      for (let other = 0; other < id; other += 1) this.#occupy(other);
    }
    this.#occupy(id);
    return id;
  }

  #occupy(id: number): void {
    const mask = this.#slots.length - 1;
    let slot = this.#terms.hashAt(id) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = id + 1;
  }

  /** Sorts new terms in, into an array of its own: others read the one before. */
  #sort(): void {
    const [sortedCount, termCount] = [this.#sortedLength, this.#terms.length];
    if (sortedCount === termCount) return;
    const headsOfAdded = Float64Array.from({ length: termCount - sortedCount }, (_, index) =>
      this.#terms.getHead(sortedCount + index),
    );
    const added = Uint32Array.from({ length: termCount - sortedCount }, (_, index) => sortedCount + index).sort(
      (a, b) => headsOfAdded[a - sortedCount]! - headsOfAdded[b - sortedCount]! || this.#terms.compare(a, b),
    );
    const [merged, heads] = [createSharedNumbers(termCount), createSharedDoubles(termCount)];
    let from = 0;
    for (const [index, id] of added.entries()) {
      const to = findFirstPlace((place) => this.#terms.compare(this.#sorted[place]!, id) > 0, from, sortedCount);
      merged.set(this.#sorted.subarray(from, to), from + index);
      heads.set(this.#heads.subarray(from, to), from + index);
      merged[to + index] = id;
      heads[to + index] = headsOfAdded[id - sortedCount]!;
      from = to;
    }
    merged.set(this.#sorted.subarray(from, sortedCount), from + added.length);
    heads.set(this.#heads.subarray(from, sortedCount), from + added.length);
    this.#sorted = merged;
    this.#heads = heads;
    this.#sortedLength = termCount;
  }
}

/** The first place between two, from which on the test holds. */
function findFirstPlace(test: (place: number) => boolean, from: number, to: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
