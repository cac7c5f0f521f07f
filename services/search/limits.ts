/** Deepest hit that can be asked for: `page` times `limit`. */
export const MAX_DEPTH = 10_000;

/** Pages of this size that can be asked for. */
export function countPages(total: number, pageSize: number): number {
  return Math.min(Math.ceil(total / pageSize), Math.floor(MAX_DEPTH / pageSize));
}

/**
 * For the catalog's word on a part: less than the index may take, whose values are returned without it. Milliseconds.
 */
export const CATALOG_DEADLINE = 2_000;

/** Hits of all requests in one call: about half of a NATS message. */
export const MAX_HITS = 500;

/** Searches take a few milliseconds: the last in such a queue is answered in time. */
export const SEARCH_BULKHEAD = { concurrency: 16, maxQueueSize: 128 } as const;

/** Each may wait for the supplier for its whole time: one that waits behind another is still answered in time. */
export const AVAILABILITY_BULKHEAD = { concurrency: 64, maxQueueSize: 64 } as const;

/** Parameters of one InstantSearch request. Algolia has fewer. */
export const MOST_PARAMETERS = 100;

/** Time limit of a rollback, which waits for its turn and reads the changes since, milliseconds. */
export const ROLLBACK_WITHIN_MS = 60_000;
