import type { ServiceBroker } from "moleculer";
import type { Stripe } from "stripe";
import type { Channels } from "../../broker/channels/port.ts";
import type { Actor } from "../../broker/contract/context.ts";
import { hasCode } from "../../mixins/errors.ts";
import { hasStoreCode, type AtomicWrite, type DocumentStore } from "../../mixins/document-store/port.ts";
import type { NamedResource } from "../../mixins/payment-provider/errors.ts";
import type { PaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";
import { call, outbox } from "../contracts.ts";
import type { CheckoutClosing } from "./checkout-closing.ts";
import { insertOnce, type CheckoutRecords, type NewCheckout } from "./checkout-records.ts";
import { CHECKOUTS } from "./collections.ts";
import type { CompletionPorts, PlacedOrder } from "./completion-saga.ts";
import type { CompleteCommand } from "./event-commands.ts";
import { markPublishedOnce, recordPaymentOnce, type PaymentRecords } from "./payment-records.ts";
import { LostPurchase, purchaseOfIntent } from "./provider-intents.ts";
import { purchaseOfSession } from "./provider-sessions.ts";
import { keepProgress } from "./webhook-inbox.ts";

interface Deps {
  broker: ServiceBroker;
  documents: DocumentStore;
  channels: Channels;
  provider: PaymentProvider;
  checkouts: CheckoutRecords;
  closing: CheckoutClosing;
  payments: PaymentRecords;
}

/** No client makes an order: the provider's word that it was paid does, also where reconciling had to ask for it. */
const MADE_BY: Actor = "payment-provider";

/** The steps of a completion over the store, the other services and, for a session that we do not know, the provider. */
export function completionPorts({
  broker,
  documents,
  channels,
  provider,
  checkouts,
  closing,
  payments,
}: Deps): CompletionPorts {
  async function atProvider<T>(read: (stripe: Stripe) => Promise<T>, named: NamedResource): Promise<T | null> {
    try {
      return await provider.request(read, named);
    } catch (error) {
      if (hasCode(error, "NOT_FOUND")) return null;
      throw error;
    }
  }

  return {
    purchase: async (paymentKey) => (await checkouts.find(paymentKey))?.purchase ?? null,

    async purchaseAtProvider({ paymentKey, sessionId, cartId }) {
      if (sessionId !== null)
        return atProvider((stripe) => purchaseOfSession(stripe, sessionId), {
          what: "Checkout session",
          id: sessionId,
        });
      if (cartId === undefined) return null;
      const purchase = await atProvider((stripe) => purchaseOfIntent(stripe, paymentKey, cartId), {
        what: "Payment intent",
        id: paymentKey,
      });
      if (purchase === "lost") throw new LostPurchase(paymentKey, cartId);
      return purchase;
    },

    findOrder: async (paymentKey) => (await call(broker, "order.findByPayment", { paymentKey })).order?.placed ?? null,

    placeOrder: (request) => call(broker, "order.createFromPayment", request),

    async keepProgress({ eventId, progress }) {
      await documents.atomically([keepProgress(eventId, progress)]);
    },

    async recordPayment({ eventId, command, progress }, order) {
      const { paymentKey, sessionId, paymentIntentId, total, currency } = command;
      await documents.atomically([
        recordPaymentOnce({
          _id: paymentKey,
          orderId: order.orderId,
          sessionId,
          paymentIntentId,
          cartId: order.cartId,
          amount: total,
          currency,
        }),
        // Where its record is gone, nothing else would tell that the cart is paid.
        insertOnce(checkoutOf(command, order)),
        markCompleted(command),
        keepProgress(eventId, progress),
      ]);
    },

    async publish({ eventId, command, progress }, order) {
      const event = outbox("order.created", { ...order, actor: MADE_BY }, `order.created:${order.orderId}`);
      const published = (await payments.find(command.paymentKey))?.publishedAt !== undefined;
      try {
        await documents.atomically([
          ...(published ? [] : [markPublishedOnce(command.paymentKey), event]),
          keepProgress(eventId, progress),
        ]);
      } catch (error) {
        if (!hasStoreCode(error, "CONDITION_FAILED")) throw error;
        // Another event about this payment has just published it.
        await documents.atomically([keepProgress(eventId, progress)]);
      }
      channels.wake();
    },

    async clearCart(cartId, paymentKey) {
      await call(broker, "cart.clearAfterOrder", { cartId, paymentKey });
    },

    async settleOrder({ paymentKey, paymentIntentId }, kind) {
      await call(broker, "order.applyPayment", {
        paymentKey,
        ...(paymentIntentId === null ? {} : { paymentIntentId }),
        change: { kind },
      });
    },

    closeOthers: (cartId, paymentKey) => closing.closeOthers(cartId, paymentKey),
  };
}

/** The checkout of an order, where the one that it was paid by is not known any more: the store was restored, or it was given up. */
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

/** The cart's next submission gets a paid session again; one whose delayed payment failed is followed by a new one. */
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
