import type { Stripe } from "stripe";
import type { Input } from "@partline/api-contracts";
import { invalidField } from "../../mixins/errors.ts";
import { type Cents, isSafeText, onOneLine } from "@partline/parts-language";
import type { Actions } from "../contracts.ts";
import { fromProviderShipping } from "./delivery.ts";
import { findCartOfIntent } from "./provider-requests.ts";

type OrderedPerson = Pick<Input<Actions["order.createFromPayment"]>, "contact" | "shippingAddress">;

/** A session or an intent is paid, or the money is on its way: there must be an order. */
export interface CompleteCommand {
  kind: "complete";
  /** Session id, or intent id of a cart that was paid by POST /api/payment-intent. */
  paymentKey: string;
  sessionId: string | null;
  paymentIntentId: string | null;
  /** The cart that an intent was made for. */
  cartId?: string;
  /** `pending`: a delayed payment method; `failed`: it did not pay. */
  payment: "paid" | "pending" | "failed";
  /** The provider's figures; null for an intent, which has only a total. */
  subtotal: Cents | null;
  tax: Cents;
  shipping: Cents | null;
  /** The provider's id of the shipping option that the buyer chose. Of a session. */
  shippingRateId?: string;
  /** Discount of a session. */
  discount?: Cents;
  total: Cents;
  currency: string;
  /** Removed once the order has it, or when its owner is deleted. */
  person?: OrderedPerson;
}

/** A session or an intent cannot be paid any more. */
interface ExpireCommand {
  kind: "expire";
  paymentKey: string;
}

/** For order.applyPayment. */
export interface ChangeCommand {
  kind: "change";
  paymentIntentId: string;
  change:
    /** One attempt failed: the shopper may have paid by another since, under the same intent. */
    | { kind: "failed" }
    | { kind: "refunded"; refundedTotal: Cents }
    | { kind: "refund"; providerRefundId: string; amount: Cents; status: string; refundId?: string }
    | {
        kind: "dispute";
        disputeId: string;
        status: string;
        amount?: Cents;
        currency?: string;
        reason?: string;
        /** ISO 8601. */
        dueBy?: string;
      };
}

export type Command = CompleteCommand | ExpireCommand | ChangeCommand;

type EventType = Stripe.Event["type"];
type Reading<T extends EventType> = (object: Extract<Stripe.Event, { type: T }>["data"]["object"]) => Command | null;

const READINGS = {
  "checkout.session.completed": (session) => completeSession(session),
  "checkout.session.async_payment_succeeded": (session) => completeSession(session, "paid"),
  "checkout.session.async_payment_failed": (session) => completeSession(session, "failed"),
  "checkout.session.expired": toExpireCommand,
  "payment_intent.succeeded": completeIntent,
  "payment_intent.canceled": toExpireCommand,
  "payment_intent.payment_failed": ({ id }) => ({
    kind: "change",
    paymentIntentId: readId(id, "id"),
    change: { kind: "failed" },
  }),
  "charge.refunded": (charge) =>
    toChangeCommand(charge.payment_intent, () => ({
      kind: "refunded",
      refundedTotal: readCents(charge.amount_refunded, "amount_refunded"),
    })),
  "refund.updated": refundTold,
  "refund.failed": refundTold,
  "charge.dispute.created": disputeTold,
  "charge.dispute.updated": disputeTold,
  "charge.dispute.closed": disputeTold,
} satisfies { [T in EventType]?: Reading<T> };

/** Events that have an effect here. */
export const EVENT_TYPES = Object.keys(READINGS) as (keyof typeof READINGS)[];

/**
 * Reads an event's ids, amounts, states, contact and shipping address, and nothing else of it (an event also holds
 * billing addresses and card digits). Null for an event without an effect here.
 * @throws VALIDATION_FAILED if a field that we act on is missing or not as documented: no money is booked by a guess
 */
export function toCommand(event: Stripe.Event): Command | null {
  if (!Object.hasOwn(READINGS, event.type)) return null;
  return (READINGS as Record<string, (object: unknown) => Command | null>)[event.type]!(event.data.object);
}

/**
 * Returns the command of a completed session; null for another mode than `payment` (subscriptions, saved cards).
 * @throws VALIDATION_FAILED
 */
export function completeSession(
  session: Stripe.Checkout.Session,
  payment?: CompleteCommand["payment"],
): CompleteCommand | null {
  if (session.mode !== "payment") return null;
  const id = readId(session.id, "id");
  const {
    amount_tax: tax = 0,
    amount_shipping: shipping = session.shipping_cost?.amount_total ?? 0,
    amount_discount: discount = 0,
  } = session.total_details ?? {};
  return {
    kind: "complete",
    paymentKey: id,
    sessionId: id,
    paymentIntentId: readPaymentIntent(session.payment_intent),
    payment: payment ?? readPayment(session.payment_status),
    subtotal: session.amount_subtotal === null ? null : readCents(session.amount_subtotal, "amount_subtotal"),
    tax: readCents(tax, "total_details.amount_tax"),
    shipping: readCents(shipping ?? 0, "total_details.amount_shipping"),
    discount: readCents(discount, "total_details.amount_discount"),
    total: readCents(session.amount_total, "amount_total"),
    currency: readCurrency(session.currency),
    shippingRateId: findId(session.shipping_cost?.shipping_rate) ?? undefined,
    ...readPerson(session.customer_details, findShipping(session)),
  };
}

/** Shapes of a session's address: since 2025-03-31; from 2022-08-01 until then; before. */
type WithShipping = Pick<Stripe.Checkout.Session, "customer_details" | "collected_information"> & {
  [place in "shipping_details" | "shipping"]?: Parameters<typeof fromProviderShipping>[0] | null;
};

