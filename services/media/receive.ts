import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { PartlineError, validationFailed } from "../../mixins/errors.ts";
import { bodyOf } from "../../mixins/request-body.ts";
import { IMAGE_FORMATS, type ImageFormat, MAX_UPLOAD_BYTES } from "./limits.ts";

interface ReceivedImage {
  /** SHA-256 of what was sent, in lower-case hex. */
  id: string;
  format: ImageFormat;
}

/**
 * Writes a request's body into a file as it arrives.
 * @throws PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, VALIDATION_FAILED (nothing was sent), and what the stream throws
 */
export async function receive(stream: Readable | undefined, path: string): Promise<ReceivedImage> {
  const hash = createHash("sha256");
  let head: Buffer = Buffer.alloc(0);
  let bytes = 0;
  let unwritten: { error: unknown } | undefined;
  const onUnwritten = (error: unknown): undefined => {
    unwritten = { error };
  };
  const file = await open(path, "wx", 0o600).catch(onUnwritten);
  try {
    // A client that is sending does not read: what is refused or cannot be written is read
    // on for a while, so that it gets to see why.
    for await (const chunk of bodyOf(stream)) {
      bytes += chunk.length;
      if (bytes > 2 * MAX_UPLOAD_BYTES) break;
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES)]);
      if (unwritten || bytes > MAX_UPLOAD_BYTES || (head.length >= HEAD_BYTES && formatOf(head) === undefined))
        continue;
      hash.update(chunk);
      await file?.writeFile(chunk).catch(onUnwritten);
    }
  } finally {
    await file?.close();
  }
  if (unwritten) throw unwritten.error;
  if (bytes === 0) throw validationFailed({ field: "body", message: "The body must be the image" });
  const format = formatOf(head);
  if (format === undefined)
    throw new PartlineError(
      "UNSUPPORTED_MEDIA_TYPE",
      `The body is not an image of these formats: ${IMAGE_FORMATS.join(", ")}`,
    );
  if (bytes > MAX_UPLOAD_BYTES)
    throw new PartlineError("PAYLOAD_TOO_LARGE", `The image is larger than ${MAX_UPLOAD_BYTES} bytes`);
  return { id: hash.digest("hex"), format };
}

const HEAD_BYTES = 64;

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
