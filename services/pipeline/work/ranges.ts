import { RANGE_PAGES, RANGES_AT_ONCE } from "../limits.ts";

/** Ranges count from 0, pages from 1. */

export function rangeCount(pages: number): number {
  return Math.ceil(pages / RANGE_PAGES);
}

export function pagesOfRange(range: number, pages: number): { from: number; to: number } {
  return { from: range * RANGE_PAGES + 1, to: Math.min((range + 1) * RANGE_PAGES, pages) };
}

export function rangeOfPage(page: number): number {
  return Math.floor((page - 1) / RANGE_PAGES);
}

/** The range to queue when one is done, so that RANGES_AT_ONCE of a file are queued or in work. */
export function rangeAfter(range: number, pages: number): number | undefined {
  const next = range + RANGES_AT_ONCE;
  return next < rangeCount(pages) ? next : undefined;
}

/** Ranges queued or in work. */
export function outstandingRanges(pages: number, done: readonly number[]): number[] {
  const over = new Set(done);
  return Array.from({ length: rangeCount(pages) }, (_, range) => range).filter(
    (range) => !over.has(range) && (range < RANGES_AT_ONCE || over.has(range - RANGES_AT_ONCE)),
  );
}
