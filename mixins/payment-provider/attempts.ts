import {
  hasStoreCode,
  type AtomicWrite,
  type CollectionDefinition,
  type Document,
  type DocumentStore,
} from "../document-store/port.ts";
import { providerFailure } from "./errors.ts";
import { isKeyInUse, keptByOther } from "./key-in-use.ts";

/** Longer than a dispute takes to come. */
const KEPT_MS = 180 * 24 * 60 * 60 * 1000;

/**
 * A request to the provider that must be made once, by its subject (`checkout:<cartId>`, `refund:<refundId>`): what is
 * sent, and under which attempt's number. Written before the request, so that whoever repeats it, in whichever process,
 * sends the same.
 */
export interface Attempt extends Document {
  attempt: number;
  /** `running`: sent or about to be; `done`: `resultId` came of it; `over`: it failed, the next attempt may begin. */
  state: "running" | "done" | "over";
  /** The exact request and what is kept with its result; null of a deleted user's, which is over. */
  request: unknown;
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

/** An attempt whose request is of type R. */
export type AttemptFor<R> = Attempt & { request: R };

export interface NewAttempt<R> {
  request: R;
  /** The user whose data the request holds. */
  userId?: string;
}

export type Attempts = ReturnType<typeof createAttempts>;

/**
 * Whether the next attempt may begin. A request that is gone is that of a user who was deleted while an older version
 * sent it.
 */
export function hasEnded({ state, request }: Pick<Attempt, "state" | "request">): boolean {
  return state === "over" || request === null;
}

/** The key under which the provider does an attempt's request once. */
function idempotencyKey({ _id, attempt }: Pick<Attempt, "_id" | "attempt">): string {
  return `${_id}:${attempt}`;
}

/** Requests to the provider that must be made once by their subject, however many submit it and whoever crashes. */
export function createAttempts(documents: DocumentStore) {
  const attempts = documents.collection<Attempt>(ATTEMPTS);

  async function find<R>(subject: string): Promise<AttemptFor<R> | null> {
    return (await attempts.findOne({ _id: subject })) as AttemptFor<R> | null;
  }

  async function insertFirst(attempt: Attempt): Promise<boolean> {
    try {
      await attempts.insertOne(attempt);
      return true;
    } catch (error) {
      if (hasStoreCode(error, "DUPLICATE_KEY")) return false;
      throw error;
    }
  }

  const onTheWay = new Map<string, Promise<unknown>>();

  async function sendAndRelease<T>(
    attempt: Attempt,
    key: string,
    send: (key: string) => Promise<T>,
  ): Promise<T | null> {
    try {
      return await send(key);
    } catch (error) {
      await releaseAfter(attempt, error);
      if (isKeyInUse(error) && (await isOver(attempt))) return null;
      throw error;
    }
  }

  /** Whether the other process brings the attempt to an end; false also when the attempt is gone. */
  async function isOver({ _id, attempt }: Attempt): Promise<boolean> {
    const over = await keptByOther(async () => {
      const now = await find(_id);
      return now?.state === "running" && now.attempt === attempt ? undefined : now !== null;
    });
    return over ?? false;
  }

  /**
   * After a failed request: frees the subject for the next attempt when the provider has answered, since it would
   * answer the same to the same key. Without an answer the attempt stays, and whoever submits again repeats it.
   */
  async function releaseAfter(attempt: Attempt, error: unknown): Promise<void> {
    const failure = providerFailure(error);
    if (failure !== "refused" && failure !== "failed") return;
    await attempts.updateOne(
      { _id: attempt._id, attempt: attempt.attempt, state: "running" },
      { $set: { state: "over" } },
    );
  }

  return {
    find,

    /**
     * Begins the attempt after `previous` (the first after null). One of all that try at once gets its own; the others
     * get that one, and with it the very request that it sends.
     */
    async begin<R>(
      subject: string,
      previous: Attempt | null,
      { request, userId }: NewAttempt<R>,
    ): Promise<AttemptFor<R>> {
      const startedAt = new Date();
      const fields = {
        attempt: (previous?.attempt ?? 0) + 1,
        state: "running" as const,
        request,
        startedAt,
        purgeAt: new Date(startedAt.getTime() + KEPT_MS),
        ...(userId === undefined ? {} : { userId }),
      };
      const mine = { _id: subject, ...fields };
      if (previous === null) {
        if (await insertFirst(mine)) return mine;
      } else {
        const { matched } = await attempts.updateOne(
          { _id: subject, attempt: previous.attempt, state: previous.state },
          { $set: fields, $unset: { resultId: true } },
        );
        if (matched > 0) return mine;
      }
      const winner = await find<R>(subject);
      // It expired, or was erased, just now.
      return winner ?? this.begin(subject, null, { request, userId });
    },

    /**
     * Keeps what came of an attempt, in one write with `records`. False when the attempt is no longer the subject's:
     * another one has begun since, or its user was deleted.
     */
    async settle(attempt: Attempt, resultId: string, records: AtomicWrite[]): Promise<boolean> {
      const mine: AtomicWrite = {
        collection: ATTEMPTS,
        require: true,
        updateOne: {
          filter: { _id: attempt._id, attempt: attempt.attempt },
          update: { $set: { state: "done", resultId } },
        },
      };
      try {
        await documents.atomically([mine, ...records]);
        return true;
      } catch (error) {
        if (hasStoreCode(error, "CONDITION_FAILED")) return false;
        throw error;
      }
    },

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
