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
export const MOST_FITMENT = 500;
/** Rows of one number that are read: a common bolt is in every manual, many times. */
export const MOST_OF_A_NUMBER = 2_000;
/** Models that one answer lists. */
export const MOST_MODELS = 500;
/** Numbers of parts that one answer names, where as many fit into a message. */
export const MOST_PART_KEYS = 20_000;
/** Numbers that one answer says a part replaces, or is replaced by. */
export const MOST_NOTES = 100;
