import { hasStoreCode, type AtomicWrite, type DocumentStore } from "../../mixins/document-store/port.ts";
import { providerFailure } from "../../mixins/payment-provider/errors.ts";
import { ATTEMPTS, CHECKOUT_KEPT_MS, type Attempt } from "./collections.ts";

/** An attempt whose request is of type R. */
export type AttemptFor<R> = Attempt & { request: R };

export interface NewAttempt<R> {
  request: R;
  /** The user whose data the request holds. */
  userId?: string;
}

export type Attempts = ReturnType<typeof paymentAttempts>;

/** Whether the next attempt may begin. A request that is gone is that of a user who was deleted while an older version sent it. */
export function hasEnded({ state, request }: Pick<Attempt, "state" | "request">): boolean {
  return state === "over" || request === null;
}

/** The key under which the provider does an attempt's request once. */
export function idempotencyKey({ _id, attempt }: Pick<Attempt, "_id" | "attempt">): string {
  return `${_id}:${attempt}`;
}

/** Requests to the provider that must be made once by their subject, however many submit it and whoever crashes. */
export function paymentAttempts(documents: DocumentStore) {
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

  return {
    find,

    /**
     * Begins the attempt after `previous` (the first after null). One of all that try at once gets its own; the others get
     * that one, and with it the very request that it sends.
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
        purgeAt: new Date(startedAt.getTime() + CHECKOUT_KEPT_MS),
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
     * After a failed request: frees the subject for the next attempt when the provider has answered, since it would
     * answer the same to the same key. Without an answer the attempt stays, and whoever submits again repeats it.
     */
    async releaseAfter(attempt: Attempt, error: unknown): Promise<void> {
      const failure = providerFailure(error);
      if (failure !== "refused" && failure !== "failed") return;
      await attempts.updateOne(
        { _id: attempt._id, attempt: attempt.attempt, state: "running" },
        { $set: { state: "over" } },
      );
    },
  };
}
