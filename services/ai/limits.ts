/** Look-ups take a few milliseconds: the last in the queue is still answered in time. */
export const LOOKUP_BULKHEAD = { concurrency: 16, maxQueueSize: 128 } as const;

/** Answers made at once; each may wait for the supplier and for a chat model. */
export const DESK_BULKHEAD = { concurrency: 16, maxQueueSize: 32 } as const;
/** Maximum time of an answer, milliseconds: look-ups, the supplier's three seconds and the longest model timeout. */
export const ANSWER_DEADLINE = 75_000;

export const MOST_DIAGRAMS = 200;
/** Callouts in an answer: with a page's parts, one question to the catalog, and less than a message. */
export const MOST_CALLOUTS = 800;
/** Models in an answer. */
export const MOST_MODELS = 500;
/** Numbers that an answer names as replaced, or as successors. */
export const MOST_NOTES = 100;
