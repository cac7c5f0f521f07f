import {
  type AtomicWrite,
  type CollectionDefinition,
  type Document,
  type DocumentStore,
  isWritten,
} from "@partline/durable";
import { isAnswered, isKeyInUse, keptByOther } from "./errors.ts";

/** Unless given: longer than a dispute takes to come. */
const KEPT_MS = 180 * 24 * 60 * 60 * 1000;

/**
 * A request to the provider that must be made once, by its subject (`checkout:<cartId>`, `refund:<refundId>`). It is
 * stored before it is sent, so that every repeat, in any process, sends the same.
 */
export interface Attempt<R = unknown> extends Document {
  attempt: number;
  /** `running`: sent or about to be; `done`: has a `resultId`; `over`: failed, the next attempt may begin. */
  state: "running" | "done" | "over";
  /** The exact request and what is kept with its result; null for a deleted user. */
  request: R;
  resultId?: string;
  /** The user whose data the request holds. */
  userId?: string;
  startedAt: Date;
  purgeAt: Date;
}

export const ATTEMPTS: CollectionDefinition = {
  name: "payment_attempts",
  fields: {
    attempt: "number",
    state: "string",
    resultId: "string",
    userId: "string",
    startedAt: "date",
    purgeAt: "date",
  },
  indexes: [{ keys: { userId: 1 } }],
  expires: "purgeAt",
};

export type Attempts = ReturnType<typeof createAttempts>;

/** Sends requests that must be made once by their subject, despite concurrent submissions and crashes. */
export function createAttempts(documents: DocumentStore) {
  const attempts = documents.collection<Attempt>(ATTEMPTS);
  /** Requests in progress, by idempotency key. */
  const onTheWay = new Map<string, Promise<unknown>>();

  async function find<R>(subject: string): Promise<Attempt<R> | null> {
    return (await attempts.findOne({ _id: subject })) as Attempt<R> | null;
  }

  async function sendOrRelease<T>(attempt: Attempt, answer: Promise<T>): Promise<T | null> {
    try {
      return await answer;
    } catch (error) {
      // Without an answer the next submission repeats the attempt.
      if (isAnswered(error))
        await attempts.updateOne(
          { _id: attempt._id, attempt: attempt.attempt, state: "running" },
          { $set: { state: "over" } },
        );
      if (isKeyInUse(error) && (await isEndedByOther(attempt))) return null;
      throw error;
    }
  }

  /** Returns whether another process ends the attempt; false also if the attempt is gone. */
  async function isEndedByOther({ _id, attempt }: Attempt): Promise<boolean> {
    const ended = await keptByOther(async () => {
      const now = await find(_id);
      return now?.state === "running" && now.attempt === attempt ? undefined : now !== null;
    });
    return ended ?? false;
  }

  return {
    find,

    /** Begins the attempt after `previous` (the first after null). Of concurrent callers all get the same attempt. */
    async begin<R>(
      subject: string,
      previous: Attempt | null,
      { request, userId, keptMs = KEPT_MS }: { request: R; userId?: string; keptMs?: number },
    ): Promise<Attempt<R>> {
      const startedAt = new Date();
      const fields = {
        attempt: (previous?.attempt ?? 0) + 1,
        state: "running" as const,
        request,
        startedAt,
        purgeAt: new Date(startedAt.getTime() + keptMs),
        userId,
      };
      if (previous) {
        const { matched } = await attempts.updateOne(
          { _id: subject, attempt: previous.attempt, state: previous.state },
          { $set: fields, $unset: { resultId: true } },
        );
        if (matched > 0) return { _id: subject, ...fields };
      }
      // Another caller's; the first if the previous one expired, or was erased, meanwhile.
      const winner = await attempts.findOneAndUpdate(
        { _id: subject },
        { $setOnInsert: { ...fields, attempt: 1 } },
        { upsert: true },
      );
      return winner as Attempt<R>;
    },

    /**
     * Stores an attempt's result, in one batch with `records`. False if another attempt has begun since, or the user
     * was deleted.
     */
    settle({ _id, attempt }: Attempt, resultId: string, records: AtomicWrite[] = []): Promise<boolean> {
      const mine: AtomicWrite = {
        collection: ATTEMPTS,
        require: true,
        updateOne: { filter: { _id, attempt }, update: { $set: { state: "done", resultId } } },
      };
      return isWritten(documents.atomically([mine, ...records]), "CONDITION_FAILED");
    },

    /**
     * Runs `send`, which sends the request under the attempt's idempotency key and stores its result; once for
     * concurrent callers of this process. Null if another process was faster: the attempt, read again, has the result.
     */
    send<T>(attempt: Attempt, send: (key: string) => Promise<T>): Promise<T | null> {
      const key = `${attempt._id}:${attempt.attempt}`;
      const pending = onTheWay.get(key) as Promise<T | null> | undefined;
      if (pending) return pending;
      const sending = sendOrRelease(attempt, send(key)).finally(() => onTheWay.delete(key));
      onTheWay.set(key, sending);
      return sending;
    },
  };
}
