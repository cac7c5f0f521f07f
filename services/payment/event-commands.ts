import type { Stripe } from "stripe";
import type { Cents } from "../../mixins/money.ts";

/** A session or an intent is paid, or is on its way to be: there must be an order. */
export interface CompleteCommand {
  kind: "complete";
  /** Session id, or intent id of a cart that was paid by POST /api/payment-intent. */
  paymentKey: string;
  sessionId: string | null;
  paymentIntentId: string | null;
  /** `pending`: a delayed payment method; `failed`: its money did not come. */
  payment: "paid" | "pending" | "failed";
  /** The provider's figures; null in what has only a total. */
  subtotal: Cents | null;
  tax: Cents;
  shipping: Cents | null;
  total: Cents;
  currency: string;
}

/** A session or an intent can be paid no more. */
export interface ExpireCommand {
  kind: "expire";
  paymentKey: string;
}

/** Something happened to the payment of an order. `change` is what order.applyPayment takes. */
export interface ChangeCommand {
  kind: "change";
  paymentIntentId: string;
  change:
    | { kind: "failed" }
    | { kind: "refunded"; refundedTotal: Cents }
    | { kind: "refund"; providerRefundId: string; amount: Cents; status: string; refundId?: string }
    | { kind: "dispute"; disputeId: string; status: string };
}

export type Command = CompleteCommand | ExpireCommand | ChangeCommand;

/**
 * What a provider's event asks for: the ids, amounts and states that we act on and nothing else of it (an event also
 * holds names, addresses and card digits). Null for what nothing here depends on.
 */
export function commandOf(event: Stripe.Event): Command | null {
  switch (event.type) {
    case "checkout.session.completed":
      return completeSession(event.data.object, event.data.object.payment_status === "unpaid" ? "pending" : "paid");
    case "checkout.session.async_payment_succeeded":
      return completeSession(event.data.object, "paid");
    case "checkout.session.async_payment_failed":
      return completeSession(event.data.object, "failed");
    case "checkout.session.expired":
      return { kind: "expire", paymentKey: event.data.object.id };
    case "payment_intent.succeeded":
      return completeIntent(event.data.object);
    case "payment_intent.canceled":
      return { kind: "expire", paymentKey: event.data.object.id };
    case "payment_intent.payment_failed":
      return { kind: "change", paymentIntentId: event.data.object.id, change: { kind: "failed" } };
    case "charge.refunded":
      return changeOf(event.data.object.payment_intent, { kind: "refunded", refundedTotal: event.data.object.amount_refunded });
    case "refund.updated":
    case "refund.failed":
      return changeOf(event.data.object.payment_intent, refundChange(event.data.object));
    case "charge.dispute.created":
    case "charge.dispute.closed":
      return changeOf(event.data.object.payment_intent, { kind: "dispute", disputeId: event.data.object.id, status: event.data.object.status });
    default:
      return null;
  }
}

/** Of a session in any mode but `payment` (subscriptions, saved cards) no order is made. */
export function completeSession(session: Stripe.Checkout.Session, payment: CompleteCommand["payment"]): CompleteCommand | null {
  if (session.mode !== "payment") return null;
  return {
    kind: "complete",
    paymentKey: session.id,
    sessionId: session.id,
    paymentIntentId: idOf(session.payment_intent),
    payment,
    subtotal: session.amount_subtotal,
    tax: session.total_details?.amount_tax ?? 0,
    shipping: session.total_details?.amount_shipping ?? session.shipping_cost?.amount_total ?? 0,
    total: session.amount_total ?? 0,
    currency: session.currency ?? "usd",
  };
}

function completeIntent(intent: Stripe.PaymentIntent): CompleteCommand {
  return {
    kind: "complete",
    paymentKey: intent.id,
    sessionId: null,
    paymentIntentId: intent.id,
    payment: "paid",
    subtotal: null,
    tax: 0,
    shipping: null,
    total: intent.amount_received,
    currency: intent.currency,
  };
}

function changeOf(paymentIntent: string | { id: string } | null | undefined, change: ChangeCommand["change"]): ChangeCommand | null {
  const paymentIntentId = idOf(paymentIntent);
  return paymentIntentId === null ? null : { kind: "change", paymentIntentId, change };
}

function refundChange(refund: Stripe.Refund): ChangeCommand["change"] {
  const refundId = refund.metadata?.refundId;
  return {
    kind: "refund",
    providerRefundId: refund.id,
    amount: refund.amount,
    status: refund.status ?? "pending",
    ...(refundId === undefined ? {} : { refundId }),
  };
}

export function idOf(reference: string | { id: string } | null | undefined): string | null {
  return typeof reference === "string" ? reference : (reference?.id ?? null);
}
