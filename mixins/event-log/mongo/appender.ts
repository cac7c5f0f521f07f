import type { ClientSession, Db, MongoClient } from "mongodb";
import { isTransient } from "../../mongo/errors.ts";
import { attemptTransaction, RETRY_MS } from "../../mongo/transaction.ts";
import type { EventText } from "../model/new-event.ts";
import type { Appended } from "../port.ts";
import { appendTogether, type Outcome } from "./append.ts";
import type { Collections } from "./collections.ts";
import { toLogError, unavailable } from "./errors.ts";
import { registerAppender, Standstill, Rivals } from "./other-appenders.ts";

/** Largest transaction, events. */
const LARGEST_GROUP = 500;
const LARGEST_GROUP_CHARACTERS = 4 * 1024 * 1024;

/** Time after which a new session is made and registered. */
const SESSION_MS = 20 * 60_000;

interface Waiting {
  text: EventText;
  resolve(appended: Appended): void;
  reject(error: unknown): void;
}

export class Appender {
  readonly #client: MongoClient;
  readonly #database: Db;
  readonly #collections: Collections;
  readonly #rivals: Rivals;
  #session: { own: ClientSession; since: number } | undefined;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(client: MongoClient, database: Db, collections: Collections) {
    this.#client = client;
    this.#database = database;
    this.#collections = collections;
    this.#rivals = new Rivals(collections);
  }

  append(text: EventText): Promise<Appended> {
    if (this.#closed) return Promise.reject(unavailable("it is closed"));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, resolve, reject });
      this.#running ??= Promise.resolve().then(() => this.#run());
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    await this.#endSession();
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#rivals.letThrough();
      const group = this.#waiting.splice(0, groupSize(this.#waiting));
      const outcomes = await this.#appendAll(group.map(({ text }) => text));
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[index]!;
        if (outcome.ok) resolve(outcome.value);
        else reject(outcome.error);
      }
    }
    this.#running = undefined;
  }

  /** An event that the server refuses must not take its neighbours with it; an absent server would delay each again. */
  async #appendAll(texts: readonly EventText[]): Promise<Outcome[]> {
    try {
      return await this.#transaction(texts);
    } catch (error) {
      const known = toLogError(error);
      if (texts.length === 1 || known !== error) return texts.map(() => ({ ok: false, error: known }));
    }
    const outcomes: Outcome[] = [];
    for (const text of texts) outcomes.push(...(await this.#appendAll([text])));
    return outcomes;
  }

  /** Repeats after a conflict with another process's append. @throws the driver's errors */
  async #transaction(texts: readonly EventText[]): Promise<Outcome[]> {
    const deadline = Date.now() + RETRY_MS;
    const session = await this.#ownSession();
    const standstill = new Standstill(this.#database, this.#collections, session);
    try {
      for (;;) {
        try {
          return await this.#rivals.during(() =>
            attemptTransaction(session, () => appendTogether(this.#collections, texts, session)),
          );
        } catch (error) {
          if (!isTransient(error) || Date.now() >= deadline) throw error;
        }
        await standstill.breakWhereThereIsOne();
        await this.#rivals.refused();
      }
    } catch (error) {
      // The server's state of it is unknown.
      await this.#endSession();
      throw error;
    }
  }

  async #ownSession(): Promise<ClientSession> {
    if (this.#session && performance.now() - this.#session.since < SESSION_MS) return this.#session.own;
    await this.#endSession();
    const own = this.#client.startSession();
    this.#session = { own, since: performance.now() };
    try {
      await registerAppender(this.#collections, own);
    } catch (error) {
      await this.#endSession();
      throw error;
    }
    return own;
  }

  async #endSession(): Promise<void> {
    const { own } = this.#session ?? {};
    this.#session = undefined;
    await own?.endSession();
  }
}

function groupSize(waiting: readonly Waiting[]): number {
  let characters = 0;
  const end = waiting.findIndex(({ text }, index) => {
    characters += text.data.length + text.metadata.length;
    return index > 0 && (index >= LARGEST_GROUP || characters > LARGEST_GROUP_CHARACTERS);
  });
  return end === -1 ? waiting.length : end;
}
