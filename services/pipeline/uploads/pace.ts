import type { Readable } from "node:stream";
import { PartlineError } from "../../../mixins/errors.ts";

/** The least that a sender sends; a slower one holds a place that others wait for. */
export const LEAST_PACE = { bytes: 16 * 1024, everyMs: 30_000 };

/** Calls back if a body comes too slowly while the reader is not busy. @returns ends the watch */
export function watchPace(
  body: Readable,
  { bytes, everyMs }: typeof LEAST_PACE,
  isBusy: () => boolean,
  onSlow: (error: PartlineError) => void,
): () => void {
  let received = 0;
  const count = (chunk: Uint8Array): void => {
    received += chunk.length;
  };
  const look = (): void => {
    const isSlow = received < bytes && !body.readableEnded && !isBusy();
    received = 0;
    if (!isSlow) return;
    end();
    onSlow(
      new PartlineError(
        "TIMEOUT",
        `The upload came too slowly: at least ${bytes} bytes are taken in every ${everyMs / 1_000} s`,
      ),
    );
  };
  const timer = setInterval(look, everyMs);
  const end = (): void => {
    clearInterval(timer);
    body.off("data", count);
  };
  body.on("data", count);
  return end;
}
