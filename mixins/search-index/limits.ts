/** The nearest words that replace a misspelt one. */
export const MAX_CORRECTIONS = 5;

/** Words of a query that are read. */
export const MAX_CHUNKS = 12;
