import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { PartlineError, validationFailed } from "../../mixins/errors.ts";
import { acceptedBody, streamBody } from "../../mixins/http/request-body.ts";
import { IMAGE_FORMATS, type ImageFormat, MAX_UPLOAD_BYTES } from "./limits.ts";

interface ReceivedImage {
  id: string;
  format: ImageFormat;
}

/** Writes a body into a file as it arrives. @throws as the action `put`, and what the stream throws */
export async function receiveImage(stream: Readable | undefined, path: string): Promise<ReceivedImage> {
  const hash = createHash("sha256");
  let format: ImageFormat | undefined;
  let unwritten: { error: unknown } | undefined;
  const onUnwritten = (error: unknown): undefined => {
    unwritten = { error };
  };
  const findRefusal = (head: Buffer): PartlineError | undefined => {
    format = detectFormat(head);
    if (format) return undefined;
    if (head.length === 0) return validationFailed({ field: "body", message: "The body must be the image" });
    const formats = IMAGE_FORMATS.join(", ");
    return new PartlineError("UNSUPPORTED_MEDIA_TYPE", `The body is not an image of these formats: ${formats}`);
  };
  const file = await open(path, "wx", 0o600).catch(onUnwritten);
  try {
    const accepted = { what: "image", mostBytes: MAX_UPLOAD_BYTES, headBytes: HEAD_BYTES, refusalOf: findRefusal };
    for await (const chunk of acceptedBody(streamBody(stream), accepted)) {
      hash.update(chunk);
      // What cannot be written is read on, too.
      if (!unwritten) await file?.writeFile(chunk).catch(onUnwritten);
    }
  } finally {
    await file?.close();
  }
  if (unwritten) throw unwritten.error;
  return { id: hash.digest("hex"), format: format! };
}

const HEAD_BYTES = 64;

/** Detects the format by content. */
export function detectFormat(head: Uint8Array): ImageFormat | undefined {
  const text = Buffer.from(head).toString("latin1");
  if (text.startsWith("\xff\xd8\xff")) return "jpeg";
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (/^GIF8[79]a/.test(text)) return "gif";
  if (/^RIFF[^]{4}WEBP/.test(text)) return "webp";
  return text.slice(4, 8) === "ftyp" && isAvif(text) ? "avif" : undefined;
}

/** Returns whether the first box lists AVIF among its brands; HEIC and video begin with such a box, too. */
function isAvif(text: string): boolean {
  const length = Math.min(Buffer.from(text.slice(0, 4), "latin1").readUInt32BE(0), text.length);
  const brands = [text.slice(8, 12), ...(text.slice(16, length).match(/[^]{4}/g) ?? [])];
  return brands.includes("avif") || brands.includes("avis");
}
