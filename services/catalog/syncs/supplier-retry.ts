import { setTimeout as delay } from "node:timers/promises";
import { untilAborted } from "../../../mixins/until-aborted.ts";

/** How a sync waits for a supplier that is in trouble. */
export interface RetryPolicy {
  /** Milliseconds; no shorter than the circuit of the client stays open, so that the next try is sent. */
  pauseMs: number;
  /** Before what was asked for counts as failed. */
  pauses: number;
}

/** Over half a minute: the blip of a supplier costs a sync nothing. */
export const SYNC_RETRY: RetryPolicy = { pauseMs: 5_000, pauses: 6 };

/**
 * Asks, and after a pause asks again, as long as what came of it is trouble that may pass. Answers what came of it
 * last, trouble or not. No pause goes beyond the deadline.
 * @throws the signal's reason, also while an answer is awaited
 */
export async function withSupplierRetry<T>(
  ask: () => Promise<T>,
  isPassing: (outcome: T) => boolean,
  { pauseMs, pauses, deadline, signal }: RetryPolicy & { deadline: Date; signal: AbortSignal },
): Promise<T> {
  for (let paused = 0; ; paused += 1) {
    const outcome = await untilAborted(ask(), signal);
    if (!isPassing(outcome) || paused >= pauses || Date.now() + pauseMs >= deadline.getTime()) return outcome;
    await untilAborted(delay(pauseMs), signal);
  }
}
