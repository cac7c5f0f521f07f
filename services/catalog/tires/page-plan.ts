/** Pages without an item, one after another, that end a listing whose total says that it goes on. */
const EMPTY_PAGES_END = 3;

export interface PageFacts {
  page: number;
  items: number;
  pageSize: number;
  totalPages: number;
}

/**
 * Which pages of a listing are to be asked for, in ascending order, each once. The total that it tells is believed as long as the
 * pages bear it out: behind a last page that is full there may be another, and after three empty ones there is none.
 */
export class PagePlan {
  readonly #taken = new Set<number>();
  readonly #empty = new Set<number>();
  #announced = 1;
  #last = 1;
  #next = 1;
  /** The last page that was asked for. */
  #highest = 0;
  /** The last page that had an item. */
  #furthest = 0;
  #isCut = false;

  /** Whether the listing did not say that there is such a page: nothing is missing when it has none. */
  isProbe(page: number): boolean {
    return page > this.#announced;
  }

  /** Pages that are worth asking for, as far as is known. */
  get total(): number {
    return this.#isCut ? this.#last : Math.max(this.#announced, this.#furthest);
  }

  /** Pages said to be there that were not asked for. */
  get unasked(): number {
    return this.#isCut ? Math.max(0, this.#announced - this.#last) : 0;
  }

  /** Is not to be asked for: somebody has. */
  skip(page: number): void {
    this.#taken.add(page);
    this.#highest = Math.max(this.#highest, page);
  }

  next(): number | undefined {
    while (this.#taken.has(this.#next)) this.#next += 1;
    if (this.#next > this.#last) return undefined;
    this.skip(this.#next);
    return this.#next;
  }

  /** How many pages that the listing says it has are left. */
  rest(): number {
    const end = Math.min(this.#last, this.#announced);
    const taken = [...this.#taken].filter((page) => page >= this.#next && page <= end).length;
    return Math.max(0, end - this.#next + 1 - taken);
  }

  answered({ page, items, pageSize, totalPages }: PageFacts): void {
    this.#announced = Math.max(this.#announced, totalPages);
    if (!this.#isCut) this.#last = Math.max(this.#last, this.#announced);
    if (items > 0) {
      this.#furthest = Math.max(this.#furthest, page);
      if (page === this.#last && items >= pageSize && !this.#isCut) this.#last += 1;
      return;
    }
    this.#empty.add(page);
    let from = page;
    let to = page;
    while (this.#empty.has(from - 1)) from -= 1;
    while (this.#empty.has(to + 1)) to += 1;
    // Pages behind them that are on their way already are no reason to ask for more.
    const end = Math.max(to, this.#highest);
    if (to - from + 1 < EMPTY_PAGES_END || this.#last <= end) return;
    this.#last = end;
    this.#isCut = true;
  }
}
