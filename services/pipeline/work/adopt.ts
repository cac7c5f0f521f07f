import type { DocumentStore } from "../../../mixins/document-store/port.ts";
import type { Tasks } from "../../../broker/tasks/port.ts";
import { JOBS, READINGS, type JobDocument, type ReadingDocument } from "../collections.ts";
import { untakenOf } from "../jobs/jobs.ts";
import { ACTIVE, WITH_RESULTS, type Readings } from "../readings.ts";
import { workId, workLeftOf, workOf, type WorkItem } from "./work-item.ts";

interface AdoptDeps {
  documents: DocumentStore;
  readings: Readings;
  tasks: Pick<Tasks, "find" | "wake">;
}

/**
 * Enqueues due work without a task: a version before 0.2 left it, or an operator dropped its task. Such a version may
 * repeat it, which is harmless.
 */
export async function adopt({ documents, readings, tasks }: AdoptDeps): Promise<void> {
  const orphans = async (items: WorkItem[]): Promise<WorkItem[]> => {
    const known = await Promise.all(items.map((item) => tasks.find(workId(item))));
    return items.filter((_, index) => known[index] === undefined);
  };
  const unfinished = await documents.collection<ReadingDocument>(READINGS).find({
    $or: [
      { status: { $in: ACTIVE } },
      {
        status: { $in: WITH_RESULTS },
        "correction.number": { $gte: 0 },
        "correction.error": { $exists: false },
      },
    ],
  });
  for (const reading of unfinished) {
    const left = await orphans(workLeftOf(reading));
    if (left.length > 0)
      await readings.change(
        reading._id,
        { revision: reading.revision },
        {},
        left.map((item) => workOf(item)),
      );
  }
  const jobs = documents.collection<JobDocument>(JOBS);
  for (const job of await jobs.find({ untaken: { $gt: 0 }, cancelledAt: { $exists: false } })) {
    const left = await orphans(untakenOf(job));
    if (left.length > 0) await documents.atomically(left.map((item) => workOf(item)));
  }
  tasks.wake();
}
