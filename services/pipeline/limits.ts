/** Largest PDF that is taken. Source: design, Document pipeline. */
export const MAX_UPLOAD_BYTES = 100 * 1024 * 1024;
/**
 * Most of an upload that is read, bytes: what is too large by less is read to its end, so that a client which reads
 * nothing while it sends is told why it is refused.
 */
export const MAX_READ_BYTES = 2 * MAX_UPLOAD_BYTES;
/** Models that a manual is said to be for. */
export const MOST_MODELS = 50;
/** Most files of one batch from the object store. */
export const MAX_BATCH_FILES = 500;
/** Pages that are read as one piece of work. */
export const RANGE_PAGES = 10;
/**
 * Page ranges of one file that are queued or worked on at a time, so that a long manual leaves room for a short one.
 */
export const RANGES_AT_ONCE = 4;
/** Parts of a manual that are kept in one object. */
export const PARTS_PER_PIECE = 1_000;
/**
 * To put a longer manual together takes as much memory as to read: processes that have nothing to read end before it.
 */
export const LONG_MANUAL_PAGES = 300;
/** How long a job can be asked for, in milliseconds. Source: specification, section 1. */
export const JOB_LIFE_MS = 7 * 24 * 60 * 60_000;
/** Longest upload, in milliseconds; a sender that falls silent is cut off long before. */
export const UPLOAD_WITHIN_MS = 30 * 60_000;
/** Longest drawing of a page, in milliseconds. */
export const DRAW_WITHIN_MS = 10_000;
/** Longest wait for a page to be drawn, in milliseconds: pages are drawn one after another. */
export const DRAWN_WITHIN_MS = 60_000;
/** Pages that one client may wait for; they are drawn one at a time, so that others have their turn in between. */
export const MOST_DRAWN_FOR_CLIENT = 16;
/**
 * A page that could not be drawn is not tried again for so long, in milliseconds: a busy machine may have been the
 * reason.
 */
export const UNDRAWN_FOR_MS = 60 * 60_000;
/** Failures after which a piece of work is given up. The end of a whole process is none. */
export const MOST_TRIES = 3;
/**
 * So often is a store that is away asked, with growing pauses of half a minute in all, before that counts as a failure.
 */
export const MOST_ASKED = 7;
/**
 * What was kept of a file that failed or was cancelled goes after so long, in milliseconds: by then no node is at it
 * any more.
 */
export const LEFTOVERS_AFTER_MS = 60 * 60_000;
