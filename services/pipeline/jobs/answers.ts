import type { Infer } from "../../../broker/contract/rules.ts";
import type { jobEventRule, jobRule, jobSummaryRule } from "../resources.ts";
import type { Job } from "./jobs.ts";

/** File names of a job in a list. */
const MOST_NAMES = 10;

export function summaryOf(job: Job): Infer<typeof jobSummaryRule> {
  return { ...fieldsOf(job), file_names: job.state.files.slice(0, MOST_NAMES).map(({ name }) => name) };
}

export function answerOf(job: Job): Infer<typeof jobRule> {
  return { ...fieldsOf(job), files: job.state.files };
}

function fieldsOf({ document, state }: Job): Omit<Infer<typeof jobRule>, "files"> {
  const { _id: batch_id, createdAt: created_at, expiresAt: expires_at } = document;
  return {
    batch_id,
    status: state.status,
    progress: state.progress,
    created_at,
    updated_at: state.updatedAt,
    expires_at,
  };
}

/** Returns the progress if it is beyond `after`. */
export function progressEvents(
  { document, state }: Job,
  after: number | undefined,
): { events: Infer<typeof jobEventRule>[]; after: number } {
  const { position, status, progress } = state;
  if (after !== undefined && position <= after) return { events: [], after };
  return { events: [{ position, batch_id: document._id, status, progress }], after: position };
}
