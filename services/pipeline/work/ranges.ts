import { RANGE_PAGES, RANGES_AT_ONCE } from "../limits.ts";

/** Ranges count from 0, pages from 1. */

export function countRanges(pages: number): number {
  return Math.ceil(pages / RANGE_PAGES);
}

export function getRangePages(range: number, pages: number): { from: number; to: number } {
  return { from: range * RANGE_PAGES + 1, to: Math.min((range + 1) * RANGE_PAGES, pages) };
}

export function getRange(page: number): number {
  return Math.floor((page - 1) / RANGE_PAGES);
}

/** Finds the range to queue when one is done, so that RANGES_AT_ONCE of a file are queued or in work. */
export function findNextRange(range: number, pages: number): number | undefined {
  const next = range + RANGES_AT_ONCE;
  return next < countRanges(pages) ? next : undefined;
}

/** Lists the ranges that are queued or in work. */
export function listOutstandingRanges(pages: number, done: readonly number[]): number[] {
  const over = new Set(done);
  return Array.from({ length: countRanges(pages) }, (_, range) => range).filter(
    (range) => !over.has(range) && (range < RANGES_AT_ONCE || over.has(range - RANGES_AT_ONCE)),
  );
}
