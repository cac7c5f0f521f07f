/** Look-ups take a few milliseconds each, so the last one in the queue is still answered in time. */
export const LOOKUP_BULKHEAD = { concurrency: 16, maxQueueSize: 128 } as const;

/** Answers made at once; each may wait for the supplier and for a chat model. */
export const DESK_BULKHEAD = { concurrency: 16, maxQueueSize: 32 } as const;
/** Maximum time of an answer, milliseconds: look-ups, the supplier's three seconds and the longest model timeout. */
export const ANSWER_DEADLINE = 75_000;

export const MOST_DIAGRAMS = 200;
/** Maximum callouts of an answer: with the parts of a page, one question to the catalog, and less than a message. */
export const MOST_CALLOUTS = 800;
/** Maximum models in an answer. */
export const MOST_MODELS = 500;
/** Maximum numbers that an answer names as replaced, or as successors. */
export const MOST_NOTES = 100;
