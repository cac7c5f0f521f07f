import { addAbortSignal } from "node:stream";
import { errorCode, hasCode } from "../../../mixins/errors.ts";
import { hasObjectStoreCode } from "@partline/durable";
import { JOBS, type JobDocument } from "../collections.ts";
import { entryFound, isUntaken } from "../jobs/jobs.ts";
import { pdfBody } from "../uploads/pdf-body.ts";
import type { WorkDeps } from "./worker.ts";
import { workOf, type WorkItem } from "./work-item.ts";

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
    const { _id } = await staging.during(pdfBody(addAbortSignal(signal, body)), (staged) => {
      const sent = { ...staged, filename: entry.name, equipment: [] };
      return readings.want(sent, batch, (reading) => [entryFound(batch, file, { reading })]);
    });
    // The job may have been cancelled meanwhile.
    if ((await jobs.findOne({ _id: batch }))?.cancelledAt) await readings.leave(_id, batch);
    wake();
  } catch (error) {
    if (hasCode(error, "VERSION_CONFLICT"))
      return queue([workOf(item, { dueAt: new Date(Date.now() + REMOVAL_PAUSE_MS) })]);
    const why = refusalOf(error);
    if (why === undefined) throw error;
    await queue([entryFound(batch, file, { error: why })]);
  }
}

/** Undefined if another attempt may succeed. */
function refusalOf(error: unknown): string | undefined {
  if (["VALIDATION_FAILED", "PAYLOAD_TOO_LARGE"].includes(errorCode(error) ?? "")) return (error as Error).message;
  if (hasObjectStoreCode(error, "NOT_FOUND")) return "The file is not in the object store any more";
  return hasObjectStoreCode(error, "BAD_KEY") ? "The file's key has characters that are not taken" : undefined;
}
