import type { JobSummary } from "@partline/client";

export function isUnderWay({ status }: Pick<JobSummary, "status">): boolean {
  return status === "queued" || status === "processing";
}
