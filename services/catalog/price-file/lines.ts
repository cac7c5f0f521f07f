import { setImmediate } from "node:timers/promises";
import { MIMEType, TextDecoder } from "node:util";
import { PartlineError } from "../../../mixins/errors.ts";

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
  charset = "utf-8",
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
  for await (const text of decode(chunks, charset)) {
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

const BYTE_ORDER_MARKS = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: "utf-8" },
  { bytes: [0xff, 0xfe], encoding: "utf-16le" },
  { bytes: [0xfe, 0xff], encoding: "utf-16be" },
] as const;
const LONGEST_MARK = 3;

/** Returns the charset of a Content-Type, UTF-8 by default. @throws UNSUPPORTED_MEDIA_TYPE for an unknown one */
export function readCharset(contentType: string): string {
  const charset = parseParameters(contentType)?.get("charset") ?? "utf-8";
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    throw new PartlineError("UNSUPPORTED_MEDIA_TYPE", `The charset '${charset.slice(0, 40)}' is not known`);
  }
}

function parseParameters(contentType: string): MIMEType["params"] | undefined {
  try {
    return new MIMEType(contentType).params;
  } catch {
    return undefined;
  }
}

/** Decodes a file in pieces, by its byte order mark or else by `charset`. Invalid bytes become U+FFFD. */
async function* decode(chunks: AsyncIterable<Uint8Array | string>, charset: string): AsyncGenerator<string> {
  let head = Buffer.alloc(0);
  let decoder: TextDecoder | undefined;
  const begin = (): TextDecoder => {
    const mark = BYTE_ORDER_MARKS.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte));
    return new TextDecoder(mark?.encoding ?? charset);
  };
  for await (const chunk of chunks) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    if (decoder) {
      yield decoder.decode(bytes, { stream: true });
      continue;
    }
    head = Buffer.concat([head, bytes]);
    if (head.length < LONGEST_MARK) continue;
    decoder = begin();
    yield decoder.decode(head, { stream: true });
  }
  yield decoder ? decoder.decode() : begin().decode(head);
}
