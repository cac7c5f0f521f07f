import { setTimeout as delay } from "node:timers/promises";
import { WriteConcern, type ClientSession } from "mongodb";
import { isCommitUnknown, isTransient, isUnavailable, OutcomeUnknown } from "./errors.ts";

/**
 * Time for which a transaction is repeated; the driver's helper repeats it for two minutes, longer than any caller
 * waits.
 */
export const RETRY_MS = 10_000;

/**
 * One attempt at a transaction: all of `work` or, when it throws, nothing.
 * @throws what `work` and the driver throw; OutcomeUnknown when nobody answered the commit in time
 */
export async function attemptTransaction<T>(session: ClientSession, work: () => Promise<T>): Promise<T> {
  session.startTransaction({ writeConcern: new WriteConcern("majority", undefined, true) });
  let results: T;
  try {
    results = await work();
  } catch (error) {
    await session.abortTransaction();
    throw error;
  }
  await commit(session);
  return results;
}

/** Random, so that transactions that met do not meet again. */
export function pauseBetween(attempt: number): Promise<void> {
  return delay(Math.random() * Math.min(200, 5 * 2 ** attempt));
}

/** A commit whose answer was lost may be repeated: the server knows the transaction. */
async function commit(session: ClientSession): Promise<void> {
  const deadline = Date.now() + RETRY_MS;
  for (;;) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      const isOpen = isCommitUnknown(error) || (error instanceof Error && isUnavailable(error) && !isTransient(error));
      if (!isOpen) throw error;
      if (Date.now() >= deadline) throw new OutcomeUnknown("Nobody answered the commit", { cause: error });
    }
    await delay(50);
  }
}
