/** Source: design, Document pipeline. */
export const JOB_STATUSES = ["queued", "processing", "completed", "partially_failed", "failed", "cancelled"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const FILE_STATUSES = JOB_STATUSES;
export type FileStatus = JobStatus;
