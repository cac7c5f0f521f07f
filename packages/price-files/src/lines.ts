import { setImmediate } from "node:timers/promises";
import { MIMEType } from "node:util";
import {
  createDecoder,
  type Decoder,
  findByteOrderMark,
  findForeign,
  guessEncoding,
  isAscii,
  LONGEST_MARK,
  resolveCharset,
} from "./encoding.ts";

export interface Line {
  number: number;
  /** Empty when `tooLong`. */
  text: string;
  tooLong?: true;
}

/** Lines between two turns of the event loop. */
const BATCH = 200;
/** Characters; any valid row is shorter. */
const MAX_LINE = 65_536;

/** Reads the lines of a file in batches, ended by CR, LF or both. Holds at most one chunk and one line. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array | string>,
  charset?: string,
  onEncoding: (encoding: string) => void = () => undefined,
): AsyncGenerator<Line[]> {
  let pending = "";
  let number = 0;
  let overlong = false;
  const take = (text: string): Line => {
    number += 1;
    const tooLong = overlong || text.length > MAX_LINE;
    overlong = false;
    return tooLong ? { number, text: "", tooLong: true } : { number, text };
  };
  for await (const text of decode(chunks, charset, onEncoding)) {
    pending += text;
    // It may be half of a CR LF.
    const carry = pending.endsWith("\r") ? "\r" : "";
    const parts = (carry ? pending.slice(0, -1) : pending).split(/\r\n|\n|\r/);
    pending = parts.pop()! + carry;
    for (let start = 0; start < parts.length; start += BATCH) {
      yield parts.slice(start, start + BATCH).map(take);
      await setImmediate();
    }
    if (pending.length > MAX_LINE) {
      pending = "";
      overlong = true;
    }
  }
  const last = pending.split(/\r\n|\n|\r/);
  if (last.at(-1) === "" && !overlong) last.pop();
  if (last.length > 0) yield last.map(take);
}

/** Returns the charset of a Content-Type; undefined if it names none. @throws FileRefusal for an unknown one */
export function readCharset(contentType: string): string | undefined {
  const charset = parseParameters(contentType)?.get("charset") ?? undefined;
  return charset === undefined ? undefined : resolveCharset(charset);
}

function parseParameters(contentType: string): MIMEType["params"] | undefined {
  try {
    return new MIMEType(contentType).params;
  } catch {
    return undefined;
  }
}

/** Bytes by which an encoding is guessed, from the first that is not ASCII. */
const LEAST_SEEN = 65_536;
/** Bytes that are not ASCII, without which more of the file is looked at, and how much at most. */
const FEWEST_FOREIGN = 20;
const MOST_SEEN = 1_048_576;

const hasFewForeign = (bytes: Uint8Array): boolean => findForeign(bytes, FEWEST_FOREIGN) === bytes.length - 1;

/**
 * Decodes a file in pieces: by its byte order mark, else by `charset`, else by a guess from the first bytes that are
 * not ASCII. Invalid bytes become U+FFFD.
 */
async function* decode(
  chunks: AsyncIterable<Uint8Array | string>,
  charset: string | undefined,
  onEncoding: (encoding: string) => void,
): AsyncGenerator<string> {
  let head = Buffer.alloc(0);
  let decoder: Decoder | undefined;
  let isBegun = false;
  const begin = (encoding: string): Decoder => {
    onEncoding(encoding);
    return (decoder = createDecoder(encoding));
  };
  for await (const chunk of chunks) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    if (decoder) {
      yield decoder.decode(bytes);
      continue;
    }
    head = head.length === 0 ? Buffer.from(bytes) : Buffer.concat([head, bytes]);
    if (head.length < LONGEST_MARK) continue;
    const chosen = isBegun ? undefined : (findByteOrderMark(head) ?? charset);
    if (chosen !== undefined) yield begin(chosen).decode(head);
    else if (isAscii(head)) yield head.toString("latin1");
    else if (head.length < LEAST_SEEN || (head.length < MOST_SEEN && hasFewForeign(head))) continue;
    else yield begin(guessEncoding(head)).decode(head);
    isBegun = true;
    head = Buffer.alloc(0);
  }
  if (head.length > 0) {
    const chosen = isBegun ? undefined : (findByteOrderMark(head) ?? charset);
    yield begin(chosen ?? (isAscii(head) ? "utf-8" : guessEncoding(head))).decode(head);
  }
  if (decoder) yield decoder.end();
}
