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
 * Repeats work that a store which is away broke off, after growing pauses. Its slot is kept meanwhile: other work would
 * fail alike.
 * @throws what the work throws for another reason or for the last time, and the signal's reason
 */
export async function withRetry<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let asked = 1; ; asked += 1) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!isAway(error) || asked >= MOST_ASKED) throw error;
    }
    await delay(FIRST_PAUSE_MS * 2 ** (asked - 1), undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
