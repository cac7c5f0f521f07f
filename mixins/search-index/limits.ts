/** Limits that every engine has alike. */

/** A build with fewer than this share of the live index's documents is taken for a mistake. */
export const LEAST_SHARE = 0.5;

/** Words that one which is misspelt is taken for, the nearest of them. */
export const MAX_CORRECTIONS = 5;

/** Words of a query that are read; the rest is let go. */
export const MAX_CHUNKS = 12;
