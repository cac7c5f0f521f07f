import type { ClientSession, Db } from "mongodb";
import { HEAD, type Collections } from "./collections.ts";

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

  /** @throws the driver's errors */
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
