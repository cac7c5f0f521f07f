/** Deepest hit that can be asked for: `page` times `limit`. */
export const MAX_DEPTH = 10_000;

/** Pages of so many hits that can be asked for, whatever there is. */
export function pagesOf(total: number, pageSize: number): number {
  return Math.min(Math.ceil(total / pageSize), Math.floor(MAX_DEPTH / pageSize));
}

/** Hits that may be asked for in one call, of all its requests together: about half of what a message of NATS holds. */
export const MAX_HITS = 500;

/** Searches take a few milliseconds each: who waits behind so many still gets an answer in time. */
export const SEARCH_BULKHEAD = { concurrency: 16, maxQueueSize: 128 } as const;

/**
 * Each may wait for the supplier for its whole time: who waits behind one such still gets an answer in time, and nobody
 * waits behind two.
 */
export const AVAILABILITY_BULKHEAD = { concurrency: 64, maxQueueSize: 64 } as const;

/** Parameters of one request of InstantSearch. Algolia has fewer. */
export const MOST_PARAMETERS = 100;
