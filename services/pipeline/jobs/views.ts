import type { Infer } from "@partline/api-contracts";
import type { FoundPart } from "@partline/manual-reader";
import type { jobEventRule, jobPartRule, jobRule, jobSummaryRule, pageFindingsRule } from "../resources.ts";
import { getRowId } from "../corrections/correction.ts";
import { presentRowFields } from "../corrections/corrections.ts";
import type { ManualResults } from "../results/manual-results.ts";
import type { Job } from "./jobs.ts";
import { isOver, type JobFile } from "./progress.ts";

/** File names of a job in a list. */
const MOST_NAMES = 10;

export function toSummary(job: Job): Infer<typeof jobSummaryRule> {
  return { ...toFields(job), file_names: job.state.files.slice(0, MOST_NAMES).map(({ name }) => name) };
}

export function toAnswer(job: Job): Infer<typeof jobRule> {
  return { ...toFields(job), files: job.state.files };
}

function toFields({
  document,
  state: { status, usable, progress, updatedAt },
}: Job): Omit<Infer<typeof jobRule>, "files"> {
  const { _id: batch_id, createdAt: created_at, expiresAt: expires_at } = document;
  return { batch_id, status, usable, progress, created_at, updated_at: updatedAt, expires_at };
}

/** Lists the progress if it is beyond `after`; the last one ends the stream. */
export function listProgressEvents(
  { document, state }: Job,
  after: number | undefined,
): { events: Infer<typeof jobEventRule>[]; after: number; ends: boolean } {
  const { position, status, usable, progress } = state;
  const ends = isOver(status);
  if (after !== undefined && position <= after) return { events: [], after, ends };
  return { events: [{ position, batch_id: document._id, status, usable, progress }], after: position, ends };
}

type JobPart = Infer<typeof jobPartRule>;

/** Reads a page of the parts of all files that were read, and counts them. */
export async function readJobParts(
  files: readonly JobFile[],
  results: Pick<ManualResults, "readParts">,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ parts: JobPart[]; total: number }> {
  const readFiles = files.filter(
    ({ status, removed, usable }) => !removed && (usable || status === "completed" || status === "partially_failed"),
  );
  const jobParts: JobPart[] = [];
  let skip = (page - 1) * pageSize;
  for (const { name, sha256, parts } of readFiles) {
    for (; skip < parts && jobParts.length < pageSize;) {
      const batch = await results.readParts(sha256!, skip, pageSize - jobParts.length);
      if (batch.length === 0) break;
      jobParts.push(...batch.map((part) => ({ ...toPartFields(part), file: name })));
      skip += batch.length;
    }
    skip = Math.max(0, skip - parts);
  }
  return { parts: jobParts, total: readFiles.reduce((sum, { parts }) => sum + parts, 0) };
}

export function toPartFields(part: FoundPart): Omit<JobPart, "file"> {
  const { partNumber: part_number, pattern, confidence, page, box: bbox, quantity, description } = part;
  return { part_number, pattern, confidence, page, bbox, quantity: quantity ?? null, description: description ?? null };
}

/** A row of a page with the id by which it is corrected. */
export function toPageRow(part: FoundPart): Infer<typeof pageFindingsRule>["parts"][number] {
  const { figure = null, namedIn = null, correction } = part;
  return {
    row: getRowId(part),
    ...toPartFields(part),
    ...presentRowFields(part),
    figure,
    named_in: namedIn,
    correction: correction?.split(".")[0] ?? null,
  };
}
