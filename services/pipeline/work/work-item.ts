import type { TasksOf } from "../../../broker/contract/define.ts";
import { type AtomicWrite, type EnqueueOptions, taskId } from "@partline/durable";
import { enqueue } from "../../contracts.ts";
import type { ReadingDocument } from "../collections.ts";
import type { pipelineContract } from "../contract.ts";
import { outstandingRanges } from "./ranges.ts";

/**
 * A task `pipeline.work`: `take` copies a file of the object store under its hash, `open` counts pages and queues
 * ranges, `range` reads ten pages, `assemble` puts a manual together.
 */
export type WorkItem = TasksOf<typeof pipelineContract>["pipeline.work"];

/** For the batch of the write that makes it due. */
export function workOf(item: WorkItem, options?: EnqueueOptions): AtomicWrite {
  return enqueue("pipeline.work", workKey(item), item, options);
}

export function workId(item: WorkItem): string {
  return taskId("pipeline.work", workKey(item));
}

function workKey(item: WorkItem): string {
  if (item.kind === "take") return `${item.batch}-${item.file}`;
  return `${item.reading}-${item.kind === "range" ? `r${item.range}` : item.kind}`;
}

/** Work due of a reading that is under way or being corrected. */
export function workLeftOf({ _id: reading, pages, done }: Pick<ReadingDocument, "_id" | "pages" | "done">): WorkItem[] {
  if (pages === undefined) return [{ kind: "open", reading }];
  const ranges = outstandingRanges(pages, done);
  return ranges.length === 0
    ? [{ kind: "assemble", reading }]
    : ranges.map((range) => ({ kind: "range", reading, range }));
}
