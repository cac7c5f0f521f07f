import { taskId, type EnqueueOptions } from "../../../broker/tasks/task.ts";
import type { AtomicWrite } from "../../../mixins/document-store/port.ts";
import { enqueue, type Events } from "../../contracts.ts";
import type { ReadingDocument } from "../collections.ts";
import { outstandingRanges } from "./ranges.ts";

/**
 * A piece of work, as it waits as a task `pipeline.work` for a slot:
 * - `take`: a file of the object store is copied under its hash
 * - `open`: a file's pages are counted, and its first ranges queued
 * - `range`: ten pages are read
 * - `assemble`: a manual is put together from its ranges
 */
export type WorkItem =
  | { kind: "take"; batch: string; file: string }
  | { kind: "open"; reading: string }
  | { kind: "range"; reading: string; range: number }
  | { kind: "assemble"; reading: string };

/** Returns the write that enqueues it, for the atomic batch with what makes it due. */
export function workOf(item: WorkItem, options?: EnqueueOptions): AtomicWrite {
  return enqueue("pipeline.work", workKey(item), item, options);
}

export function workItemOf(payload: Events["pipeline.work"]): WorkItem {
  return payload as WorkItem;
}

/** Id of its task. */
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

/** The pieces of work that are due of a reading which has not ended, or is corrected. */
export function workLeftOf({ _id: reading, pages, done }: Pick<ReadingDocument, "_id" | "pages" | "done">): WorkItem[] {
  if (pages === undefined) return [{ kind: "open", reading }];
  const ranges = outstandingRanges(pages, done);
  return ranges.length === 0
    ? [{ kind: "assemble", reading }]
    : ranges.map((range) => ({ kind: "range", reading, range }));
}
