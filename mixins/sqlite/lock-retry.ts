import { setTimeout as delay } from "node:timers/promises";
import { isBusy } from "../sqlite-error.ts";

const PAUSE_MS = 20;

export interface LockRetry {
  timeoutMs: number;
  /** What a caller of the store sees of an error that SQLite raised. */
  toError: (error: unknown) => unknown;
}

/**
 * Runs a read in the calling thread; while another process holds the file, tries again without holding up the event
 * loop.
 * @throws what `toError` makes of it when the file cannot be read, or is still locked after `timeoutMs`
 */
export async function withLockRetry<T>(read: () => T, { timeoutMs, toError }: LockRetry): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return read();
    } catch (error) {
      if (!isBusy(error) || Date.now() >= deadline) throw toError(error);
    }
    await delay(PAUSE_MS);
  }
}
