/** Consecutive empty pages that end a listing, regardless of its total. */
const EMPTY_PAGES_END = 3;
/** The same for pages with nothing new; a listing that grows repeats some while it is read. */
const STALE_PAGES_END = 10;

export interface PageFacts {
  page: number;
  items: number;
  /** Items that no page before had. */
  listed: number;
  /** Items without a readable number. */
  unidentified: number;
  pageSize: number;
  totalPages: number;
}

/**
 * Plans which pages to ask for, in ascending order, each once. A full last page is followed by a probe, regardless of
 * the total. The listing ends after three empty pages, a probe with nothing new, or ten announced pages with nothing
 * new: a supplier that repeats its last page never returns an empty one.
 */
export class PagePlan {
  readonly #taken = new Set<number>();
  readonly #empty = new Set<number>();
  /** Pages with nothing new, empty ones included. */
  readonly #stale = new Set<number>();
  #announced = 1;
  #last = 1;
  #next = 1;
  #highest = 0;
  /** Last page with something new. */
  #furthest = 0;
  /** Why the listing ends before its total, once known. */
  #end: "empty" | "stale" | undefined;
  /** The same, once pages are left out. */
  #cut: "empty" | "stale" | undefined;

  /** Whether the page is beyond the announced total. */
  isProbe(page: number): boolean {
    return page > this.#announced;
  }

  /** Whether the listing went on behind its total. */
  get isLonger(): boolean {
    return this.#furthest > this.#announced;
  }

  get total(): number {
    return this.#cut ? this.#last : Math.max(this.#announced, this.#furthest);
  }

  /** Announced pages that were left out. */
  get unasked(): number {
    return this.#cut ? Math.max(0, this.#announced - this.#last) : 0;
  }

  /** Whether it ended with pages that only repeat. */
  get repeats(): boolean {
    const isEndStale = this.isProbe(this.#last) && this.#stale.has(this.#last) && !this.#empty.has(this.#last);
    return this.#cut ? this.#cut === "stale" : isEndStale;
  }

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

  /** Announced pages that are left. */
  rest(): number {
    const end = Math.min(this.#last, this.#announced);
    const takenCount = [...this.#taken].filter((page) => page >= this.#next && page <= end).length;
    return Math.max(0, end - this.#next + 1 - takenCount);
  }

  recordPage({ page, items, listed, unidentified, pageSize, totalPages }: PageFacts): void {
    this.#announced = Math.max(this.#announced, totalPages);
    if (listed + unidentified > 0) this.#furthest = Math.max(this.#furthest, page);
    if (!this.#cut) {
      this.#last = Math.max(this.#last, this.#announced);
      // Unreadable items are no reason to go on.
      const mayGoOn = items >= pageSize && (listed > 0 || (items > 0 && !this.isProbe(page)));
      if (page === this.#last && mayGoOn) this.#last += 1;
    }
    if (listed === 0) {
      this.#stale.add(page);
      if (items === 0) this.#empty.add(page);
      if (runAt(page, this.#empty) >= EMPTY_PAGES_END) this.#end ??= "empty";
      else if (runAt(page, this.#stale) >= STALE_PAGES_END) this.#end ??= "stale";
    }
    // Pages in flight are no reason to ask for more.
    if (this.#end === undefined || this.#last <= this.#highest) return;
    this.#last = this.#highest;
    this.#cut = this.#end;
  }
}

/** Length of the run of pages around this one. */
function runAt(page: number, pages: ReadonlySet<number>): number {
  let from = page;
  let to = page;
  while (pages.has(from - 1)) from -= 1;
  while (pages.has(to + 1)) to += 1;
  return pages.has(page) ? to - from + 1 : 0;
}
