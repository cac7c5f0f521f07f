import type { ClientSession, Db } from "mongodb";
import { setTimeout as delay } from "node:timers/promises";
import { HEAD, RIVALS, type Collections } from "./collections.ts";

/** Time after which an append that meets others checks whether they progress. */
const LOOKS_AFTER_MS = 1_000;
/** Time without progress after which the holder of the head is presumed dead. */
const STANDSTILL_MS = 2_000;

/** Lets others end this session's transaction if its process dies; repeat it within the hour. */
export async function registerAppender({ appenders }: Collections, session: ClientSession): Promise<void> {
  await appenders.updateOne({ _id: session.id!.id }, { $set: { at: new Date() } }, { upsert: true });
}

/**
 * Watches, between the attempts of an append, whether others progress. The server keeps a killed process's transaction
 * open for a minute (transactionLifetimeLimitSeconds), and with it the head: nobody could append. So the sessions of
 * all others are ended, once. A live process has its transaction refused, and repeats it.
 */
export function createStandstillBreaker(database: Db, { head, appenders }: Collections, ownSession: ClientSession) {
  const startedAt = performance.now();
  let turn: number | undefined;
  let since = 0;
  let isBroken = false;

  return async (): Promise<void> => {
    const now = performance.now();
    if (isBroken || now - startedAt < LOOKS_AFTER_MS) return;
    const newest = (await head.findOne({ _id: HEAD }))?.turn ?? 0;
    if (newest !== turn) {
      turn = newest;
      since = now;
    } else if (now - since >= STANDSTILL_MS) {
      isBroken = true;
      const otherAppenders = await appenders.find({ _id: { $ne: ownSession.id!.id } }).toArray();
      const killSessions = otherAppenders.map(({ _id: id }) => ({ id }));
      // A server that does not allow it ends the transaction later.
      if (otherAppenders.length > 0)
        await database
          .admin()
          .command({ killSessions })
          .catch(() => undefined);
    }
  };
}

/** Shortest and longest pause left to others, milliseconds. */
const [SHORTEST_GAP_MS, LONGEST_GAP_MS] = [20, 1_000];
/** Longest pause before a refused append is repeated: shorter than the gaps that others leave. */
const LONGEST_PAUSE_MS = 25;

/**
 * Keeps a process with many events from starving others. Its transactions would follow each other at once, and the
 * server refuses concurrent ones instead of queueing them. So a refused process counts that up, and a process that sees
 * it leaves a gap after each transaction as long as the transaction took.
 */
export function createRivals({ head }: Collections) {
  /** Refusals by all processes, when last looked at. */
  let lastPosition = 0;
  let gapMs = 0;
  return {
    /** Waits after a refusal, before the next attempt. @throws the driver's errors */
    refused: async (): Promise<void> => {
      await head.updateOne({ _id: RIVALS }, { $inc: { turn: 1 } }, { upsert: true });
      await delay(Math.random() * LONGEST_PAUSE_MS);
    },
    letThrough: async (): Promise<void> => {
      const ms = gapMs;
      gapMs = 0;
      if (ms > 0) await delay(ms);
    },
    /** Checks during a transaction whether others wait for its end. */
    during: async <T>(transaction: () => Promise<T>): Promise<T> => {
      const begunAt = performance.now();
      const looked = head.findOne({ _id: RIVALS }).catch(() => null);
      const result = await transaction();
      const refusals = (await looked)?.turn ?? lastPosition;
      if (refusals !== lastPosition)
        gapMs = Math.min(LONGEST_GAP_MS, Math.max(SHORTEST_GAP_MS, performance.now() - begunAt));
      lastPosition = refusals;
      return result;
    },
  };
}
