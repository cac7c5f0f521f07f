import type Stripe from "stripe";

import { applyMetadata, metadata } from "../protocol/common-parameters.ts";
import { missingParameter, noSuchReference, noSuchResource, refusal } from "../protocol/errors.ts";
import type { ApiList } from "../protocol/lists.ts";
import { listOperation, toList } from "../protocol/lists.ts";
import { operation } from "../protocol/operation.ts";
import { integer, oneOf, text } from "../protocol/parameters.ts";
import type { Account, Scope } from "../scope.ts";
import { newId, randomText } from "../state/ids.ts";
import { isHeldByDispute } from "./disputes.ts";
import { emit } from "./events.ts";
import { formatMoney } from "./money.ts";
import { behaviourOf } from "./payment-methods.ts";
import { idOf } from "../state/resources.ts";

const createShape = {
  amount: integer({ min: 1 }),
  charge: text(),
  metadata,
  payment_intent: text(),
  reason: oneOf("duplicate", "fraudulent", "requested_by_customer"),
};

export const refundOperations = [
  operation("POST /v1/refunds", createShape, (scope, parameters) => {
    const charge = chargeToRefund(scope, parameters);
    const left = charge.amount - charge.amount_refunded;
    if (charge.disputed && isHeldByDispute(scope, charge.id)) {
      throw refusal(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: "charge_disputed" });
    }
    if (left === 0)
      throw refusal(`Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
    const amount = parameters.amount ?? left;
    if (amount > left) throw tooMuch(charge, amount, left);
    return createRefund(scope, charge, amount, parameters.reason ?? null, applyMetadata({}, parameters.metadata));
  }),
  listOperation("GET /v1/refunds", { charge: text(), payment_intent: text() }, (parameters) => ({
    object: "refund",
    match: parameters,
  })),
  operation("GET /v1/refunds/:id", {}, (scope, _parameters, { id }) => findRefund(scope, id)),
  operation("POST /v1/refunds/:id", { metadata }, (scope, parameters, { id }) => {
    const refund = findRefund(scope, id);
    const updated = scope.store.update({
      ...refund,
      metadata: applyMetadata(refund.metadata ?? {}, parameters.metadata),
    });
    emit(scope, "refund.updated", updated, { metadata: refund.metadata });
    return updated;
  }),
];

export function findRefund(account: Account, id: string): Stripe.Refund {
  const refund = account.store.find("refund", id);
  if (!refund) throw noSuchResource("refund", id);
  return refund;
}

/** A charge's refunds, as its `refunds` shows them when expanded. */
export function refundsOf(account: Account, charge: string): ApiList<Stripe.Refund> {
  const { rows, hasMore } = account.store.list("refund", { match: { charge }, limit: 10 });
  return toList(`/v1/charges/${charge}/refunds`, rows, hasMore);
}

/** A pending refund comes through: `refund.updated` and `charge.refund.updated`. */
export function settleRefund(scope: Scope, refund: Stripe.Refund): Stripe.Refund {
  if (refund.status !== "pending")
    throw refusal(`Refund ${refund.id} is ${refund.status}; only a pending refund can succeed.`);
  const { pending_reason: _, ...rest } = refund;
  const settled = scope.store.update<Stripe.Refund>({ ...rest, status: "succeeded" });
  announceUpdate(scope, settled, { status: "pending" });
  return settled;
}

/** The bank sends a refund back: it is `failed`, and the charge's amount_refunded falls by as much. */
export function failRefund(scope: Scope, refund: Stripe.Refund, reason = "lost_or_stolen_card"): Stripe.Refund {
  if (refund.status === "failed" || refund.status === "canceled")
    throw refusal(`Refund ${refund.id} is already ${refund.status}.`);
  const { pending_reason: _, ...rest } = refund;
  const failed = scope.store.update<Stripe.Refund>({ ...rest, failure_reason: reason, status: "failed" });
  const charge = scope.store.find("charge", idOf(refund.charge));
  if (charge) {
    const restored = scope.store.update({
      ...charge,
      amount_refunded: charge.amount_refunded - refund.amount,
      refunded: false,
    });
    emit(scope, "charge.updated", restored, { amount_refunded: charge.amount_refunded, refunded: charge.refunded });
  }
  emit(scope, "refund.failed", failed);
  announceUpdate(scope, failed, { status: refund.status });
  return failed;
}

function chargeToRefund(scope: Scope, given: { charge?: string; payment_intent?: string }): Stripe.Charge {
  if (given.charge) {
    const charge = scope.store.find("charge", given.charge);
    if (!charge) throw noSuchReference("charge", given.charge, "charge");
    if (charge.status !== "succeeded")
      throw refusal(`Charge ${charge.id} is not successful and cannot be refunded.`, { param: "charge" });
    return charge;
  }
  if (!given.payment_intent) throw missingParameter("payment_intent");
  const intent = scope.store.find("payment_intent", given.payment_intent);
  if (!intent) throw noSuchReference("payment_intent", given.payment_intent, "payment_intent");
  const charge = intent.status === "succeeded" ? scope.store.find("charge", idOf(intent.latest_charge)) : undefined;
  if (!charge)
    throw refusal(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, {
      param: "payment_intent",
    });
  return charge;
}

function tooMuch(charge: Stripe.Charge, amount: number, left: number) {
  const wanted = formatMoney(amount);
  const message =
    charge.amount_refunded === 0
      ? `Refund amount (${wanted}) is greater than charge amount (${formatMoney(charge.amount)})`
      : `Refund amount (${wanted}) is greater than unrefunded amount on charge (${formatMoney(left)})`;
  return refusal(message, { param: "amount" });
}

function createRefund(
  scope: Scope,
  charge: Stripe.Charge,
  amount: number,
  reason: Stripe.Refund.Reason | null,
  given: Record<string, string>,
): Stripe.Refund {
  const behaviour = behaviourOf(scope, String(charge.payment_method));
  const pending = behaviour.refund === "pends" || behaviour.type === "us_bank_account";
  const refund = scope.store.insert<Stripe.Refund>({
    id: newId.refund(),
    object: "refund",
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: scope.now(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details:
      behaviour.type === "card"
        ? {
            type: "card",
            card: { reference: randomText(16).toLowerCase(), reference_status: "available", type: "refund" },
          }
        : { type: "us_bank_transfer", us_bank_transfer: { reference: null, reference_status: null } },
    metadata: given,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    ...(pending ? { pending_reason: "processing" as const } : {}),
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: pending ? "pending" : "succeeded",
    transfer_reversal: null,
  });
  const refunded = charge.amount_refunded + amount;
  const updated = scope.store.update({ ...charge, amount_refunded: refunded, refunded: refunded === charge.amount });
  emit(scope, "refund.created", refund);
  emit(scope, "charge.refunded", updated, { amount_refunded: charge.amount_refunded, refunded: charge.refunded });
  if (!pending) announceUpdate(scope, refund, { destination_details: { card: { reference_status: "pending" } } });
  if (behaviour.refund === "fails") failRefund(scope, refund, "unknown");
  return refund;
}

function announceUpdate(scope: Scope, refund: Stripe.Refund, previous: object): void {
  emit(scope, "refund.updated", refund, previous);
  emit(scope, "charge.refund.updated", refund, previous);
}
