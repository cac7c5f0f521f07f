import type { TasksOf } from "@partline/api-contracts";
import { type AtomicWrite, type EnqueueOptions, getTaskId } from "@partline/durable";
import { enqueue } from "../../contracts.ts";
import type { ReadingDocument } from "../collections.ts";
import type { pipelineContract } from "../contract.ts";
import { listOutstandingRanges } from "./ranges.ts";

/**
 * A task `pipeline.work`: `take` copies a file of the object store under its hash, `open` counts pages and queues
 * ranges, `range` reads ten pages, `assemble` puts a manual together.
 */
export type WorkItem = TasksOf<typeof pipelineContract>["pipeline.work"];

/** Returns the write that enqueues work, for the batch that makes it due. */
export function enqueueWork(item: WorkItem, options?: EnqueueOptions): AtomicWrite {
  return enqueue("pipeline.work", getWorkKey(item), item, options);
}

/** Milliseconds before another attempt while the same manual is put together for another reason. */
const OTHER_PAUSE_MS = 2_000;

export const waitForOther = (): EnqueueOptions => ({ dueAt: new Date(Date.now() + OTHER_PAUSE_MS) });

export function getWorkId(item: WorkItem): string {
  return getTaskId("pipeline.work", getWorkKey(item));
}

function getWorkKey(item: WorkItem): string {
  if (item.kind === "take") return `${item.batch}-${item.file}`;
  return `${item.reading}-${item.kind === "range" ? `r${item.range}` : item.kind}`;
}

/** Lists the work that is left of a reading under way, or being corrected. */
export function listRemainingWork({
  _id: reading,
  pages,
  done,
}: Pick<ReadingDocument, "_id" | "pages" | "done">): WorkItem[] {
  if (pages === undefined) return [{ kind: "open", reading }];
  const ranges = listOutstandingRanges(pages, done);
  return ranges.length === 0
    ? [{ kind: "assemble", reading }]
    : ranges.map((range) => ({ kind: "range", reading, range }));
}

/** OCR of a page, or without one the end: the manual is put together with what OCR read. */
export type RecognitionItem = TasksOf<typeof pipelineContract>["pipeline.recognition"];

/** Returns the write that enqueues the next of a manual's pages, or the end. */
export function enqueueRecognition(
  { _id: reading, toRecognise = {} }: Pick<ReadingDocument, "_id" | "toRecognise">,
  options?: EnqueueOptions,
): AtomicWrite {
  const [next = "end"] = Object.keys(toRecognise);
  const page = next === "end" ? undefined : Number(next.slice(1));
  return enqueue("pipeline.recognition", `${reading}-${next}`, { reading, page }, options);
}
