import { setTimeout as delay } from "node:timers/promises";
import { raceAbort } from "@partline/toolkit";

export interface RetryPolicy {
  /** Milliseconds; at least as long as the client's circuit stays open. */
  pauseMs: number;
  pauses: number;
}

/** Retries over half a minute in all. */
export const SYNC_RETRY: RetryPolicy = { pauseMs: 5_000, pauses: 6 };

/**
 * Repeats `ask` after pauses while its outcome may pass, until the deadline, and returns the last outcome.
 * @throws the signal's reason
 */
export async function withSupplierRetry<T>(
  ask: () => Promise<T>,
  isPassing: (outcome: T) => boolean,
  { pauseMs, pauses, deadline, signal }: RetryPolicy & { deadline: Date; signal: AbortSignal },
): Promise<T> {
  for (let paused = 0; ; paused += 1) {
    const outcome = await raceAbort(ask(), signal);
    if (!isPassing(outcome) || paused >= pauses || Date.now() + pauseMs >= deadline.getTime()) return outcome;
    await raceAbort(delay(pauseMs), signal);
  }
}
