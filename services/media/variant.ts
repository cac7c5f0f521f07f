import { type ASKED_FORMATS, type FITS, type ImageFormat, MAX_SIDE, type VARIANT_MODES } from "./limits.ts";

interface VariantRequest {
  w?: number;
  h?: number;
  fit: (typeof FITS)[number];
  format?: (typeof ASKED_FORMATS)[number];
}

export interface Picture {
  format: ImageFormat;
  width: number;
  height: number;
  /** Frames. */
  pages: number;
  hasAlpha: boolean;
}

/** An image of exactly this size: scaled (`exact`), cropped, or set into it with a border. */
export interface Variant {
  width: number;
  height: number;
  mode: (typeof VARIANT_MODES)[number];
  format: ImageFormat;
}

/** Returns the variant that answers a request; undefined for the original. A larger size is reduced in proportion. */
export function resolveVariant(
  picture: Picture,
  { w, h, fit, format: requestedFormat }: VariantRequest,
  accept: string | undefined,
): Variant | undefined {
  const format = requestedFormat === "auto" ? negotiateFormat(picture, accept) : (requestedFormat ?? picture.format);
  const isAsked = w !== undefined || h !== undefined;
  if (!isAsked && format === picture.format) return undefined;
  const variant = {
    ...resolveSize(picture, isAsked ? { w, h, fit } : { w: MAX_SIDE, h: MAX_SIDE, fit: "inside" }),
    format,
  };
  return variant.width === picture.width && variant.height === picture.height && format === picture.format
    ? undefined
    : variant;
}

/** Formats `400x300-cover.webp`. */
export function formatVariantName({ width, height, mode, format }: Variant): string {
  return `${width}x${height}-${mode}.${format}`;
}

function resolveSize(
  { width, height }: Picture,
  { w, h, fit }: Pick<VariantRequest, "w" | "h" | "fit">,
): Omit<Variant, "format"> {
  const toSize = (wide: number, high: number, mode: Variant["mode"]) => ({
    width: Math.max(1, Math.round(wide)),
    height: Math.max(1, Math.round(high)),
    mode,
  });
  if (w === undefined || h === undefined || fit === "inside") {
    const scale = Math.min(1, (w ?? Infinity) / width, (h ?? Infinity) / height);
    return toSize(width * scale, height * scale, "exact");
  }
  if (fit === "fill") return toSize(Math.min(w, width), Math.min(h, height), "exact");
  if (fit === "contain") return toSize(w, h, "contain");
  const scale = Math.min(1, width / w, height / h);
  return toSize(w * scale, h * scale, "cover");
}

/**
 * Returns the smallest format that the Accept header names (wildcards do not count: every client sends one), else a
 * common one. Animations stay animated.
 */
export function negotiateFormat({ format, pages, hasAlpha }: Picture, accept = ""): ImageFormat {
  const accepted = parseAcceptedTypes(accept);
  const isAnimated = pages > 1;
  if (!isAnimated && accepted.has("image/avif")) return "avif";
  if (accepted.has("image/webp")) return "webp";
  if (isAnimated) return "gif";
  if (format === "jpeg" || format === "png" || format === "gif") return format;
  return hasAlpha ? "png" : "jpeg";
}

function parseAcceptedTypes(accept: string): ReadonlySet<string> {
  const types = accept
    .toLowerCase()
    .split(",")
    .map((range) => range.split(";").map((piece) => piece.trim()));
  return new Set(
    types.filter(([, ...params]) => !params.some((param) => /^q\s*=\s*0(\.0*)?$/.test(param))).map(([type]) => type!),
  );
}
