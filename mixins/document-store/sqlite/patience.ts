import { setTimeout as delay } from "node:timers/promises";
import { isBusy } from "../../sqlite-error.ts";
import { toStoreError } from "./errors.ts";

const PAUSE_MS = 20;

/**
 * Runs a read in the calling thread; while another process holds the file, tries again without holding up the event loop.
 * @throws UNAVAILABLE when the file cannot be read, or is still locked after `timeoutMs`
 */
export async function patiently<T>(read: () => T, timeoutMs: number): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return read();
    } catch (error) {
      if (!isBusy(error) || Date.now() >= deadline) throw toStoreError(error);
    }
    await delay(PAUSE_MS);
  }
}
