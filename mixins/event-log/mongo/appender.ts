import type { ClientSession, Db, MongoClient } from "mongodb";
import { isTransient } from "../../mongo/errors.ts";
import { attemptTransaction, RETRY_MS } from "../../mongo/transaction.ts";
import type { EventText } from "../model/new-event.ts";
import type { Appended } from "../port.ts";
import { appendTogether, type Outcome } from "./append.ts";
import type { Collections } from "./collections.ts";
import { toLogError, unavailable } from "./errors.ts";
import { createRivals, createStandstillBreaker, registerAppender } from "./other-appenders.ts";

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

export function createAppender(client: MongoClient, database: Db, collections: Collections) {
  const rivals = createRivals(collections);
  const waiting: Waiting[] = [];
  let session: { own: ClientSession; since: number } | undefined;
  let running: Promise<void> | undefined;
  let isClosed = false;

  const endSession = async (): Promise<void> => {
    const { own } = session ?? {};
    session = undefined;
    await own?.endSession();
  };
  const ownSession = async (): Promise<ClientSession> => {
    if (session && performance.now() - session.since < SESSION_MS) return session.own;
    await endSession();
    const own = client.startSession();
    session = { own, since: performance.now() };
    try {
      await registerAppender(collections, own);
    } catch (error) {
      await endSession();
      throw error;
    }
    return own;
  };
  /** Repeats after a conflict with another process's append. @throws the driver's errors */
  const transaction = async (texts: readonly EventText[]): Promise<Outcome[]> => {
    const deadline = Date.now() + RETRY_MS;
    const own = await ownSession();
    const breakStandstill = createStandstillBreaker(database, collections, own);
    try {
      for (;;) {
        try {
          return await rivals.during(() => attemptTransaction(own, () => appendTogether(collections, texts, own)));
        } catch (error) {
          if (!isTransient(error) || Date.now() >= deadline) throw error;
        }
        await breakStandstill();
        await rivals.refused();
      }
    } catch (error) {
      // The server's state of it is unknown.
      await endSession();
      throw error;
    }
  };
  /** An event that the server refuses must not take its neighbours with it; an absent server would delay each again. */
  const appendAll = async (texts: readonly EventText[]): Promise<Outcome[]> => {
    try {
      return await transaction(texts);
    } catch (error) {
      const known = toLogError(error);
      if (texts.length === 1 || known !== error) return texts.map(() => ({ ok: false, error: known }));
    }
    const outcomes: Outcome[] = [];
    for (const text of texts) outcomes.push(...(await appendAll([text])));
    return outcomes;
  };
  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      await rivals.letThrough();
      const group = waiting.splice(0, groupSize(waiting));
      const outcomes = await appendAll(group.map(({ text }) => text));
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[index]!;
        if (outcome.ok) resolve(outcome.value);
        else reject(outcome.error);
      }
    }
    running = undefined;
  };

  return {
    append: (text: EventText): Promise<Appended> => {
      if (isClosed) return Promise.reject(unavailable("it is closed"));
      return new Promise((resolve, reject) => {
        waiting.push({ text, resolve, reject });
        running ??= Promise.resolve().then(run);
      });
    },
    close: async (): Promise<void> => {
      isClosed = true;
      await running;
      await endSession();
    },
  };
}

function groupSize(waiting: readonly Waiting[]): number {
  let characters = 0;
  const end = waiting.findIndex(({ text }, index) => {
    characters += text.data.length + text.metadata.length;
    return index > 0 && (index >= LARGEST_GROUP || characters > LARGEST_GROUP_CHARACTERS);
  });
  return end === -1 ? waiting.length : end;
}
