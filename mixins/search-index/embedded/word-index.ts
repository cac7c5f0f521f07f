import type { RowValues } from "./row-values.ts";

/** An inverted index in memory, because a search of a common word walks tens of thousands of rows. */
export class WordIndex {
  readonly #ids = new Map<string, number>();
  readonly #terms: string[] = [];
  /** By term: `row * 256 + weight`, one or a list. Most terms are numbers of one part. */
  readonly #postings: (number | number[])[] = [];
  /** Ids in the order of their terms. */
  #sorted: number[] = [];
  #unsorted: number[] = [];

  /**
   * `weight` is 1 to 255. A row is added once: a document whose terms change gets a new row.
   * @returns whether the term is new
   */
  add(row: number, term: string, weight: number): boolean {
    const posting = row * 256 + weight;
    const id = this.#ids.get(term);
    if (id === undefined) {
      this.#unsorted.push(this.#terms.length);
      this.#ids.set(term, this.#terms.length);
      this.#terms.push(term);
      this.#postings.push(posting);
      return true;
    }
    const known = this.#postings[id]!;
    if (typeof known === "number") this.#postings[id] = [known, posting];
    else known.push(posting);
    return false;
  }

  idOf(term: string): number | undefined {
    return this.#ids.get(term);
  }

  termOf(id: number): string {
    return this.#terms[id]!;
  }

  /** Rows that ever had the term. */
  frequency(id: number): number {
    const postings = this.#postings[id]!;
    return typeof postings === "number" ? 1 : postings.length;
  }

  /** Raises `best` at each row of the term to its weight there times `factor`. */
  raise(id: number, factor: number, best: RowValues): void {
    const postings = this.#postings[id]!;
    if (typeof postings === "number") raiseOne(postings, factor, best);
    else for (let at = 0; at < postings.length; at += 1) raiseOne(postings[at]!, factor, best);
  }

  visit(id: number, each: (row: number) => void): void {
    const postings = this.#postings[id]!;
    if (typeof postings === "number") each(Math.floor(postings / 256));
    else for (const posting of postings) each(Math.floor(posting / 256));
  }

  /** Ids of the terms that begin so, in the order of the terms. */
  *idsByBeginning(prefix: string): Generator<number, undefined> {
    this.sort();
    for (let at = this.#firstNotBelow(prefix); at < this.#sorted.length; at += 1) {
      const id = this.#sorted[at]!;
      if (!this.#terms[id]!.startsWith(prefix)) return;
      yield id;
    }
  }

  hasBeginning(prefix: string): boolean {
    return this.idsByBeginning(prefix).next().done !== true;
  }

  /** Sorts new terms in; called ahead, no search waits for it. */
  sort(): void {
    if (this.#unsorted.length === 0) return;
    const terms = this.#terms;
    const byTerm = (a: number, b: number): number => (terms[a]! < terms[b]! ? -1 : 1);
    this.#sorted = merge(this.#sorted, this.#unsorted.sort(byTerm), byTerm);
    this.#unsorted = [];
  }

  #firstNotBelow(prefix: string): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#terms[this.#sorted[middle]!]! < prefix) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function raiseOne(posting: number, factor: number, best: RowValues): void {
  const row = Math.floor(posting / 256);
  best.raise(row, (posting - row * 256) * factor);
}

function merge(a: readonly number[], b: readonly number[], compare: (a: number, b: number) => number): number[] {
  if (a.length === 0) return [...b];
  const merged: number[] = [];
  let left = 0;
  let right = 0;
  while (left < a.length && right < b.length) merged.push(compare(a[left]!, b[right]!) <= 0 ? a[left++]! : b[right++]!);
  while (left < a.length) merged.push(a[left++]!);
  while (right < b.length) merged.push(b[right++]!);
  return merged;
}
