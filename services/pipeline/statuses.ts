/** What a file, and a job of one or several, can be. Source: design, Document pipeline. */
export const JOB_STATUSES = ["queued", "processing", "completed", "partially_failed", "failed", "cancelled"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** A file has the same. */
export const FILE_STATUSES = JOB_STATUSES;
export type FileStatus = JobStatus;
