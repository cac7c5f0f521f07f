import { addAbortSignal } from "node:stream";
import { errorCode, hasCode } from "../../../mixins/errors.ts";
import { hasObjectStoreCode } from "@partline/durable";
import { JOBS, type JobDocument } from "../collections.ts";
import { settleEntry, isUntaken } from "../jobs/jobs.ts";
import { AGAIN } from "../object-keys.ts";
import { readPdfBody } from "../uploads/pdf-body.ts";
import type { WorkDeps } from "./work-deps.ts";
import { enqueueWork, type WorkItem } from "./work-item.ts";

/** Milliseconds before another attempt while remains are deleted, which takes seconds. */
const REMOVAL_PAUSE_MS = 5_000;

/** Copies a file of the object store under its hash and makes its job wait for the reading. */
export async function take(
  item: WorkItem & { kind: "take" },
  { documents, objects, readings, staging, queue, wake }: WorkDeps,
  signal: AbortSignal,
): Promise<void> {
  const { batch, file } = item;
  const jobs = documents.collection<JobDocument>(JOBS);
  const job = await jobs.findOne({ _id: batch });
  const entry = job?.files[file];
  if (!job || !entry?.key || !isUntaken(entry) || job.cancelledAt) return;
  try {
    const { body } = await objects.get(entry.key);
    const { _id } = await staging.useStaged(readPdfBody(addAbortSignal(signal, body)), (staged) => {
      const sentFile = { ...staged, filename: entry.name, equipment: [] };
      return readings.want(sentFile, batch, (reading) => [settleEntry(batch, file, { reading })]);
    });
    // The job may have been cancelled meanwhile.
    if ((await jobs.findOne({ _id: batch }))?.cancelledAt) await readings.leave(_id, batch);
    if (entry.key.startsWith(AGAIN)) await objects.delete(entry.key);
    wake();
  } catch (error) {
    if (hasCode(error, "VERSION_CONFLICT"))
      return queue([enqueueWork(item, { dueAt: new Date(Date.now() + REMOVAL_PAUSE_MS) })]);
    const why = toRefusal(error);
    if (why === undefined) throw error;
    await queue([settleEntry(batch, file, { error: why })]);
  }
}

/** Returns why the file is refused; undefined if another attempt may succeed. */
function toRefusal(error: unknown): string | undefined {
  if (["VALIDATION_FAILED", "PAYLOAD_TOO_LARGE"].includes(errorCode(error) ?? "")) return (error as Error).message;
  if (hasObjectStoreCode(error, "NOT_FOUND")) return "The file is not in the object store any more";
  return hasObjectStoreCode(error, "BAD_KEY") ? "The file's key has characters that are not taken" : undefined;
}
