import { RANGE_PAGES, RANGES_AT_ONCE } from "../limits.ts";

/** The page ranges of a file are numbered from 0; pages are from 1. */

export function rangeCount(pages: number): number {
  return Math.ceil(pages / RANGE_PAGES);
}

export function pagesOfRange(range: number, pages: number): { from: number; to: number } {
  return { from: range * RANGE_PAGES + 1, to: Math.min((range + 1) * RANGE_PAGES, pages) };
}

export function rangeOfPage(page: number): number {
  return Math.floor((page - 1) / RANGE_PAGES);
}

/** The ranges that are queued when a file is opened. */
export function firstRanges(pages: number): number[] {
  return Array.from({ length: Math.min(rangeCount(pages), RANGES_AT_ONCE) }, (_, range) => range);
}

/**
 * The range that is queued when one is done, if there is one: each makes room for the one that is so many places behind
 * it, so that of a file never more than RANGES_AT_ONCE wait or are worked on, whoever does them in which order.
 */
export function rangeAfter(range: number, pages: number): number | undefined {
  const next = range + RANGES_AT_ONCE;
  return next < rangeCount(pages) ? next : undefined;
}

/** The ranges that are queued or worked on: those that are not done, and whose turn has come. */
export function outstandingRanges(pages: number, done: readonly number[]): number[] {
  const over = new Set(done);
  return Array.from({ length: rangeCount(pages) }, (_, range) => range).filter(
    (range) => !over.has(range) && (range < RANGES_AT_ONCE || over.has(range - RANGES_AT_ONCE)),
  );
}
