/** Longest chain of successors of a part that is followed. */
export const LONGEST_CHAIN = 50;