/**
 * An endpoint sends the version of its account's or its own choice, regardless of the version that our requests name.
 */
function findShipping(session: WithShipping): Parameters<typeof fromProviderShipping>[0] | undefined {
  const details = session.collected_information?.shipping_details ?? session.shipping_details ?? session.shipping;
  return details ? { phone: session.customer_details?.phone, ...details } : undefined;
}

/** Longest detail of a person that is kept, characters. */
const LONGEST_DETAIL = 512;

/** A detail that is missing or unusable is left out. */
function readPerson(
  details: Partial<Record<"email" | "name" | "phone", string | null>> | null,
  shipping: Parameters<typeof fromProviderShipping>[0] | null | undefined,
): { person?: OrderedPerson } {
  const contact = Object.fromEntries(
    (["email", "name", "phone"] as const)
      .map((field) => [field, toText(details?.[field])] as const)
      .filter(([, value]) => value !== "" && value.length <= LONGEST_DETAIL && isSafeText(value)),
  );
  const shippingAddress = shipping ? fromProviderShipping(shipping) : {};
  const person = Object.entries({ contact, shippingAddress }).filter(([, fields]) => Object.keys(fields).length > 0);
  return person.length === 0 ? {} : { person: Object.fromEntries(person) };
}

const toText = (value: unknown): string => (typeof value === "string" ? onOneLine(value) : "");

function completeIntent(intent: Stripe.PaymentIntent): CompleteCommand {
  const id = readId(intent.id, "id");
  const cartId = findCartOfIntent(intent.metadata);
  return {
    kind: "complete",
    paymentKey: id,
    sessionId: null,
    paymentIntentId: id,
    cartId,
    payment: "paid",
    subtotal: null,
    tax: 0,
    shipping: null,
    total: readCents(intent.amount_received, "amount_received"),
    currency: readCurrency(intent.currency),
    ...readPerson(
      { email: intent.receipt_email, name: intent.shipping?.name, phone: intent.shipping?.phone },
      intent.shipping,
    ),
  };
}

function toExpireCommand({ id }: { id: string }): ExpireCommand {
  return { kind: "expire", paymentKey: readId(id, "id") };
}

type Reference = string | { id: string } | null | undefined;

/** Null for a charge without a payment intent, which is not ours. */
function toChangeCommand(paymentIntent: Reference, change: () => ChangeCommand["change"]): ChangeCommand | null {
  const paymentIntentId = readPaymentIntent(paymentIntent);
  return paymentIntentId === null ? null : { kind: "change", paymentIntentId, change: change() };
}

function readPaymentIntent(reference: Reference): string | null {
  if (reference === null || reference === undefined) return null;
  return readId(typeof reference === "string" ? reference : reference.id, "payment_intent");
}

function refundTold({ payment_intent, id, amount, status, metadata }: Stripe.Refund): ChangeCommand | null {
  return toChangeCommand(payment_intent, () => ({
    kind: "refund",
    providerRefundId: readId(id, "id"),
    amount: readCents(amount, "amount"),
    status: readStatus(status ?? "pending"),
    ...(metadata?.refundId === undefined ? {} : { refundId: readId(metadata.refundId, "metadata.refundId") }),
  }));
}

function disputeTold(dispute: Stripe.Dispute): ChangeCommand | null {
  const { payment_intent, id, status, reason, evidence_details } = dispute;
  const dueBy = evidence_details?.due_by;
  return toChangeCommand(payment_intent, () => ({
    kind: "dispute",
    disputeId: readId(id, "id"),
    status: readStatus(status),
    amount: readCents(readDisputed(dispute), "amount"),
    currency: readCurrency(dispute.currency),
    ...(/^[a-z_]{1,50}$/.test(reason) ? { reason } : {}),
    ...(dueBy ? { dueBy: new Date(dueBy * 1000).toISOString() } : {}),
  }));
}

/** Reads the disputed amount: what the bank took if it returned a part, else the amount, without the fee. */
function readDisputed({ amount, currency, balance_transactions }: Stripe.Dispute): Cents {
  const moves = balance_transactions ?? [];
  if (moves.length < 2 || moves.some((move) => move.currency !== currency)) return amount;
  return -moves.reduce((sum, move) => sum + move.amount, 0) || amount;
}

export function findId(reference: Reference): string | null {
  return typeof reference === "string" ? reference : (reference?.id ?? null);
}

// The signature proves who wrote these fields, not that they are as documented. Each @throws VALIDATION_FAILED.

const readId = (value: unknown, field: string): string => readText(value, /^[\x21-\x7e]{1,255}$/, field, "an id");
const readStatus = (value: unknown): string => readText(value, /^[a-z_]{1,50}$/, "status", "a status");
const readCurrency = (value: unknown): string => readText(value, /^[a-z]{3}$/, "currency", "a currency code");

function readCents(value: unknown, field: string): Cents {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw createFieldError(field, "a whole number of cents");
}

/** @throws VALIDATION_FAILED for an unknown status */
function readPayment(status: unknown): "paid" | "pending" {
  if (status === "paid" || status === "no_payment_required") return "paid";
  if (status === "unpaid") return "pending";
  throw createFieldError("payment_status", "paid, unpaid or no_payment_required");
}

function readText(value: unknown, pattern: RegExp, field: string, what: string): string {
  if (typeof value === "string" && pattern.test(value)) return value;
  throw createFieldError(field, what);
}

const createFieldError = (field: string, what: string) => invalidField(`data.object.${field}`, `must be ${what}`);
