/** Of a state as JSON: the largest event, with what its fold adds. A message of NATS (1 MiB) holds it. */
export const LARGEST_STATE_BYTES = 768 * 1024;
/** On the way to a state that is smaller again, where later events replaced what was large. */
export const LARGEST_STATE_ON_THE_WAY_BYTES = 10 * LARGEST_STATE_BYTES;

/** Folding takes the processor: who waits behind so many of the usual few milliseconds still gets an answer in time. */
export const STATE_BULKHEAD = { concurrency: 2, maxQueueSize: 64 } as const;
