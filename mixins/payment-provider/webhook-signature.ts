/** How far a webhook's timestamp may lie from our clock, either way. Source: design, The completion webhook. */
export const WEBHOOK_TOLERANCE_SECONDS = 300;

/**
 * Whether a valid signature is further ahead of our clock than the tolerance: if stolen, it could be used until its time
 * comes. The provider's library checks the past alone. Of several times the last one counts, as in the library.
 */
export function isFromTheFuture(signatureHeader: string, now: number = Date.now()): boolean {
  const time =
    signatureHeader
      .split(",")
      .findLast((field) => field.startsWith("t="))
      ?.slice("t=".length) ?? "";
  return !(Number.parseInt(time, 10) <= Math.floor(now / 1000) + WEBHOOK_TOLERANCE_SECONDS);
}
