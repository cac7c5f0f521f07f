/** Look-ups take a few milliseconds each: who waits behind so many still gets an answer in time. */
export const LOOKUP_BULKHEAD = { concurrency: 16, maxQueueSize: 128 } as const;

/**
 * Answers that are made at a time: each may wait for the supplier and for a chat model. Who waits behind so many still
 * gets one in time.
 */
export const DESK_BULKHEAD = { concurrency: 16, maxQueueSize: 32 } as const;
/**
 * Longest for an answer: looking things up, the supplier's three seconds, and the longest that may be set for a chat
 * model; milliseconds.
 */
export const ANSWER_DEADLINE = 75_000;

export const MOST_DIAGRAMS = 200;
/** Models that one answer lists. */
export const MOST_MODELS = 500;
/** Numbers that one answer says a part replaces, or is replaced by. */
export const MOST_NOTES = 100;
