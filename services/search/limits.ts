/**
 * For the catalog's word on a part: less than the index may take, whose values are returned without it. Milliseconds.
 */
export const CATALOG_DEADLINE = 2_000;

/** Searches take a few milliseconds: the last in such a queue is answered in time. */
export const SEARCH_BULKHEAD = { concurrency: 16, maxQueueSize: 128 } as const;

/** Each may wait for the supplier for its whole time: one that waits behind another is still answered in time. */
export const AVAILABILITY_BULKHEAD = { concurrency: 64, maxQueueSize: 64 } as const;

/** Time limit of a rollback, which waits for its turn and reads the changes since, milliseconds. */
export const ROLLBACK_WITHIN_MS = 60_000;
