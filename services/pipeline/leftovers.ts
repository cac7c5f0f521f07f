import { Readable } from "node:stream";
import { type DocumentStore, isWritten, type TaskRun } from "@partline/durable";
import { enqueue } from "../contracts.ts";
import { getManualPrefix } from "../shared/manual-objects.ts";
import { type ReadingDocument, READINGS } from "./collections.ts";
import { LEFTOVERS_AFTER_MS } from "./limits.ts";
import type { FileStatus } from "./resources.ts";
import type { WorkDeps } from "./work/work-deps.ts";

const WITHOUT_RESULTS: readonly FileStatus[] = ["failed", "cancelled"];
const FILES_AT_ONCE = 100;

/**
 * Queues the removal of what files left that failed or were cancelled and not sent again, also of one that was given up
 * before. @throws what the store throws
 */
export async function removeLeftovers(documents: DocumentStore): Promise<void> {
  const readings = documents.collection<ReadingDocument>(READINGS);
  const last = { isFollowed: { $exists: false }, leftovers: { $ne: "gone" } };
  const over = await readings.find(
    { status: { $in: WITHOUT_RESULTS }, updatedAt: { $lt: getLeftoverCutoff() }, ...last },
    { limit: FILES_AT_ONCE },
  );
  for (const { _id } of over) {
    const updateOne = { filter: { _id, ...last }, update: { $set: { leftovers: "going" } } };
    await isWritten(
      documents.atomically([
        { collection: READINGS, require: true, updateOne },
        enqueue("pipeline.removal", _id, { reading: _id }),
      ]),
      "CONDITION_FAILED",
    );
  }
}

const AT_ONCE = 16;

/**
 * Deletes a manual's objects, so that its file can be sent again. What another node adds later is a leftover. A run that
 * lost its task deletes nothing more, as the file may be there again. @throws what the stores throw
 */
export async function removeManual(
  _id: string,
  { documents, objects }: Pick<WorkDeps, "documents" | "objects">,
  { confirm }: Pick<TaskRun, "confirm">,
): Promise<void> {
  const readings = documents.collection<ReadingDocument>(READINGS);
  const reading = await readings.findOne({ _id });
  if (reading?.leftovers !== "going") return;
  const isLast = reading.updatedAt < getLeftoverCutoff();
  const remove = async ({ key }: { key: string }): Promise<void> => {
    await confirm();
    await objects.delete(key);
  };
  await Readable.from(objects.list(getManualPrefix(reading.sha256))).forEach(remove, { concurrency: AT_ONCE });
  await confirm();
  await readings.updateOne(
    { _id, leftovers: "going" },
    isLast ? { $set: { leftovers: "gone" } } : { $unset: { leftovers: true } },
  );
}

const getLeftoverCutoff = (): Date => new Date(Date.now() - LEFTOVERS_AFTER_MS);
