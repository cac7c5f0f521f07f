import type { ObjectStore } from "../../mixins/object-store/port.ts";

const AT_ONCE = 16;

/**
 * Deletes all objects below a prefix; stops at the first failure. @throws what the store throws, and the signal's
 * reason
 */
export async function removeBelow(objects: ObjectStore, prefix: string, signal?: AbortSignal): Promise<void> {
  const found = objects.list(prefix)[Symbol.asyncIterator]();
  let isBroken = false;
  const remove = async (): Promise<void> => {
    try {
      for (let next = await found.next(); !next.done && !isBroken; next = await found.next()) {
        signal?.throwIfAborted();
        await objects.delete(next.value.key);
      }
    } catch (error) {
      isBroken = true;
      throw error;
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: AT_ONCE }, remove));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}
