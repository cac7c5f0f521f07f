import type { AtomicWrite, DocumentStore } from "../../mixins/document-store/port.ts";
import { outbox } from "../contracts.ts";
import { CHECKOUT_KEPT_MS, CHECKOUTS, type Checkout, type CheckoutStatus } from "./collections.ts";

export type CheckoutRecords = ReturnType<typeof createCheckoutRecords>;

/** Stores checkouts, by the provider's session or intent id. */
export function createCheckoutRecords(documents: DocumentStore) {
  const checkouts = documents.collection<Checkout>(CHECKOUTS);
  return {
    find: (paymentKey: string): Promise<Checkout | null> => checkouts.findOne({ _id: paymentKey }),

    findByPaymentIntent: (paymentIntentId: string): Promise<Checkout | null> =>
      checkouts.findOne({ $or: [{ _id: paymentIntentId }, { paymentIntentId }] }),

    findOpen: (cartId: string): Promise<Checkout[]> => checkouts.find({ "purchase.cartId": cartId, status: "open" }),
    findPaid: (cartId: string): Promise<Checkout[]> =>
      checkouts.find({ "purchase.cartId": cartId, status: "complete" }),

    insert: (checkout: NewCheckout): Promise<unknown> => documents.atomically(startOnce(checkout)),

    /** Changes an open checkout only: a paid one stays complete, unless its delayed payment fails. */
    async mark(paymentKey: string, status: Exclude<CheckoutStatus, "open">): Promise<void> {
      await checkouts.updateOne({ _id: paymentKey, status: "open" }, { $set: { status } });
    },
  };
}

export type NewCheckout = Omit<Checkout, "status" | "createdAt" | "purgeAt">;

/** The writes that store a new checkout and announce it; a repeat changes nothing. */
export function startOnce(checkout: NewCheckout): AtomicWrite[] {
  const { _id, kind, purchase, amount } = checkout;
  const started = {
    sessionId: kind === "session" ? _id : null,
    paymentIntentId: kind === "intent" ? _id : null,
    cartId: purchase.cartId,
    total: amount ?? purchase.subtotal + (purchase.shippingRate?.cost ?? 0),
    currency: purchase.currency,
  };
  return [insertOnce(checkout), outbox("checkout.started", started, `checkout.started:${_id}`)];
}

/** The write that stores an open checkout if there is none. */
export function insertOnce({ _id, ...fields }: NewCheckout): AtomicWrite {
  const createdAt = new Date();
  const purgeAt = new Date(createdAt.getTime() + CHECKOUT_KEPT_MS);
  const defined = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return {
    collection: CHECKOUTS,
    updateOne: {
      filter: { _id },
      update: { $setOnInsert: { ...defined, status: "open", createdAt, purgeAt } },
      upsert: true,
    },
  };
}
