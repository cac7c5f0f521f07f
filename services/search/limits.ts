/** Deepest hit that can be asked for: `page` times `limit`. */
export const MAX_DEPTH = 10_000;

/** Searches take a few milliseconds each: who waits behind so many still gets an answer in time. */
export const SEARCH_BULKHEAD = { concurrency: 16, maxQueueSize: 128 } as const;

/** Each may wait for the supplier for its whole time: who waits behind one such still gets an answer in time, and nobody waits behind two. */
export const AVAILABILITY_BULKHEAD = { concurrency: 64, maxQueueSize: 64 } as const;
