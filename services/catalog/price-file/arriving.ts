import type { Readable } from "node:stream";
import { PartlineError } from "../../../mixins/errors.ts";
import { MOST_PRICE_FILE_BYTES } from "../contract.ts";

/**
 * The body of a request as it arrives. What is left unread of it when nobody wants more is read to nowhere, so that the
 * request can be answered: destroyed, it would take its connection with it.
 * @throws PAYLOAD_TOO_LARGE, and what the body throws
 */
export async function* arriving(body: Readable, mostBytes = MOST_PRICE_FILE_BYTES): AsyncGenerator<Uint8Array, void> {
  const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Uint8Array>;
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw new PartlineError("PAYLOAD_TOO_LARGE", `The file is larger than ${mostBytes} bytes`);
      yield chunk;
    }
  } finally {
    body.on("error", () => undefined).resume();
  }
}
