/** Look-ups take a few milliseconds each: who waits behind so many still gets an answer in time. */
export const LOOKUP_BULKHEAD = { concurrency: 16, maxQueueSize: 128 } as const;

export const MOST_DIAGRAMS = 200;
export const MOST_FITMENT = 500;
/** Numbers of parts that one answer names: some hundred kilobytes, below NATS's 1 MiB. */
export const MOST_PART_KEYS = 20_000;
