import { setTimeout as delay } from "node:timers/promises";
import { isStoreAway } from "../../../mixins/document-store/port.ts";
import { isMachineExhausted } from "../../../mixins/local-files.ts";
import { hasObjectStoreCode } from "../../../mixins/object-store/port.ts";
import { MOST_ASKED } from "../limits.ts";

const FIRST_PAUSE_MS = 500;

/** Whether a store is away, or the disk or the files of this machine have run out: a later try may go through. */
export function isAway(error: unknown): boolean {
  return hasObjectStoreCode(error, "UNAVAILABLE") || isStoreAway(error) || isMachineExhausted(error);
}

/**
 * Repeats work that something which passes broke off (a store that is away, unless told otherwise), after growing
 * pauses. The place in the queue is kept meanwhile: other work would fail alike.
 * @throws what the work throws for another reason or for the last time, and the signal's reason
 */
export async function withRetry<T>(work: () => Promise<T>, signal: AbortSignal, passes = isAway): Promise<T> {
  for (let asked = 1; ; asked += 1) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!passes(error) || asked >= MOST_ASKED) throw error;
    }
    await pause(FIRST_PAUSE_MS * 2 ** (asked - 1), signal);
  }
}

/** @throws the signal's reason */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
