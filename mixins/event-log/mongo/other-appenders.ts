import type { ClientSession, Db } from "mongodb";
import { setTimeout as delay } from "node:timers/promises";
import { HEAD, RIVALS, type Collections } from "./collections.ts";

/** Then an append that meets others checks whether they progress. */
const LOOKS_AFTER_MS = 1_000;
/** Without progress, the holder of the head is presumed dead. */
const STANDSTILL_MS = 2_000;

/** Lets others end this session's transaction if its process dies; repeat it within the hour. */
export async function registerAppender({ appenders }: Collections, session: ClientSession): Promise<void> {
  await appenders.updateOne({ _id: session.id!.id }, { $set: { at: new Date() } }, { upsert: true });
}

/**
 * Watches whether others progress. A killed process's transaction keeps the head for a minute
 * (transactionLifetimeLimitSeconds), so the sessions of all others are ended, once: a live process repeats its
 * transaction.
 */
export function createStandstillBreaker(database: Db, { head, appenders }: Collections, own: ClientSession) {
  const begun = performance.now();
  let turn: number | undefined;
  let since = 0;
  let isBroken = false;

  return async (): Promise<void> => {
    const now = performance.now();
    if (isBroken || now - begun < LOOKS_AFTER_MS) return;
    const newest = (await head.findOne({ _id: HEAD }))?.turn ?? 0;
    if (newest !== turn) {
      turn = newest;
      since = now;
    } else if (now - since >= STANDSTILL_MS) {
      isBroken = true;
      const others = await appenders.find({ _id: { $ne: own.id!.id } }).toArray();
      const killSessions = others.map(({ _id: id }) => ({ id }));
      // A server that does not allow it ends the transaction later.
      if (others.length > 0)
        await database
          .admin()
          .command({ killSessions })
          .catch(() => undefined);
    }
  };
}

/** Of pauses left to others. */
const [SHORTEST_GAP_MS, LONGEST_GAP_MS] = [20, 1_000];
/** Shorter than the gaps that others leave. */
const LONGEST_PAUSE_MS = 25;

/**
 * Keeps a process with many events from starving others, as the server refuses concurrent transactions. A refused
 * process counts that up, and one that sees it leaves a gap as long as its transaction took.
 */
export function createRivals({ head }: Collections) {
  /** Refusals by all processes. */
  let known = 0;
  let gapMs = 0;
  return {
    /** @throws the driver's errors */
    refused: async (): Promise<void> => {
      await head.updateOne({ _id: RIVALS }, { $inc: { turn: 1 } }, { upsert: true });
      await delay(Math.random() * LONGEST_PAUSE_MS);
    },
    letThrough: async (): Promise<void> => {
      const ms = gapMs;
      gapMs = 0;
      if (ms > 0) await delay(ms);
    },
    during: async <T>(transaction: () => Promise<T>): Promise<T> => {
      const begunAt = performance.now();
      const looked = head.findOne({ _id: RIVALS }).catch(() => null);
      const result = await transaction();
      const refusals = (await looked)?.turn ?? known;
      if (refusals !== known) gapMs = Math.min(LONGEST_GAP_MS, Math.max(SHORTEST_GAP_MS, performance.now() - begunAt));
      known = refusals;
      return result;
    },
  };
}
