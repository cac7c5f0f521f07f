import type { Stripe } from "stripe";
import type { Cents } from "../../mixins/money.ts";
import { centsIn, currencyIn, idIn, paymentIn, statusIn } from "./event-fields.ts";

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
  /** Absent in events that were kept by a version without it. */
  discount?: Cents;
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
 * @throws VALIDATION_FAILED when a field that we act on is missing or not what the provider documents: nobody's money
 * is booked by a guess
 */
export function commandOf(event: Stripe.Event): Command | null {
  switch (event.type) {
    case "checkout.session.completed":
      return completeSession(event.data.object);
    case "checkout.session.async_payment_succeeded":
      return completeSession(event.data.object, "paid");
    case "checkout.session.async_payment_failed":
      return completeSession(event.data.object, "failed");
    case "checkout.session.expired":
      return { kind: "expire", paymentKey: idIn(event.data.object.id, "id") };
    case "payment_intent.succeeded":
      return completeIntent(event.data.object);
    case "payment_intent.canceled":
      return { kind: "expire", paymentKey: idIn(event.data.object.id, "id") };
    case "payment_intent.payment_failed":
      return { kind: "change", paymentIntentId: idIn(event.data.object.id, "id"), change: { kind: "failed" } };
    case "charge.refunded":
      return changeOf(event.data.object.payment_intent, () => ({
        kind: "refunded",
        refundedTotal: centsIn(event.data.object.amount_refunded, "amount_refunded"),
      }));
    case "refund.updated":
    case "refund.failed":
      return changeOf(event.data.object.payment_intent, () => refundChange(event.data.object));
    case "charge.dispute.created":
    case "charge.dispute.closed":
      return changeOf(event.data.object.payment_intent, () => ({
        kind: "dispute",
        disputeId: idIn(event.data.object.id, "id"),
        status: statusIn(event.data.object.status),
      }));
    default:
      return null;
  }
}

/** Of a session in any mode but `payment` (subscriptions, saved cards) no order is made. @throws VALIDATION_FAILED */
export function completeSession(session: Stripe.Checkout.Session, payment?: CompleteCommand["payment"]): CompleteCommand | null {
  if (session.mode !== "payment") return null;
  const id = idIn(session.id, "id");
  const { amount_tax: tax = 0, amount_shipping: shipping = session.shipping_cost?.amount_total ?? 0, amount_discount: discount = 0 } = session.total_details ?? {};
  return {
    kind: "complete",
    paymentKey: id,
    sessionId: id,
    paymentIntentId: paymentIntentIn(session.payment_intent),
    payment: payment ?? paymentIn(session.payment_status),
    subtotal: session.amount_subtotal === null ? null : centsIn(session.amount_subtotal, "amount_subtotal"),
    tax: centsIn(tax, "total_details.amount_tax"),
    shipping: centsIn(shipping ?? 0, "total_details.amount_shipping"),
    discount: centsIn(discount, "total_details.amount_discount"),
    total: centsIn(session.amount_total, "amount_total"),
    currency: currencyIn(session.currency),
  };
}

function completeIntent(intent: Stripe.PaymentIntent): CompleteCommand {
  const id = idIn(intent.id, "id");
  return {
    kind: "complete",
    paymentKey: id,
    sessionId: null,
    paymentIntentId: id,
    payment: "paid",
    subtotal: null,
    tax: 0,
    shipping: null,
    total: centsIn(intent.amount_received, "amount_received"),
    currency: currencyIn(intent.currency),
  };
}

type Reference = string | { id: string } | null | undefined;

/** What happened to a payment; null for a charge that was made without a payment intent, which is none of ours. */
function changeOf(paymentIntent: Reference, change: () => ChangeCommand["change"]): ChangeCommand | null {
  const paymentIntentId = paymentIntentIn(paymentIntent);
  return paymentIntentId === null ? null : { kind: "change", paymentIntentId, change: change() };
}

function paymentIntentIn(reference: Reference): string | null {
  if (reference === null || reference === undefined) return null;
  return idIn(typeof reference === "string" ? reference : reference.id, "payment_intent");
}

function refundChange(refund: Stripe.Refund): ChangeCommand["change"] {
  const refundId = refund.metadata?.refundId;
  return {
    kind: "refund",
    providerRefundId: idIn(refund.id, "id"),
    amount: centsIn(refund.amount, "amount"),
    status: statusIn(refund.status ?? "pending"),
    ...(refundId === undefined ? {} : { refundId: idIn(refundId, "metadata.refundId") }),
  };
}

export function idOf(reference: Reference): string | null {
  return typeof reference === "string" ? reference : (reference?.id ?? null);
}
