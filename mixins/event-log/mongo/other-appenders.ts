import type { ClientSession, Db } from "mongodb";
import { setTimeout as delay } from "node:timers/promises";
import { HEAD, RIVALS, type Collections } from "./collections.ts";

/** Time after which an append that meets others checks whether they progress. */
const LOOKS_AFTER_MS = 1_000;
/** Time without progress after which the holder of the head is presumed dead. */
const STANDSTILL_MS = 2_000;

/** Lets others end this session's transaction if its process dies. Repeat it within the hour. */
export async function registerAppender(
  { appenders }: Pick<Collections, "appenders">,
  session: ClientSession,
): Promise<void> {
  await appenders.updateOne({ _id: session.id!.id }, { $set: { at: new Date() } }, { upsert: true });
}

/**
 * Watches, between the attempts of an append, whether others progress. The server keeps a killed process's transaction
 * open for a minute (transactionLifetimeLimitSeconds), and with it the head: nobody could append. So the sessions of
 * all others are ended, once. A live process has its transaction refused, and repeats it.
 */
export class Standstill {
  readonly #database: Db;
  readonly #collections: Collections;
  readonly #own: ClientSession;
  readonly #begun = performance.now();
  #turn: number | undefined;
  #since = 0;
  #isBroken = false;

  constructor(database: Db, collections: Collections, own: ClientSession) {
    this.#database = database;
    this.#collections = collections;
    this.#own = own;
  }

  async breakWhereThereIsOne(): Promise<void> {
    const now = performance.now();
    if (this.#isBroken || now - this.#begun < LOOKS_AFTER_MS) return;
    const turn = (await this.#collections.head.findOne({ _id: HEAD }))?.turn ?? 0;
    if (turn !== this.#turn) {
      this.#turn = turn;
      this.#since = now;
    } else if (now - this.#since >= STANDSTILL_MS) {
      this.#isBroken = true;
      await this.#endOthers();
    }
  }

  async #endOthers(): Promise<void> {
    const others = await this.#collections.appenders.find({ _id: { $ne: this.#own.id!.id } }).toArray();
    if (others.length === 0) return;
    // A server that does not allow it ends the transaction later.
    await this.#database
      .admin()
      .command({ killSessions: others.map(({ _id: id }) => ({ id })) })
      .catch(() => undefined);
  }
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
export class Rivals {
  readonly #head: Collections["head"];
  /** Refusals by all processes, when last looked at. */
  #refusals = 0;
  #gapMs = 0;

  constructor({ head }: Pick<Collections, "head">) {
    this.#head = head;
  }

  /** After a refusal, before the next attempt. @throws the driver's errors */
  async refused(): Promise<void> {
    await this.#head.updateOne({ _id: RIVALS }, { $inc: { turn: 1 } }, { upsert: true });
    await delay(Math.random() * LONGEST_PAUSE_MS);
  }

  async letThrough(): Promise<void> {
    const gapMs = this.#gapMs;
    this.#gapMs = 0;
    if (gapMs > 0) await delay(gapMs);
  }

  /** Checks during a transaction whether others wait for its end. */
  async during<T>(transaction: () => Promise<T>): Promise<T> {
    const begunAt = performance.now();
    const looked = this.#head.findOne({ _id: RIVALS }).catch(() => null);
    const result = await transaction();
    const refusals = (await looked)?.turn ?? this.#refusals;
    if (refusals !== this.#refusals)
      this.#gapMs = Math.min(LONGEST_GAP_MS, Math.max(SHORTEST_GAP_MS, performance.now() - begunAt));
    this.#refusals = refusals;
    return result;
  }
}
