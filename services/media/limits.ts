/** SVG is left out: it can hold scripts. */
export const IMAGE_FORMATS = ["jpeg", "png", "webp", "avif", "gif"] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

export const toMediaType = (format: ImageFormat): string => `image/${format}`;

export const FITS = ["inside", "cover", "contain", "fill"] as const;
/** `auto` negotiates by the Accept header. */
export const ASKED_FORMATS = ["jpeg", "png", "webp", "avif", "auto"] as const;
export const VARIANT_MODES = ["exact", "cover", "contain"] as const;

export const MAX_UPLOAD_BYTES = 20 * 1024 * 1024;
/** Maximum number of pixels of all frames: a small file may unpack to a huge image. */
export const MAX_PIXELS = 50_000_000;
/** Its encoder takes 25 bytes of memory a pixel. */
export const MAX_AVIF_PIXELS = 16_000_000;
/** Pixels. */
export const MAX_SIDE = 4_000;
/** Variants kept of an image, since anybody may ask for any size. */
export const MAX_VARIANTS = 64;
/** Maximum number of variants among them that are kept because they were used again. */
export const MAX_PROVEN = 32;
/** Processes that work on images. */
export const RENDERERS = 2;
/** Variants of an image that may wait: one is made at a time. */
export const MOST_OF_IMAGE = 16;
/** Images of a client that may wait: one is worked on at a time, so that no client holds all renderers. */
export const MOST_OF_CLIENT = 64;
export const RENDER_WITHIN_MS = 60_000;
