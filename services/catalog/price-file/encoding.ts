import { MIMEType, TextDecoder } from "node:util";
import { PartlineError } from "../../../mixins/errors.ts";

const BYTE_ORDER_MARKS = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: "utf-8" },
  { bytes: [0xff, 0xfe], encoding: "utf-16le" },
  { bytes: [0xfe, 0xff], encoding: "utf-16be" },
] as const;
const LONGEST_MARK = 3;

/** Returns the charset of a Content-Type, UTF-8 by default. @throws UNSUPPORTED_MEDIA_TYPE for an unknown one */
export function charsetOf(contentType: string): string {
  const charset = parametersOf(contentType)?.get("charset") ?? "utf-8";
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    throw new PartlineError("UNSUPPORTED_MEDIA_TYPE", `The charset '${charset.slice(0, 40)}' is not known`);
  }
}

function parametersOf(contentType: string): MIMEType["params"] | undefined {
  try {
    return new MIMEType(contentType).params;
  } catch {
    return undefined;
  }
}

/** Decodes a file in pieces, by its byte order mark or else by `charset`. Invalid bytes become U+FFFD. */
export async function* decode(chunks: AsyncIterable<Uint8Array | string>, charset: string): AsyncGenerator<string> {
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
