import type { Infer } from "../../../broker/contract/rules.ts";
import type { jobEventRule, jobRule, jobSummaryRule } from "../resources.ts";
import type { Job } from "./jobs.ts";

export function summaryOf({ document, state }: Job): Infer<typeof jobSummaryRule> {
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

export function answerOf(job: Job): Infer<typeof jobRule> {
  return { ...summaryOf(job), files: job.state.files };
}

/** What a client that has seen a job up to `after` is told: how far it is now, if it got further. */
export function progressEvents(
  { document, state }: Job,
  after: number | undefined,
): { events: Infer<typeof jobEventRule>[]; after: number } {
  const { position, status, progress } = state;
  if (after !== undefined && position <= after) return { events: [], after };
  return { events: [{ position, batch_id: document._id, status, progress }], after: position };
}
