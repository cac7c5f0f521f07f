import type { DocumentStore } from "../../mixins/document-store/port.ts";
import { READINGS, type ReadingDocument } from "./collections.ts";
import { STALLED_AFTER_MS } from "./limits.ts";
import { ACTIVE, type Readings } from "./readings.ts";
import type { Staging } from "./uploads/staging.ts";
import { outstandingRanges } from "./work/ranges.ts";
import { workOf, type WorkItem } from "./work/work-item.ts";

interface SweepDeps {
  documents: DocumentStore;
  readings: Readings;
  staging: Staging;
  wake(): void;
}

/**
 * Queues the work of readings anew that nothing was heard of for long (its events may have been lost, or given up by the channel alone), and
 * removes staged files that nobody will move any more. Work that waits all the same is then there twice, which changes nothing.
 */
export async function sweep({ documents, readings, staging, wake }: SweepDeps): Promise<void> {
  await staging.sweep();
  const before = new Date(Date.now() - STALLED_AFTER_MS);
  const stalled = await documents.collection<ReadingDocument>(READINGS).find({ status: { $in: ACTIVE }, updatedAt: { $lt: before } });
  for (const reading of stalled) {
    const again = `again${reading.revision}`;
    await readings.change(reading._id, { revision: reading.revision }, {}, workLeftOf(reading).map((item) => workOf(item, again)));
  }
  if (stalled.length > 0) wake();
}

/** The pieces of work that are due of a reading which has not ended. */
export function workLeftOf({ _id: reading, pages, done }: Pick<ReadingDocument, "_id" | "pages" | "done">): WorkItem[] {
  if (pages === undefined) return [{ kind: "open", reading }];
  const ranges = outstandingRanges(pages, done);
  return ranges.length === 0 ? [{ kind: "assemble", reading }] : ranges.map((range) => ({ kind: "range", reading, range }));
}
