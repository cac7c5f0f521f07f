import { setTimeout as delay } from "node:timers/promises";

/** How a sync waits for a supplier that is in trouble. */
export interface Patience {
  /** Milliseconds; no shorter than the circuit of the client stays open, so that the next try is sent. */
  pauseMs: number;
  /** Before what was asked for counts as failed. */
  pauses: number;
}

/** Over half a minute: the blip of a supplier costs a sync nothing. */
export const SYNC_PATIENCE: Patience = { pauseMs: 5_000, pauses: 6 };

/**
 * Asks, and after a pause asks again, as long as what came of it is trouble that may pass. Answers what came of it last, trouble or
 * not, or undefined when this process has to stop. No pause goes beyond the deadline.
 */
export async function askPatiently<T>(
  ask: () => Promise<T>,
  isPassing: (outcome: T) => boolean,
  { pauseMs, pauses, deadline, signal }: Patience & { deadline: Date; signal: AbortSignal },
): Promise<T | undefined> {
  for (let paused = 0; ; paused += 1) {
    const outcome = await ask();
    if (signal.aborted) return undefined;
    if (!isPassing(outcome) || paused >= pauses || Date.now() + pauseMs >= deadline.getTime()) return outcome;
    try {
      await delay(pauseMs, undefined, { signal });
    } catch {
      return undefined;
    }
  }
}
