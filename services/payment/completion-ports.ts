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
import type { CheckoutRecords } from "./checkout-records.ts";
import { CHECKOUTS } from "./collections.ts";
import type { CompletionPorts } from "./completion-saga.ts";
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
export function completionPorts({ broker, documents, channels, provider, checkouts, closing, payments }: Deps): CompletionPorts {
  async function atProvider<T>(read: (stripe: Stripe) => Promise<T>, named: NamedResource): Promise<T | null> {
    try {
      return await provider.request(read, named);
    } catch (error) {
      if (hasCode(error, "NOT_FOUND")) return null;
      throw error;
    }
  }

  return {
    async purchase({ paymentKey, sessionId, cartId }) {
      const known = await checkouts.find(paymentKey);
      if (known) return known.purchase;
      if (sessionId !== null) return atProvider((stripe) => purchaseOfSession(stripe, sessionId), { what: "Checkout session", id: sessionId });
      // One that names no cart is a session's, whose own event makes the order, or of something else.
      if (cartId === undefined) return null;
      const purchase = await atProvider((stripe) => purchaseOfIntent(stripe, paymentKey, cartId), { what: "Payment intent", id: paymentKey });
      if (purchase === "lost") throw new LostPurchase(paymentKey, cartId);
      return purchase;
    },

    placeOrder: (request) => call(broker, "order.createFromPayment", request),

    async keepProgress({ eventId, progress }) {
      await documents.atomically([keepProgress(eventId, progress)]);
    },

    async recordPayment({ eventId, command, progress }, order) {
      const { paymentKey, sessionId, paymentIntentId, total, currency } = command;
      await documents.atomically([
        recordPaymentOnce({ _id: paymentKey, orderId: order.orderId, sessionId, paymentIntentId, cartId: order.cartId, amount: total, currency }),
        markCompleted(command),
        keepProgress(eventId, progress),
      ]);
    },

    async publish({ eventId, command, progress }, order) {
      const event = outbox("order.created", { ...order, actor: MADE_BY }, `order.created:${order.orderId}`);
      const published = (await payments.find(command.paymentKey))?.publishedAt !== undefined;
      try {
        await documents.atomically([...(published ? [] : [markPublishedOnce(command.paymentKey), event]), keepProgress(eventId, progress)]);
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
      await call(broker, "order.applyPayment", { paymentKey, ...(paymentIntentId === null ? {} : { paymentIntentId }), change: { kind } });
    },

    closeOthers: (cartId, paymentKey) => closing.closeOthers(cartId, paymentKey),
  };
}

/** The cart's next submission gets a paid session again; one whose delayed payment failed is followed by a new one. */
function markCompleted({ paymentKey, paymentIntentId, payment }: CompleteCommand): AtomicWrite {
  const failed = payment === "failed";
  return {
    collection: CHECKOUTS,
    updateOne: {
      filter: failed ? { _id: paymentKey } : { _id: paymentKey, status: { $ne: "failed" } },
      update: { $set: { status: failed ? "failed" : "complete", ...(paymentIntentId === null ? {} : { paymentIntentId }) } },
    },
  };
}
