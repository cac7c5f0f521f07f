/** `both`: each of two parts in place of the other; `one_way`: the other in place of the part. */
export const DIRECTIONS = ["both", "one_way"] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** Characters of who says so. */
export const LONGEST_SOURCE = 100;
