const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pauses after each failed attempt, as Standard Webhooks recommends: a little over three days in all. */
const PAUSES = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

const FAILING_MS = 5 * 24 * HOUR;

/**
 * Returns when a delivery is tried again after so many failed tries; undefined after the last. Up to a tenth later, so
 * that what failed together does not come back together.
 */
export function nextTryAt(tries: number, now: Date, random = Math.random()): Date | undefined {
  const pause = PAUSES[tries - 1];
  return pause === undefined ? undefined : new Date(now.getTime() + pause * (1 + random / 10));
}

/** Whether an endpoint that fails again has failed for so long that it is disabled. */
export function isGivenUp(failingSince: Date | undefined, now: Date): boolean {
  return failingSince !== undefined && now.getTime() - failingSince.getTime() >= FAILING_MS;
}
