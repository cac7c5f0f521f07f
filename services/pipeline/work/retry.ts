import { setTimeout as delay } from "node:timers/promises";
import { isStoreAway } from "../../../mixins/document-store/port.ts";
import { isMachineExhausted } from "../../../mixins/local-files.ts";
import { hasObjectStoreCode } from "../../../mixins/object-store/port.ts";
import { MOST_ASKED } from "../limits.ts";

const FIRST_PAUSE_MS = 500;

/** Whether a store is away or this machine's disk or files have run out. */
export function isAway(error: unknown): boolean {
  return hasObjectStoreCode(error, "UNAVAILABLE") || isStoreAway(error) || isMachineExhausted(error);
}

/**
 * Repeats work after growing pauses while a store is away; it keeps its slot, as other work would fail, too. @throws
 * the last or another error, and the signal's reason
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
