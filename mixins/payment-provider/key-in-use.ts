import { setTimeout as delay } from "node:timers/promises";
import { providerCode } from "./errors.ts";

/** How long and how often the result of a request that another process has on its way is looked for. */
const OTHERS_REQUEST_MS = 8_000;
const POLL_MS = 50;

/**
 * Whether the provider refuses an idempotency key because it works on it for another process. (It is `busy` for other
 * reasons too, such as too many requests: there is nothing to wait for then.)
 */
export function isKeyInUse(error: unknown): boolean {
  return providerCode(error) === "idempotency_key_in_use";
}

/** What the other process has kept of its request, as soon as `look` finds it; undefined when it takes too long. */
export async function keptByOther<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
  const deadline = Date.now() + OTHERS_REQUEST_MS;
  while (Date.now() < deadline) {
    const kept = await look();
    if (kept !== undefined) return kept;
    await delay(POLL_MS);
  }
  return undefined;
}
