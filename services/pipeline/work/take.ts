import { addAbortSignal } from "node:stream";
import { errorCode, hasCode } from "../../../mixins/errors.ts";
import { hasObjectStoreCode } from "../../../mixins/object-store/port.ts";
import { JOBS, type JobDocument } from "../collections.ts";
import { entryFound, isUntaken } from "../jobs/jobs.ts";
import { pdfBody } from "../uploads/pdf-body.ts";
import type { WorkDeps } from "./deps.ts";
import { withRetry } from "./retry.ts";
import type { WorkItem } from "./work-item.ts";

/** Copies a file of the object store to where its hash says, and makes its job wait for its reading. */
export async function take(
  { batch, file }: WorkItem & { kind: "take" },
  { documents, objects, readings, staging, queue, wake }: WorkDeps,
  signal: AbortSignal,
): Promise<void> {
  const jobs = documents.collection<JobDocument>(JOBS);
  const job = await jobs.findOne({ _id: batch });
  const entry = job?.files[file];
  if (!job || !entry?.key || !isUntaken(entry) || job.cancelledAt) return;
  try {
    const { body } = await objects.get(entry.key);
    const { _id } = await staging.during(pdfBody(addAbortSignal(signal, body)), (staged) => {
      const sent = { ...staged, filename: entry.name, equipment: [] };
      return withRetry(
        () => readings.want(sent, batch, (reading) => [entryFound(batch, file, { reading })]),
        signal,
        isBeingRemoved,
      );
    });
    // It may have been cancelled before it waited for this.
    if ((await jobs.findOne({ _id: batch }))?.cancelledAt) await readings.leave(_id, batch);
    wake();
  } catch (error) {
    // The sweep has it taken again, and other files have their turn meanwhile.
    if (isBeingRemoved(error)) return;
    const why = refusalOf(error);
    if (why === undefined) throw error;
    await queue([entryFound(batch, file, { error: why })]);
  }
}

/** What an earlier reading of it left is; that takes seconds, or where removing it fails, an hour. */
function isBeingRemoved(error: unknown): boolean {
  return hasCode(error, "VERSION_CONFLICT");
}

/** Why a file will not be taken the next time either. */
function refusalOf(error: unknown): string | undefined {
  if (["VALIDATION_FAILED", "PAYLOAD_TOO_LARGE"].includes(errorCode(error) ?? "")) return (error as Error).message;
  if (hasObjectStoreCode(error, "NOT_FOUND")) return "The file is not in the object store any more";
  return hasObjectStoreCode(error, "BAD_KEY") ? "The file's key has characters that are not taken" : undefined;
}
