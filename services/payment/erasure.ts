import type { DocumentStore } from "../../mixins/document-store/port.ts";
import { ATTEMPTS, CHECKOUTS, type Attempt, type Checkout } from "./collections.ts";

/** What stands where a deleted user's id stood; it is nobody's id. */
const ERASED = "deleted";

/**
 * Removes what is personal of a deleted user: addresses, free metadata and requests that hold them, and the user's id where
 * nothing needs it any more. Webhook events and payment records hold none of it.
 */
export function userErasure(documents: DocumentStore) {
  const checkouts = documents.collection<Checkout>(CHECKOUTS);
  const attempts = documents.collection<Attempt>(ATTEMPTS);
  return async function erase(userId: string): Promise<void> {
    if (userId === "guest") return;
    const theirs = { $or: [{ "purchase.userId": userId }, { "purchase.owner.userId": userId }] };
    // The provider knows the keys that were made of their numbers. The next number keeps a request that is under way from being kept with what it leads to.
    await attempts.updateMany(
      { userId },
      { $set: { state: "over", request: null }, $inc: { attempt: 1 }, $unset: { userId: true, resultId: true } },
    );
    await checkouts.updateMany(theirs, {
      $set: { "purchase.owner.userId": ERASED },
      $unset: { "purchase.shippingAddress": true, "purchase.metadata": true },
    });
    // One that is still open may be paid; the order service then puts the pseudonym in the id's place.
    await checkouts.updateMany(
      { "purchase.userId": userId, status: { $ne: "open" } },
      { $set: { "purchase.userId": ERASED } },
    );
  };
}
