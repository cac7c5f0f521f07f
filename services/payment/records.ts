import type { AtomicWrite, DocumentStore } from "../../mixins/document-store/port.ts";
import { ifFound } from "../../mixins/errors.ts";
import { providerFailure } from "../../mixins/payment-provider/errors.ts";
import type { PaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";
import { enqueue, outbox } from "../contracts.ts";
import { isPaidWith } from "./checkout-rules.ts";
import {
  CHECKOUTS,
  CHECKOUT_KEPT_MS,
  type Checkout,
  type CheckoutStatus,
  PAYMENTS,
  type Payment,
} from "./collections.ts";
import type { PlacedOrder } from "./completion.ts";
import type { CompleteCommand } from "./event-commands.ts";

export type CheckoutRecords = ReturnType<typeof createCheckoutRecords>;

/** Stores checkouts, by the provider's session or intent id. */
export function createCheckoutRecords(documents: DocumentStore) {
  const checkouts = documents.collection<Checkout>(CHECKOUTS);
  return {
    find: (paymentKey: string): Promise<Checkout | null> => checkouts.findOne({ _id: paymentKey }),

    findByPaymentIntent: (paymentIntentId: string): Promise<Checkout | null> =>
      checkouts.findOne({ $or: [{ _id: paymentIntentId }, { paymentIntentId }] }),

    /** Lists what can be paid now. */
    listOpen: (): Promise<Checkout[]> => checkouts.find({ status: "open", expiresAt: { $gt: new Date() } }),

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
  const { closesAt } = purchase;
  return [
    insertOnce(checkout),
    outbox("checkout.started", started, `checkout.started:${_id}`),
    ...(closesAt === undefined
      ? []
      : [enqueue("payment.close", _id, { paymentKey: _id }, { dueAt: new Date(closesAt) })]),
  ];
}

/** The write that stores an open checkout if there is none. */
function insertOnce({ _id, ...fields }: NewCheckout): AtomicWrite {
  const createdAt = new Date();
  const purgeAt = new Date(createdAt.getTime() + CHECKOUT_KEPT_MS);
  return {
    collection: CHECKOUTS,
    updateOne: {
      filter: { _id },
      update: { $setOnInsert: { ...fields, status: "open", createdAt, purgeAt } },
      upsert: true,
    },
  };
}

export type PaymentRecords = ReturnType<typeof createPaymentRecords>;

/** Stores the payments that became orders, by payment key. */
export function createPaymentRecords(documents: DocumentStore) {
  const payments = documents.collection<Payment>(PAYMENTS);
  return {
    find: (paymentKey: string): Promise<Payment | null> => payments.findOne({ _id: paymentKey }),
    among: async (paymentKeys: readonly string[]): Promise<Set<string>> =>
      new Set((await payments.find({ _id: { $in: paymentKeys } })).map(({ _id }) => _id)),
    findByPaymentIntent: (paymentIntentId: string): Promise<Payment | null> => payments.findOne({ paymentIntentId }),

    /** Records the payment of an order and completes its checkout; a repeat changes nothing. */
    async record(command: CompleteCommand, order: PlacedOrder): Promise<void> {
      await documents.atomically([
        recordOnce(command, order),
        // If the checkout's record is lost, nothing else says that the cart is paid.
        insertOnce(checkoutOf(command, order)),
        markCompleted(command),
      ]);
    },
  };
}

function recordOnce(
  { paymentKey, sessionId, paymentIntentId, total, currency }: CompleteCommand,
  { orderId, cartId }: PlacedOrder,
): AtomicWrite {
  const payment = { orderId, sessionId, paymentIntentId, cartId, amount: total, currency, createdAt: new Date() };
  return {
    collection: PAYMENTS,
    updateOne: { filter: { _id: paymentKey }, update: { $setOnInsert: payment }, upsert: true },
  };
}

/** Rebuilds from its order a checkout that was lost with a restored store, or was given up. */
function checkoutOf(
  { paymentKey, sessionId, paymentIntentId, total }: CompleteCommand,
  { cartId, userId, items, subtotal, currency }: PlacedOrder,
): NewCheckout {
  return {
    _id: paymentKey,
    kind: sessionId === null ? "intent" : "session",
    purchase: {
      cartId,
      userId,
      owner: userId === "guest" ? {} : { userId },
      items: items.map(({ productId, partNumber, quantity, price, name = partNumber }) => ({
        productId,
        partNumber,
        quantity,
        price,
        name,
      })),
      subtotal,
      currency,
    },
    paymentIntentId: paymentIntentId ?? undefined,
    amount: sessionId === null ? total : undefined,
  };
}

/** The cart's next submission gets a paid session again, and a new one after a delayed payment that failed. */
function markCompleted({ paymentKey, paymentIntentId, payment }: CompleteCommand): AtomicWrite {
  const failed = payment === "failed";
  return {
    collection: CHECKOUTS,
    updateOne: {
      filter: failed ? { _id: paymentKey } : { _id: paymentKey, status: { $ne: "failed" } },
      update: {
        $set: { status: failed ? "failed" : "complete", paymentIntentId: paymentIntentId ?? undefined },
      },
    },
  };
}

export type CheckoutClosing = ReturnType<typeof createCheckoutClosing>;

/** `open`: it can be paid; `paid`: it is, or the money is on its way; `closed`: neither. */
type Standing = "open" | "paid" | "closed";

/** By the status of a session or an intent at the provider; with any other it is open. */
const STANDING_OF: Readonly<Record<string, Standing>> = {
  complete: "paid",
  succeeded: "paid",
  processing: "paid",
  expired: "closed",
  canceled: "closed",
};

/** Makes checkouts unpayable at the provider. */
export function createCheckoutClosing(provider: PaymentProvider, records: CheckoutRecords, payments: PaymentRecords) {
  async function standing({ _id, kind }: Pick<Checkout, "_id" | "kind">): Promise<Standing> {
    const made = provider.request(
      ({ checkout, paymentIntents }): Promise<{ status: string | null }> =>
        kind === "session" ? checkout.sessions.retrieve(_id) : paymentIntents.retrieve(_id),
      { what: "Checkout", id: _id },
    );
    const { status } = (await ifFound(made)) ?? { status: "expired" };
    return STANDING_OF[status ?? "open"] ?? "open";
  }

  async function closeAtProvider(checkout: Checkout): Promise<Exclude<Standing, "open">> {
    const { _id, kind } = checkout;
    try {
      await provider.request(async (stripe) => {
        if (kind === "session") await stripe.checkout.sessions.expire(_id);
        else await stripe.paymentIntents.cancel(_id);
      });
      return "closed";
    } catch (error) {
      if (providerFailure(error) !== "refused") throw error;
      const stands = await standing(checkout);
      if (stands === "open") throw error;
      return stands;
    }
  }

  /** @returns `paid` if its payment is there or on its way: its own webhook does the rest. @throws PROVIDER_ERROR */
  async function close(checkout: Checkout): Promise<Exclude<Standing, "open">> {
    const stands = await closeAtProvider(checkout);
    if (stands === "closed") await records.mark(checkout._id, "expired");
    return stands;
  }

  return {
    standing,
    close,

    /**
     * Returns whether another checkout paid for the cart. Call it once the checkout is stored, where `closeOthers`
     * finds it: of two payments at the same moment, one then sees the other.
     */
    async isPaidByOther(checkout: Checkout): Promise<boolean> {
      const { cartId } = checkout.purchase;
      if (cartId === null) return false;
      for (const paid of await records.findPaid(cartId)) {
        const payment = paid._id === checkout._id ? null : await payments.find(paid._id);
        if (payment && isPaidWith(checkout, paid, payment.createdAt)) return true;
      }
      return false;
    },

    /** Closes the other open checkouts of a cart that `paymentKey` has paid. */
    async closeOthers(cartId: string, paymentKey: string): Promise<void> {
      const others = (await records.findOpen(cartId)).filter(({ _id }) => _id !== paymentKey);
      if (others.length === 0) return;
      const payment = await payments.find(paymentKey);
      const paid = await records.find(paymentKey);
      // After a delayed payment has failed, the cart may be paid by another checkout.
      if (!payment || paid?.status === "failed") return;
      for (const checkout of others) if (isPaidWith(checkout, paid, payment.createdAt)) await close(checkout);
    },
  };
}
