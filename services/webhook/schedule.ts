const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Pauses after each failed attempt, as Standard Webhooks recommends: a little over three days in all. */
const PAUSES = [5_000, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)];

const FAILING_MS = 5 * 24 * HOUR;

/**
 * Returns when a delivery is tried again after so many failed tries; undefined after the last. Up to a tenth later, to
 * spread what failed together.
 */
export function nextTryAt(tries: number, now: Date, random = Math.random()): Date | undefined {
  const pause = PAUSES[tries - 1];
  return pause === undefined ? undefined : new Date(now.getTime() + pause * (1 + random / 10));
}

/** Whether an endpoint that fails again must be disabled. */
export function isGivenUp(failingSince: Date | undefined, now: Date): boolean {
  return failingSince !== undefined && now.getTime() - failingSince.getTime() >= FAILING_MS;
}
