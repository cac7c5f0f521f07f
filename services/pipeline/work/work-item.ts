import { type EnqueueOptions, taskId } from "../../../broker/tasks/task.ts";
import type { AtomicWrite } from "../../../mixins/document-store/port.ts";
import { enqueue } from "../../contracts.ts";
import type { ReadingDocument } from "../collections.ts";
import { RANGE_PAGES, RANGES_AT_ONCE } from "../limits.ts";

/**
 * A task `pipeline.work`: `take` copies a file of the object store under its hash, `open` counts pages and queues
 * ranges, `range` reads ten pages, `assemble` puts a manual together.
 */
export type WorkItem =
  | { kind: "take"; batch: string; file: string }
  | { kind: "open"; reading: string }
  | { kind: "range"; reading: string; range: number }
  | { kind: "assemble"; reading: string };

/** For the batch of the write that makes it due. */
export function workOf(item: WorkItem, options?: EnqueueOptions): AtomicWrite {
  return enqueue("pipeline.work", workKey(item), item, options);
}

export function workId(item: WorkItem): string {
  return taskId("pipeline.work", workKey(item));
}

function workKey(item: WorkItem): string {
  switch (item.kind) {
    case "take":
      return `${item.batch}-${item.file}`;
    case "range":
      return `${item.reading}-r${item.range}`;
    case "open":
    case "assemble":
      return `${item.reading}-${item.kind}`;
  }
}

/** Work due of a reading that is under way or being corrected. */
export function workLeftOf({ _id: reading, pages, done }: Pick<ReadingDocument, "_id" | "pages" | "done">): WorkItem[] {
  if (pages === undefined) return [{ kind: "open", reading }];
  const ranges = outstandingRanges(pages, done);
  return ranges.length === 0
    ? [{ kind: "assemble", reading }]
    : ranges.map((range) => ({ kind: "range", reading, range }));
}

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
