import { isKeyInUse, keptByOther } from "../../mixins/payment-provider/key-in-use.ts";
import { idempotencyKey, type Attempts } from "./attempts.ts";
import type { Attempt } from "./collections.ts";

export type KeyedRequests = ReturnType<typeof keyedRequests>;

/** Sends the requests of attempts to the provider, each from this process once at a time. */
export function keyedRequests(attempts: Attempts) {
  const onTheWay = new Map<string, Promise<unknown>>();

  async function sendAndRelease<T>(
    attempt: Attempt,
    key: string,
    send: (key: string) => Promise<T>,
  ): Promise<T | null> {
    try {
      return await send(key);
    } catch (error) {
      await attempts.releaseAfter(attempt, error);
      if (isKeyInUse(error) && (await isOver(attempt))) return null;
      throw error;
    }
  }

  /** Whether the other process brings the attempt to an end; false also when the attempt is gone. */
  async function isOver({ _id, attempt }: Attempt): Promise<boolean> {
    const over = await keptByOther(async () => {
      const now = await attempts.find(_id);
      return now?.state === "running" && now.attempt === attempt ? undefined : now !== null;
    });
    return over ?? false;
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
