import { MAX_SIDE, type ASKED_FORMATS, type FITS, type ImageFormat, type VARIANT_MODES } from "./limits.ts";
import { negotiate } from "./negotiation.ts";

export interface VariantRequest {
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

/**
 * Returns the variant that answers a request; undefined for the original. Nothing is enlarged: a larger size is reduced
 * in its proportions. Equal results give equal variants.
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

/** `400x300-cover.webp` */
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
