/** Source: design, Document pipeline. */
export const MAX_UPLOAD_BYTES = 100 * 1024 * 1024;
/**
 * Maximum bytes read from an upload. A slightly larger body is drained before the reply, so that a client that is still
 * sending receives the error.
 */
export const MAX_READ_BYTES = 2 * MAX_UPLOAD_BYTES;
/** Per manual. */
export const MOST_MODELS = 50;
/** Per manual. */
export const MOST_CORRECTIONS = 5_000;
/** Pages per piece of work. */
export const RANGE_PAGES = 10;
/** Ranges of a file queued or in work: a long manual leaves room for a short one. */
export const RANGES_AT_ONCE = 4;
/** Parts in one object. */
export const PARTS_PER_PIECE = 1_000;
/** Putting a longer manual together takes as much memory as reading: idle processes end first. */
export const LONG_MANUAL_PAGES = 300;
/** Milliseconds. Source: specification, section 1. */
export const JOB_LIFE_MS = 7 * 24 * 60 * 60_000;
/** Milliseconds; a silent sender is cut off long before. */
export const UPLOAD_WITHIN_MS = 30 * 60_000;
/** Milliseconds, including the wait: pages are drawn in sequence. */
export const DRAWN_WITHIN_MS = 60_000;
/** Milliseconds before the files of a failed correction are put back: the store may have been the reason. */
export const UNDONE_AFTER_MS = 60_000;
/** Milliseconds after which no node uses the remains of a failed or cancelled file. */
export const LEFTOVERS_AFTER_MS = 60 * 60_000;
