import { setTimeout as delay } from "node:timers/promises";
import { providerCode } from "./errors.ts";

/** How long and how often to look for the result of another process's request. */
const OTHERS_REQUEST_MS = 8_000;
const POLL_MS = 50;

/** Whether the provider is `busy` with the same idempotency key for another process, whose result will come. */
export function isKeyInUse(error: unknown): boolean {
  return providerCode(error) === "idempotency_key_in_use";
}

/** Waits until `look` finds what the other process has stored; undefined if it takes too long. */
export async function keptByOther<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
  const deadline = Date.now() + OTHERS_REQUEST_MS;
  while (Date.now() < deadline) {
    const kept = await look();
    if (kept !== undefined) return kept;
    await delay(POLL_MS);
  }
  return undefined;
}
