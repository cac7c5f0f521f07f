import type { ImageFormat } from "./limits.ts";

export const HEAD_BYTES = 64;

/** Detects the format by content. */
export function formatOf(head: Uint8Array): ImageFormat | undefined {
  const text = Buffer.from(head).toString("latin1");
  if (text.startsWith("\xff\xd8\xff")) return "jpeg";
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (/^GIF8[79]a/.test(text)) return "gif";
  if (/^RIFF[^]{4}WEBP/.test(text)) return "webp";
  return text.slice(4, 8) === "ftyp" && isAvif(text) ? "avif" : undefined;
}

/** The first box lists compatible brands; HEIC and video begin with one, too. */
function isAvif(text: string): boolean {
  const length = Math.min(Buffer.from(text.slice(0, 4), "latin1").readUInt32BE(0), text.length);
  const brands = [text.slice(8, 12), ...(text.slice(16, length).match(/[^]{4}/g) ?? [])];
  return brands.includes("avif") || brands.includes("avis");
}
