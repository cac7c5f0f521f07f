import type { ImageFormat } from "./limits.ts";
import type { Picture } from "./variant.ts";

/**
 * Returns the smallest format that the Accept header names (wildcards do not count: every client sends one), else a
 * common one. Animations stay animated.
 */
export function negotiate({ format, pages, hasAlpha }: Picture, accept = ""): ImageFormat {
  const accepted = acceptedTypes(accept);
  const isAnimated = pages > 1;
  if (!isAnimated && accepted.has("image/avif")) return "avif";
  if (accepted.has("image/webp")) return "webp";
  if (isAnimated) return "gif";
  if (format === "jpeg" || format === "png" || format === "gif") return format;
  return hasAlpha ? "png" : "jpeg";
}

function acceptedTypes(accept: string): ReadonlySet<string> {
  const types = accept
    .toLowerCase()
    .split(",")
    .map((range) => range.split(";").map((piece) => piece.trim()));
  return new Set(
    types.filter(([, ...params]) => !params.some((param) => /^q\s*=\s*0(\.0*)?$/.test(param))).map(([type]) => type!),
  );
}
