/** How far a webhook's timestamp may lie from our clock, either way. Source: design, The completion webhook. */
export const WEBHOOK_TOLERANCE_SECONDS = 300;

/**
 * Whether a signature was made further ahead of our clock than the tolerance: one that is stolen could be used until
 * its time comes. The provider's library looks at the past alone. Takes the header of a signature that the library
 * found good, and of several times in it the last one, which is the one that the library signs.
 */
export function isFromTheFuture(signatureHeader: string, now: number = Date.now()): boolean {
  const time =
    signatureHeader
      .split(",")
      .findLast((field) => field.startsWith("t="))
      ?.slice("t=".length) ?? "";
  return !(Number.parseInt(time, 10) <= Math.floor(now / 1000) + WEBHOOK_TOLERANCE_SECONDS);
}
