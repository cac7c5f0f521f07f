/** Formats that are taken and kept. SVG is not: it is a document with scripts, not a picture. */
export const IMAGE_FORMATS = ["jpeg", "png", "webp", "avif", "gif"] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** Returns the media type of a format: `image/webp`. */
export const mediaTypeOf = (format: ImageFormat): string => `image/${format}`;

/** Ways to fit an image into the size asked for. */
export const FITS = ["inside", "cover", "contain", "fill"] as const;
/** Formats that a client may ask for; `auto` negotiates by the Accept header. */
export const ASKED_FORMATS = ["jpeg", "png", "webp", "avif", "auto"] as const;
export const VARIANT_MODES = ["exact", "cover", "contain"] as const;

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
/**
 * Variants that one client may wait for, and that may be waited for of one image. Of each, one is made at a time, so
 * that no caller holds all renderers.
 */
export const MOST_OF_CLIENT = 32;
export const MOST_OF_IMAGE = 16;
/** Longest work on one image, in milliseconds. */
export const RENDER_WITHIN_MS = 60_000;
