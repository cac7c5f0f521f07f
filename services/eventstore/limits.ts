/** Largest state, bytes of JSON: the largest event with what its fold adds. A NATS message (1 MiB) holds it. */
export const LARGEST_STATE_BYTES = 768 * 1024;

/** Folding takes the processor: 64 calls of a few milliseconds can wait. */
export const STATE_BULKHEAD = { concurrency: 2, maxQueueSize: 64 } as const;
