import { getAt } from "@partline/toolkit";
import { listPersonalFields } from "@partline/api-contracts";
import type { Filter, Tasks } from "@partline/durable";
import { ifFound } from "../../mixins/errors.ts";
import { ATTEMPTS, type Attempt } from "../../mixins/payment-provider/attempts.ts";
import { enqueue } from "../contracts.ts";
import {
  CHECKOUTS,
  ERASED,
  PAYMENTS,
  WEBHOOK_EVENTS,
  type Checkout,
  type Payment,
  type WebhookEvent,
} from "./collections.ts";
import { findDeliveryAddress } from "./delivery.ts";
import { paymentContract } from "./contract.ts";
import type { PaymentParts } from "./records.ts";

const { createCheckoutSession, createPaymentIntent } = paymentContract.actions;
const PERSONAL: string[] = [
  ...listPersonalFields({ ...createCheckoutSession.params, ...createPaymentIntent.params }),
  "shippingPaidFor",
];

const HELD_READ = 100;

/** A user's checkouts, also those of their cart that name no customer. */
const createCheckoutsFilter = (userId: string) => ({
  $or: [{ "purchase.userId": userId }, { "purchase.owner.userId": userId }],
});

export type Erasure = ReturnType<typeof createErasure>;

/**
 * Removes what checkouts hold of a person: the fields that the contract marks, and requests and events that hold them.
 * Payment records hold none of it, webhook events only until they are done.
 */
export function createErasure(
  { documents, provider, shop }: Pick<PaymentParts, "documents" | "provider" | "shop">,
  tasks: Pick<Tasks, "wake">,
) {
  const checkouts = documents.collection<Checkout>(CHECKOUTS);
  const events = documents.collection<WebhookEvent>(WEBHOOK_EVENTS);
  const attempts = documents.collection<Attempt>(ATTEMPTS);
  const payments = documents.collection<Payment>(PAYMENTS);

  /** The next attempt number keeps the result of a request that is under way from being stored. */
  async function eraseRequests(theirs: Filter): Promise<void> {
    const erased = { $set: { state: "over", request: null }, $unset: { userId: true, resultId: true } } as const;
    await attempts.updateMany(theirs, { ...erased, $inc: { attempt: 1 } });
  }

  async function eraseCheckouts(theirs: Filter, sessionIds: readonly string[] = []): Promise<void> {
    const theirCheckouts = await checkouts.find(theirs);
    const paymentKeys = theirCheckouts.map(({ _id }) => _id);
    const addressed = theirCheckouts.filter(
      ({ kind, purchase }) => kind === "session" && findDeliveryAddress(purchase),
    );
    await enqueueErasures([...new Set([...sessionIds, ...addressed.map(({ _id }) => _id)])]);
    await events.updateMany(
      { state: { $in: ["pending", "waiting"] }, "command.paymentKey": { $in: paymentKeys } },
      { $unset: { "command.person": true } },
    );
    await checkouts.updateMany(theirs, {
      $unset: Object.fromEntries([...PERSONAL, "request"].map((field) => [`purchase.${field}`, true as const])),
    });
  }

  /** Later: what is kept here goes at once also while the provider is away. */
  async function enqueueErasures(sessionIds: readonly string[]): Promise<void> {
    if (sessionIds.length === 0) return;
    await documents.atomically(sessionIds.map((sessionId) => enqueue("payment.erasure", sessionId, { sessionId })));
    tasks.wake();
  }

  /** Deletes the customer that was created at the provider for the tax. */
  async function eraseCustomer(sessionId: string): Promise<void> {
    const subject = { what: "Checkout session", id: sessionId };
    const erased = provider.request(async (stripe) => {
      const { customer } = await stripe.checkout.sessions.retrieve(sessionId, { expand: ["customer"] });
      if (typeof customer !== "object" || !customer || customer.deleted || customer.metadata.shop !== shop) return;
      await stripe.customers.del(customer.id);
    }, subject);
    await ifFound(erased);
  }

  return {
    eraseCustomer,

    /** Removes the customer of a session that was not paid. */
    async eraseUnpaid(paymentKey: string): Promise<void> {
      const checkout = await checkouts.findOne({ _id: paymentKey });
      // Without a record, its user was deleted or the provider's answer was lost.
      const isAddressed = !checkout || findDeliveryAddress(checkout.purchase);
      if (isAddressed && paymentKey.startsWith("cs_")) await eraseCustomer(paymentKey);
    },

    async listHeld({ userId, after = "" }: { userId: string; after?: string }) {
      const theirCheckouts = await checkouts.find(
        { _id: { $gt: after }, ...createCheckoutsFilter(userId) },
        { sort: { _id: 1 }, limit: HELD_READ },
      );
      return {
        checkouts: theirCheckouts.map(({ _id, status, createdAt, purchase }) => ({
          checkoutId: _id,
          status,
          createdAt,
          personal: Object.fromEntries(Object.entries(purchase).filter(([name]) => PERSONAL.includes(name))),
        })),
        next: theirCheckouts.length < HELD_READ ? null : getAt(theirCheckouts, -1)._id,
      };
    },

    /** Removes a deleted user's data, and the user's id if nothing needs it. */
    async eraseUser(userId: string): Promise<void> {
      if (userId === "guest") return;
      const theirs = createCheckoutsFilter(userId);
      await eraseRequests({ userId });
      await eraseCheckouts(theirs);
      await checkouts.updateMany(theirs, { $set: { "purchase.owner.userId": ERASED } });
      await checkouts.updateMany({ "purchase.ownCart.userId": userId }, { $unset: { "purchase.ownCart": true } });
      // An open one may still be paid; the order service then replaces the id by the pseudonym.
      await checkouts.updateMany(
        { "purchase.userId": userId, status: { $ne: "open" } },
        { $set: { "purchase.userId": ERASED } },
      );
    },

    /**
     * Removes a guest's data from all checkouts of the cart that the order was made of, and the provider's customers of
     * the order, whose checkouts may be gone. An order of a user may have been a guest's.
     */
    async eraseOrder(orderId: string): Promise<void> {
      for (const { _id, cartId, sessionId } of await payments.find({ orderId })) {
        if (cartId !== null) {
          await eraseRequests({ _id: `checkout:${cartId}` });
          await eraseRequests({ _id: { $gte: `intent:${cartId}:`, $lt: `intent:${cartId};` } });
        }
        const theirs = cartId === null ? { _id } : { "purchase.cartId": cartId, "purchase.userId": "guest" };
        await eraseCheckouts(theirs, sessionId === null ? [] : [sessionId]);
      }
    },
  };
}
