import { personalFields } from "../../broker/contract/personal.ts";
import type { DocumentStore } from "../../mixins/document-store/port.ts";
import { ATTEMPTS, type Attempt } from "../../mixins/payment-provider/attempts.ts";
import { CHECKOUTS, WEBHOOK_EVENTS, type Checkout, type WebhookEvent } from "./collections.ts";
import { paymentContract } from "./contract.ts";

/** A purchase keeps these fields of the request by their names. */
const PERSONAL = personalFields(paymentContract.actions.createCheckoutSession.params);

/** What stands where a deleted user's id stood; it is nobody's id. */
export const ERASED = "deleted";

/**
 * Removes what is personal of a deleted user: the fields that the contract marks, requests that hold them, and the
 * user's id where nothing needs it any more. Payment records hold none of it, webhook events only while they are worked
 * on.
 */
export function userErasure(documents: DocumentStore) {
  const checkouts = documents.collection<Checkout>(CHECKOUTS);
  const events = documents.collection<WebhookEvent>(WEBHOOK_EVENTS);
  const attempts = documents.collection<Attempt>(ATTEMPTS);
  return async function erase(userId: string): Promise<void> {
    if (userId === "guest") return;
    const theirs = { $or: [{ "purchase.userId": userId }, { "purchase.owner.userId": userId }] };
    // The provider knows the keys that were made of their numbers. The next number keeps a request that is under way
    // from being kept with what it leads to.
    await attempts.updateMany(
      { userId },
      { $set: { state: "over", request: null }, $inc: { attempt: 1 }, $unset: { userId: true, resultId: true } },
    );
    const paymentKeys = (await checkouts.find(theirs)).map(({ _id }) => _id);
    await events.updateMany(
      { state: { $in: ["pending", "waiting"] }, "command.paymentKey": { $in: paymentKeys } },
      { $unset: { "command.person": true } },
    );
    await checkouts.updateMany(theirs, {
      $set: { "purchase.owner.userId": ERASED },
      $unset: Object.fromEntries(PERSONAL.map((field) => [`purchase.${field}`, true as const])),
    });
    // One that is still open may be paid; the order service then puts the pseudonym in the id's place.
    await checkouts.updateMany(
      { "purchase.userId": userId, status: { $ne: "open" } },
      { $set: { "purchase.userId": ERASED } },
    );
  };
}
