import { hasStoreCode, type DocumentStore } from "../../mixins/document-store/port.ts";
import type { ObjectStore } from "../../mixins/object-store/port.ts";
import { JOBS, READINGS, type JobDocument, type ReadingDocument } from "./collections.ts";
import { isUntaken } from "./jobs/jobs.ts";
import { entriesOf } from "./jobs/progress.ts";
import { removeLeftovers } from "./leftovers.ts";
import { STALLED_AFTER_MS } from "./limits.ts";
import { ACTIVE, WITH_RESULTS, type Readings } from "./readings.ts";
import type { Staging } from "./uploads/staging.ts";
import { outstandingRanges } from "./work/ranges.ts";
import { workOf, type WorkItem } from "./work/work-item.ts";

interface SweepDeps {
  documents: DocumentStore;
  objects: ObjectStore;
  readings: Readings;
  staging: Staging;
  wake(): void;
}

/**
 * Queues the work anew of readings, of corrections, and of files that are to be fetched, which nothing was heard of for
 * long (their events may have been lost, or given up by the channel alone), and removes staged files that nobody will
 * move any more, and what is left of files that failed. Work that waits all the same is then there twice, which changes
 * nothing.
 */
export async function sweep({ documents, objects, readings, staging, wake }: SweepDeps): Promise<void> {
  await staging.sweep();
  await removeLeftovers(documents, objects);
  const before = new Date(Date.now() - STALLED_AFTER_MS);
  const collection = documents.collection<ReadingDocument>(READINGS);
  const stalled = [
    ...(await collection.find({ status: { $in: ACTIVE }, updatedAt: { $lt: before } })),
    ...(await collection.find({
      "correction.number": { $gte: 0 },
      status: { $in: WITH_RESULTS },
      "correction.error": { $exists: false },
      updatedAt: { $lt: before },
    })),
  ];
  for (const reading of stalled) {
    await readings.change(
      reading._id,
      { revision: reading.revision },
      {},
      workLeftOf(reading).map((item) => workOf(item, `again${reading.revision}`)),
    );
  }
  const forgotten = await documents
    .collection<JobDocument>(JOBS)
    .find({ untaken: { $gt: 0 }, updatedAt: { $lt: before }, cancelledAt: { $exists: false } });
  for (const job of forgotten) await takeAgain(job, documents);
  if (stalled.length + forgotten.length > 0) wake();
}

async function takeAgain(job: JobDocument, documents: DocumentStore): Promise<void> {
  const { _id: batch, revision } = job;
  const unchanged = {
    filter: { _id: batch, revision },
    update: { $set: { updatedAt: new Date() }, $inc: { revision: 1 } },
  };
  const work = entriesOf(job)
    .filter(([, entry]) => isUntaken(entry))
    .map(([file]) => workOf({ kind: "take", batch, file }, `again${revision}`));
  try {
    await documents.atomically([{ collection: JOBS, require: true, updateOne: unchanged }, ...work]);
  } catch (error) {
    if (!hasStoreCode(error, "CONDITION_FAILED")) throw error;
  }
}

/** The pieces of work that are due of a reading which has not ended. */
export function workLeftOf({ _id: reading, pages, done }: Pick<ReadingDocument, "_id" | "pages" | "done">): WorkItem[] {
  if (pages === undefined) return [{ kind: "open", reading }];
  const ranges = outstandingRanges(pages, done);
  return ranges.length === 0
    ? [{ kind: "assemble", reading }]
    : ranges.map((range) => ({ kind: "range", reading, range }));
}
