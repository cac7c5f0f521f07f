/** Pages without an item, one after another, that end a listing whose total says that it goes on. */
const EMPTY_PAGES_END = 3;
/**
 * The same of pages without an item that is new: more, since a listing that grows while it is read shows some of them
 * twice.
 */
const STALE_PAGES_END = 10;

export interface PageFacts {
  page: number;
  items: number;
  /** Items of which it is known that no page before had them. */
  listed: number;
  /** Items of which that cannot be told: they have no number that can be read. */
  unidentified: number;
  pageSize: number;
  totalPages: number;
}

/**
 * Which pages of a listing are to be asked for, in ascending order, each once. The total that it tells is believed as
 * long as the pages bear it out: behind a last page that is full there may be another, and after three empty ones there
 * is none. Nor is there one behind a page that it did not tell of and that has nothing new, or behind ten such pages
 * that it did: a supplier that answers a page too far with its last one, or every page with the same, has no empty page
 * that a sync could stop at.
 */
export class PagePlan {
  readonly #taken = new Set<number>();
  readonly #empty = new Set<number>();
  /** Pages that had nothing new; empty ones are among them. */
  readonly #stale = new Set<number>();
  #announced = 1;
  #last = 1;
  #next = 1;
  /** The last page that was asked for. */
  #highest = 0;
  /** The last page that had an item that was not listed before. */
  #furthest = 0;
  /** Why there is nothing behind some of its pages, once that was seen. */
  #end: "empty" | "stale" | undefined;
  /** The same, once pages are left out for it. */
  #cut: "empty" | "stale" | undefined;

  /** Whether the listing did not say that there is such a page. */
  isProbe(page: number): boolean {
    return page > this.#announced;
  }

  /** Whether the listing went on behind the last page that it told of: of what it has, it said too little. */
  get isLonger(): boolean {
    return this.#furthest > this.#announced;
  }

  /** Pages that are worth asking for, as far as is known. */
  get total(): number {
    return this.#cut ? this.#last : Math.max(this.#announced, this.#furthest);
  }

  /** Pages said to be there that were not asked for. */
  get unasked(): number {
    return this.#cut ? Math.max(0, this.#announced - this.#last) : 0;
  }

  /** Whether it ended where pages only had again what was listed before. */
  get repeats(): boolean {
    const isEndStale = this.isProbe(this.#last) && this.#stale.has(this.#last) && !this.#empty.has(this.#last);
    return this.#cut ? this.#cut === "stale" : isEndStale;
  }

  /** Is not to be asked for: somebody has. */
  skip(page: number): void {
    this.#taken.add(page);
    this.#highest = Math.max(this.#highest, page);
    if (this.#cut) this.#last = Math.max(this.#last, page);
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

  answered({ page, items, listed, unidentified, pageSize, totalPages }: PageFacts): void {
    this.#announced = Math.max(this.#announced, totalPages);
    if (listed + unidentified > 0) this.#furthest = Math.max(this.#furthest, page);
    if (!this.#cut) {
      this.#last = Math.max(this.#last, this.#announced);
      // What cannot be told from what was listed before is no reason to go on.
      const mayGoOn = items >= pageSize && (listed > 0 || (items > 0 && !this.isProbe(page)));
      if (page === this.#last && mayGoOn) this.#last += 1;
    }
    if (listed === 0) {
      this.#stale.add(page);
      if (items === 0) this.#empty.add(page);
      if (runAt(page, this.#empty) >= EMPTY_PAGES_END) this.#end ??= "empty";
      else if (runAt(page, this.#stale) >= STALE_PAGES_END) this.#end ??= "stale";
    }
    // Pages behind them that are on their way already are no reason to ask for more.
    if (this.#end === undefined || this.#last <= this.#highest) return;
    this.#last = this.#highest;
    this.#cut = this.#end;
  }
}

/** How many pages in a row, with this one among them, are in the set. */
function runAt(page: number, pages: ReadonlySet<number>): number {
  let from = page;
  let to = page;
  while (pages.has(from - 1)) from -= 1;
  while (pages.has(to + 1)) to += 1;
  return pages.has(page) ? to - from + 1 : 0;
}
