import type { CollectionDefinition, Document } from "@partline/durable";
import type { Cents } from "@partline/parts-language";
import type { Command } from "./event-commands.ts";
import type { Purchase } from "./purchase.ts";

/** Checkout by the provider's id of the session or intent, the payment key of its order. */
export interface Checkout extends Document {
  kind: "session" | "intent";
  purchase: Purchase;
  /** `complete`: paid, or the money is on its way; `expired`: cannot be paid; `failed`: the delayed payment failed. */
  status: "open" | "complete" | "expired" | "failed";
  /** Page on which the shopper pays (sessions). */
  url?: string;
  paymentIntentId?: string;
  /** Amount of a payment intent (intents). */
  amount?: Cents;
  createdAt: Date;
  /** Time from which it cannot be paid. Intents of older versions have none. */
  expiresAt?: Date;
  purgeAt: Date;
}

/** Replaces a deleted user's id. */
export const ERASED = "deleted";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Lifetime of a paid checkout, longer than a dispute takes to come. */
export const CHECKOUT_KEPT_MS = 180 * DAY_MS;
/**
 * Of an unpaid one: the provider ends a session within a day, as we do an intent, and repeats what happened at its end
 * for three. An event that comes later is read with the provider's own record (purchase-at-provider.ts).
 */
export const UNPAID_KEPT_MS = 5 * DAY_MS;
/** Far longer than the provider repeats a webhook (3 days). */
export const EVENT_KEPT_MS = 60 * DAY_MS;

export const CHECKOUTS: CollectionDefinition = {
  name: "checkouts",
  fields: {
    paymentIntentId: "string",
    status: "string",
    "purchase.cartId": "string",
    "purchase.userId": "string",
    "purchase.owner.userId": "string",
    "purchase.ownCart.userId": "string",
    createdAt: "date",
    expiresAt: "date",
    purgeAt: "date",
  },
  indexes: [
    { keys: { paymentIntentId: 1 } },
    { keys: { "purchase.cartId": 1, status: 1 } },
    { keys: { "purchase.userId": 1 } },
    { keys: { "purchase.owner.userId": 1 } },
    { keys: { "purchase.ownCart.userId": 1 } },
    { keys: { status: 1, expiresAt: 1 } },
  ],
  expires: "purgeAt",
};

/** Payment by payment key. Never removed. */
export interface Payment extends Document {
  orderId: string;
  sessionId: string | null;
  paymentIntentId: string | null;
  cartId: string | null;
  amount: Cents;
  currency: string;
  createdAt: Date;
}

export const PAYMENTS: CollectionDefinition = {
  name: "payments",
  fields: { orderId: "string", sessionId: "string", paymentIntentId: "string", createdAt: "date" },
  indexes: [{ keys: { paymentIntentId: 1 } }, { keys: { orderId: 1 } }],
};

/** Webhook event by the provider's id. Has personal data until its effect is complete. */
export interface WebhookEvent extends Document {
  type: string;
  /** `pending`: its effect is not complete; `waiting`: its order does not exist yet; `dropped`: not ours. */
  state: "pending" | "waiting" | "done" | "dropped";
  command: Command;
  paymentIntentId?: string;
  receivedAt: Date;
  purgeAt: Date;
}

export const WEBHOOK_EVENTS: CollectionDefinition = {
  name: "webhook_events",
  fields: {
    type: "string",
    state: "string",
    paymentIntentId: "string",
    receivedAt: "date",
    purgeAt: "date",
  },
  // By state first: an erasure finds those that are not done among all of two months.
  indexes: [{ keys: { state: 1, paymentIntentId: 1 } }],
  expires: "purgeAt",
};
