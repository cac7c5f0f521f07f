/** Deepest hit that can be asked for: `page` times `limit`. */
export const MAX_DEPTH = 10_000;
