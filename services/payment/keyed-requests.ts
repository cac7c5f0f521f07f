import { setTimeout as sleep } from "node:timers/promises";
import { providerCode } from "../../mixins/payment-provider/errors.ts";
import { idempotencyKey, type Attempts } from "./attempts.ts";
import type { Attempt } from "./collections.ts";

/** How long and how often a request that another process has on its way is waited for. */
const OTHERS_REQUEST_MS = 8_000;
const POLL_MS = 50;
/** The provider's code for that. (It is `busy` for other reasons too, such as too many requests: there is nothing to wait for then.) */
const KEY_IN_USE = "idempotency_key_in_use";

export type KeyedRequests = ReturnType<typeof keyedRequests>;

/** Sends the requests of attempts to the provider, each from this process once at a time. */
export function keyedRequests(attempts: Attempts) {
  const onTheWay = new Map<string, Promise<unknown>>();

  async function sendAndRelease<T>(attempt: Attempt, key: string, send: (key: string) => Promise<T>): Promise<T | null> {
    try {
      return await send(key);
    } catch (error) {
      await attempts.releaseAfter(attempt, error);
      if (providerCode(error) === KEY_IN_USE && (await isKeptByOther(attempt))) return null;
      throw error;
    }
  }

  /** The provider refuses a key while it works on it for another process, which then keeps the result. */
  async function isKeptByOther({ _id, attempt }: Attempt): Promise<boolean> {
    const deadline = Date.now() + OTHERS_REQUEST_MS;
    while (Date.now() < deadline) {
      const now = await attempts.find(_id);
      if (now?.state !== "running" || now.attempt !== attempt) return now !== null;
      await sleep(POLL_MS);
    }
    return false;
  }

  return {
    /**
     * Sends an attempt's request and keeps its result (both are `send`'s work, with the attempt's idempotency key).
     * Whoever asks while it is on its way gets the same result. Null when another process was faster: the attempt, read
     * again, then tells what came of it. A failure that the provider answered frees the attempt's subject.
     */
    send<T>(attempt: Attempt, send: (key: string) => Promise<T>): Promise<T | null> {
      const key = idempotencyKey(attempt);
      const sent = onTheWay.get(key) as Promise<T | null> | undefined;
      if (sent) return sent;
      const sending = sendAndRelease(attempt, key, send).finally(() => onTheWay.delete(key));
      onTheWay.set(key, sending);
      return sending;
    },
  };
}
