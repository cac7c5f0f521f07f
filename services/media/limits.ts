/** Largest image that is taken. */
export const MAX_UPLOAD_BYTES = 20 * 1024 * 1024;
/** Most pixels of an image, of all its frames together: what is small as a file may be huge when it is unpacked. */
export const MAX_PIXELS = 50_000_000;
/** The same of an AVIF, whose encoder takes 25 bytes of memory for each. */
export const MAX_AVIF_PIXELS = 16_000_000;
/** Longest side that a variant can be asked for. */
export const MAX_SIDE = 4_000;
/** Variants that are kept of an image; for one more, another goes. Anybody may ask for any size. */
export const MAX_VARIANTS = 64;
/** As many of them stay for being asked for again and again. */
export const MAX_PROVEN = 32;
/** Images that are worked on at a time, each in a process of its own. */
export const RENDERERS = 2;
/** Longest work on one image, in milliseconds. */
export const RENDER_WITHIN_MS = 60_000;
