/** Largest PDF that is taken. Source: design, Document pipeline. */
export const MAX_UPLOAD_BYTES = 100 * 1024 * 1024;
/** Most files of one batch from the object store. */
export const MAX_BATCH_FILES = 500;
/** Pages that are read as one piece of work. */
export const RANGE_PAGES = 10;
/** Page ranges of one file that are queued or worked on at a time, so that a long manual leaves room for a short one. */
export const RANGES_AT_ONCE = 4;
/** How long a job can be asked for, in milliseconds. Source: specification, section 1. */
export const JOB_LIFE_MS = 7 * 24 * 60 * 60_000;
/** Longest upload, in milliseconds; a sender that falls silent is cut off long before. */
export const UPLOAD_WITHIN_MS = 30 * 60_000;
/** Longest work on one page range before its worker is taken for hung, in milliseconds. */
export const DRAW_WITHIN_MS = 30_000;
/** Pages that are drawn on demand at a time. */
export const DRAWN_AT_ONCE = 2;
