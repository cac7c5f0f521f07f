import type { Readable } from "node:stream";
import { PartlineError } from "../../../mixins/errors.ts";
import { withinTime } from "../../../mixins/within-time.ts";
import { MOST_PRICE_FILE_BYTES } from "../limits.ts";

export interface ArrivalLimits {
  bytes: number;
  /** Longest that is waited for more of it: what was lost on the way from the gateway never comes, and nobody tells; milliseconds. */
  silenceMs: number;
}

/** The gateway ends what a client stops sending in half that time. */
const LIMITS: ArrivalLimits = { bytes: MOST_PRICE_FILE_BYTES, silenceMs: 120_000 };

/**
 * The body of a request as it arrives. What is left unread of it when nobody wants more is read to nowhere, so that the request can be answered: destroyed, it would take its
 * connection with it.
 * @throws PAYLOAD_TOO_LARGE, TIMEOUT
 */
export async function* arriving(body: Readable, limits: ArrivalLimits = LIMITS): AsyncGenerator<Uint8Array, void> {
  const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Uint8Array>;
  let bytes = 0;
  try {
    for (;;) {
      const next = await withinTime(chunks.next(), limits.silenceMs, () => {
        body.destroy();
        throw new PartlineError("TIMEOUT", "The file stopped arriving");
      });
      if (next.done === true) return;
      bytes += next.value.length;
      if (bytes > limits.bytes) throw new PartlineError("PAYLOAD_TOO_LARGE", `The file is larger than ${limits.bytes} bytes`);
      yield next.value;
    }
  } finally {
    await chunks.return?.();
    body.on("error", () => undefined).resume();
  }
}
