import { MAX_SIDE, type ASKED_FORMATS, type FITS, type ImageFormat, type VARIANT_MODES } from "./limits.ts";
import { negotiate } from "./negotiation.ts";

/** What is asked of an image. */
export interface VariantRequest {
  w?: number;
  h?: number;
  fit: (typeof FITS)[number];
  format?: (typeof ASKED_FORMATS)[number];
}

/** What the choice of a variant depends on. */
export interface Picture {
  format: ImageFormat;
  width: number;
  height: number;
  /** Frames; 1 unless it is animated. */
  pages: number;
  hasAlpha: boolean;
}

/**
 * One image to be made: of exactly this size, the original scaled to it (`exact`), cropped to it, or set into it with a
 * border.
 */
export interface Variant {
  width: number;
  height: number;
  mode: (typeof VARIANT_MODES)[number];
  format: ImageFormat;
}

/**
 * The variant that answers a request, or undefined where the original does. Nothing is enlarged: what is asked for
 * larger than the original is answered as large as that, in the proportions that were asked for. Requests that come to
 * the same image give the same variant.
 */
export function variantOf(
  picture: Picture,
  { w, h, fit, format: asked }: VariantRequest,
  accept: string | undefined,
): Variant | undefined {
  const format = asked === "auto" ? negotiate(picture, accept) : (asked ?? picture.format);
  const isAsked = w !== undefined || h !== undefined;
  if (!isAsked && format === picture.format) return undefined;
  const variant = { ...sizeOf(picture, isAsked ? { w, h, fit } : { w: MAX_SIDE, h: MAX_SIDE, fit: "inside" }), format };
  return variant.width === picture.width && variant.height === picture.height && format === picture.format
    ? undefined
    : variant;
}

/** `400x300-cover.webp`: its name among the variants of its image. */
export function nameOf({ width, height, mode, format }: Variant): string {
  return `${width}x${height}-${mode}.${format}`;
}

function sizeOf(
  { width, height }: Picture,
  { w, h, fit }: Pick<VariantRequest, "w" | "h" | "fit">,
): Omit<Variant, "format"> {
  const size = (wide: number, high: number, mode: Variant["mode"]) => ({
    width: Math.max(1, Math.round(wide)),
    height: Math.max(1, Math.round(high)),
    mode,
  });
  if (w === undefined || h === undefined || fit === "inside") {
    const scale = Math.min(1, (w ?? Infinity) / width, (h ?? Infinity) / height);
    return size(width * scale, height * scale, "exact");
  }
  if (fit === "fill") return size(Math.min(w, width), Math.min(h, height), "exact");
  if (fit === "contain") return size(w, h, "contain");
  const scale = Math.min(1, width / w, height / h);
  return size(w * scale, h * scale, "cover");
}
