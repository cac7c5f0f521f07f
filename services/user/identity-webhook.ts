import type { Result } from "../../broker/contract/define.ts";
import { hasStoreCode, type AtomicWrite, type DocumentStore } from "../../mixins/document-store/port.ts";
import { outbox } from "../contracts.ts";
import { IDENTITY_EVENTS, type IdentityEventRecord } from "./collections.ts";
import type { userContract } from "./contract.ts";
import { readIdentityEvent, type IdentityEvent } from "./identity-event.ts";
import { applyIdentityEvent } from "./projection.ts";
import { createSignatureCheck, type SignedMessage } from "./signature.ts";
import type { Users } from "./users.ts";

type Acknowledgement = Result<typeof userContract.actions.receiveIdentityEvent>;

export interface IdentityWebhookDeps {
  documents: DocumentStore;
  users: Users;
  secret: string;
  /** Called after an event was put into the outbox. */
  wake: () => void;
}

/** Longer than the sender retries (28 hours) or a person resends a message. */
const REMEMBERED_MS = 30 * 24 * 3_600_000;

/**
 * Receives the identity provider's webhooks. One atomic batch writes the user, the svix-id and, for a deletion, the
 * outbox row of `user.deleted`: an event takes effect once, and is acknowledged after it is stored.
 */
export function createIdentityWebhook({ documents, users, secret, wake }: IdentityWebhookDeps) {
  const check = createSignatureCheck(secret);
  const seen = documents.collection<IdentityEventRecord>(IDENTITY_EVENTS);

  return async (message: SignedMessage): Promise<Acknowledgement> => {
    const { id, payload } = check(message);
    const event = readIdentityEvent(payload);
    return { received: true, outcome: event ? await take(id, event) : "ignored" };
  };

  async function take(id: string, event: IdentityEvent): Promise<Acknowledgement["outcome"]> {
    if (await seen.findOne({ _id: id })) return "duplicate";
    const now = new Date();
    const also = [rememberWrite(id, event, now)];
    if (event.type === "user.deleted")
      also.push(outbox("user.deleted", { userId: event.userId }, `user.deleted:${event.userId}`));
    try {
      const written = await users.change(event.userId, (current) => {
        const next = applyIdentityEvent(current, event, now);
        return next && { next, also };
      });
      if (!written) return "outdated";
    } catch (error) {
      if (hasStoreCode(error, "DUPLICATE_KEY")) return "duplicate";
      throw error;
    }
    if (event.type === "user.deleted") wake();
    return "applied";
  }
}

function rememberWrite(id: string, event: IdentityEvent, now: Date): AtomicWrite {
  const record = {
    _id: id,
    type: event.type,
    userId: event.userId,
    expiresAt: new Date(now.getTime() + REMEMBERED_MS),
  };
  return { collection: IDENTITY_EVENTS, insertOne: record };
}
