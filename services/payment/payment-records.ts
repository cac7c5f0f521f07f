import type { AtomicWrite, DocumentStore } from "../../mixins/document-store/port.ts";
import { insertOnce, type NewCheckout } from "./checkout-records.ts";
import { CHECKOUTS, PAYMENTS, type Payment } from "./collections.ts";
import type { PlacedOrder } from "./completion.ts";
import type { CompleteCommand } from "./event-commands.ts";

export type PaymentRecords = ReturnType<typeof createPaymentRecords>;

/** Stores the payments that became orders, by payment key. */
export function createPaymentRecords(documents: DocumentStore) {
  const payments = documents.collection<Payment>(PAYMENTS);
  return {
    find: (paymentKey: string): Promise<Payment | null> => payments.findOne({ _id: paymentKey }),
    /** Returns those of the payment keys that have a payment. */
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
      items: items.map((line) => ({ ...line, name: line.partNumber })),
      subtotal,
      currency,
    },
    ...(paymentIntentId === null ? {} : { paymentIntentId }),
    ...(sessionId === null ? { amount: total } : {}),
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
        $set: { status: failed ? "failed" : "complete", ...(paymentIntentId === null ? {} : { paymentIntentId }) },
      },
    },
  };
}
