import { personalFields } from "../../broker/contract/personal.ts";
import type { DocumentStore } from "../../mixins/document-store/port.ts";
import { ATTEMPTS, type Attempt } from "../../mixins/payment-provider/attempts.ts";
import { CHECKOUTS, WEBHOOK_EVENTS, type Checkout, type WebhookEvent } from "./collections.ts";
import { paymentContract } from "./contract.ts";

const { createCheckoutSession, createPaymentIntent } = paymentContract.actions;
const PERSONAL = personalFields({ ...createCheckoutSession.params, ...createPaymentIntent.params });

/** Replaces a deleted user's id. */
export const ERASED = "deleted";

/**
 * Removes a deleted user's data: the fields that the contract marks, requests that hold them, and the user's id if
 * nothing needs it. Payment records hold none of it, webhook events only until they are done.
 */
export function userErasure(documents: DocumentStore) {
  const checkouts = documents.collection<Checkout>(CHECKOUTS);
  const events = documents.collection<WebhookEvent>(WEBHOOK_EVENTS);
  const attempts = documents.collection<Attempt>(ATTEMPTS);
  return async function erase(userId: string): Promise<void> {
    if (userId === "guest") return;
    const theirs = { $or: [{ "purchase.userId": userId }, { "purchase.owner.userId": userId }] };
    // The next attempt number keeps the result of a request that is under way from being stored.
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
    await checkouts.updateMany({ "purchase.ownCart.userId": userId }, { $unset: { "purchase.ownCart": true } });
    // An open one may still be paid; the order service then replaces the id by the pseudonym.
    await checkouts.updateMany(
      { "purchase.userId": userId, status: { $ne: "open" } },
      { $set: { "purchase.userId": ERASED } },
    );
  };
}
