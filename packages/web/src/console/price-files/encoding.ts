/** Encodings that spreadsheets save files in. */
export const ENCODINGS = ["utf-8", "windows-1252", "utf-16le", "utf-16be"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Read to guess an encoding, bytes. */
const LOOKED_AT = 4 * 1_024 * 1_024;

/** Guesses by a byte order mark; else UTF-8 if the file's beginning can be that, and Windows otherwise. */
export async function guessEncoding(file: Blob): Promise<Encoding> {
  const start = new Uint8Array(await file.slice(0, LOOKED_AT).arrayBuffer());
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  if (start[0] === 0xfe && start[1] === 0xff) return "utf-16be";
  try {
    // A character that the slice cuts is no fault.
    new TextDecoder("utf-8", { fatal: true }).decode(start, { stream: true });
    return "utf-8";
  } catch (error) {
    if (error instanceof TypeError) return "windows-1252";
    throw error;
  }
}

/** The same text in UTF-8, piece by piece. */
export async function toUtf8(file: Blob, encoding: Encoding): Promise<Blob> {
  if (encoding === "utf-8") return file;
  const text = file.stream().pipeThrough(new TextDecoderStream(encoding));
  return new Response(text.pipeThrough(new TextEncoderStream())).blob();
}
