import type Stripe from "stripe";
import { type Account, type Scope, emit } from "../account.ts";
import { createRefusal } from "../protocol/errors.ts";
import { defineOperation, defineReadings } from "../protocol/operation.ts";
import { integer, newMetadata, oneOf, required, text } from "../protocol/parameters.ts";
import { getBehaviour } from "./payment-methods.ts";
import { formatMoney } from "../pages/layout.ts";

const createShape = {
  amount: integer({ min: 1 }),
  metadata: newMetadata,
  payment_intent: required(text()),
  reason: oneOf("duplicate", "fraudulent", "requested_by_customer"),
};

export const refundOperations = [
  defineOperation("POST /v1/refunds", createShape, (scope, params) => {
    const charge = chargeToRefund(scope, params.payment_intent);
    const left = charge.amount - charge.amount_refunded;
    const disputedSum = sumDisputed(scope, charge);
    if (disputedSum > 0 && (params.amount ?? left) > left - disputedSum) {
      throw createRefusal(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
        code: "charge_disputed",
      });
    }
    if (left === 0)
      throw createRefusal(`Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
    const amount = params.amount ?? left;
    if (amount > left) {
      const bound = charge.amount_refunded === 0 ? "charge amount" : "unrefunded amount on charge";
      const message = `Refund amount (${formatMoney(amount)}) is greater than ${bound} (${formatMoney(left)})`;
      throw createRefusal(message, { param: "amount" });
    }
    return createRefund(scope, charge, { amount, reason: params.reason, metadata: params.metadata });
  }),
  ...defineReadings("/v1/refunds", "refund", { payment_intent: text() }),
  ...defineReadings("/v1/disputes", "dispute", { charge: text() }),
];

/** Completes a pending refund: `refund.updated` and `charge.refund.updated`. */
export function settleRefund(scope: Scope, refund: Stripe.Refund): Stripe.Refund {
  if (refund.status !== "pending")
    throw createRefusal(`Refund ${refund.id} is ${refund.status}; only a pending refund can succeed.`);
  const settled = scope.store.update(refund, { status: "succeeded" });
  announceUpdate(scope, settled);
  return settled;
}

/** Fails a refund, as a bank that sends it back: the charge's amount_refunded falls by as much. */
export function failRefund(scope: Scope, refund: Stripe.Refund, reason = "lost_or_stolen_card"): Stripe.Refund {
  if (refund.status === "failed" || refund.status === "canceled")
    throw createRefusal(`Refund ${refund.id} is already ${refund.status}.`);
  const failed = scope.store.update(refund, { failure_reason: reason, status: "failed" });
  const charge = scope.store.find("charge", refund.charge);
  if (charge) {
    const amount_refunded = charge.amount_refunded - refund.amount;
    emit(scope, "charge.updated", scope.store.update(charge, { amount_refunded, refunded: false }));
  }
  emit(scope, "refund.failed", failed);
  announceUpdate(scope, failed);
  return failed;
}

function chargeToRefund({ store }: Scope, payment: string): Stripe.Charge {
  const intent = store.get("payment_intent", payment, "payment_intent");
  const charge = intent.status === "succeeded" ? store.find("charge", intent.latest_charge) : undefined;
  if (charge) return charge;
  const message = `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`;
  throw createRefusal(message, { param: "payment_intent" });
}

function createRefund(
  scope: Scope,
  charge: Stripe.Charge,
  params: Partial<Pick<Stripe.Refund, "reason" | "metadata">> & { amount: number },
): Stripe.Refund {
  const behaviour = getBehaviour(scope, String(charge.payment_method));
  const pending = behaviour.refund === "pends" || behaviour.type === "us_bank_account";
  const refund = scope.store.insert("refund", {
    ...params,
    charge: charge.id,
    currency: charge.currency,
    customer: charge.customer,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    status: pending ? "pending" : "succeeded",
  });
  const total = charge.amount_refunded + refund.amount;
  const updated = scope.store.update(charge, { amount_refunded: total, refunded: total === charge.amount });
  emit(scope, "refund.created", refund);
  emit(scope, "charge.refunded", updated);
  if (!pending) announceUpdate(scope, refund);
  if (behaviour.refund === "fails") failRefund(scope, refund, "unknown");
  return refund;
}

function announceUpdate(scope: Scope, refund: Stripe.Refund): void {
  emit(scope, "refund.updated", refund);
  emit(scope, "charge.refund.updated", refund);
}

const isInquiry = ({ status }: Stripe.Dispute): boolean => status.startsWith("warning_");

/** Returns what disputes hold or took of a charge's money. */
export function sumDisputed({ store }: Account, { id: charge, amount, amount_refunded }: Stripe.Charge): number {
  const disputes = store.list("dispute", { match: { charge }, limit: 10 }).rows;
  const openDisputes = disputes.filter((dispute) => dispute.status !== "won" && !isInquiry(dispute));
  return Math.min(
    amount - amount_refunded,
    openDisputes.reduce((sum, dispute) => sum + dispute.amount, 0),
  );
}

const RESPONSE_SECONDS = 7 * 24 * 60 * 60;

/**
 * Disputes a charge at the customer's bank: `charge.dispute.created`, and unless it only asks the money is held back.
 */
export function openDispute(
  scope: Scope,
  charge: Stripe.Charge,
  { reason = "fraudulent", amount = charge.amount, inquiry = false },
): Stripe.Dispute {
  if (charge.status !== "succeeded")
    throw createRefusal(`Charge ${charge.id} is not successful and cannot be disputed.`);
  const rest = charge.amount - charge.amount_refunded - sumDisputed(scope, charge);
  if (charge.disputed && amount > rest) throw createRefusal(`Charge ${charge.id} is disputed already.`);
  const dispute = scope.store.insert("dispute", {
    amount,
    charge: charge.id,
    currency: charge.currency,
    payment_intent: charge.payment_intent,
    reason,
    evidence_details: {
      due_by: scope.now() + RESPONSE_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "manual",
    },
    is_charge_refundable: inquiry,
    status: inquiry ? "warning_needs_response" : "needs_response",
  });
  scope.store.update(charge, { disputed: true });
  emit(scope, "charge.dispute.created", dispute);
  if (!inquiry) emit(scope, "charge.dispute.funds_withdrawn", dispute);
  return dispute;
}

const isClosed = ({ status }: Stripe.Dispute): boolean => ["won", "lost", "warning_closed"].includes(status);

/** Makes an inquiry a dispute, as a bank that is not content with the answer: `charge.dispute.updated`. */
export function escalateInquiry(scope: Scope, dispute: Stripe.Dispute): Stripe.Dispute {
  if (!isInquiry(dispute) || isClosed(dispute)) throw createRefusal(`Dispute ${dispute.id} is no open inquiry.`);
  const escalated = scope.store.update(dispute, { status: "needs_response", is_charge_refundable: false });
  emit(scope, "charge.dispute.updated", escalated);
  emit(scope, "charge.dispute.funds_withdrawn", escalated);
  return escalated;
}

/**
 * Closes a dispute as the bank decides, or an inquiry: `charge.dispute.closed`, and the money comes back if it was won.
 */
export function closeDispute(scope: Scope, dispute: Stripe.Dispute, outcome: "won" | "lost"): Stripe.Dispute {
  if (isClosed(dispute)) throw createRefusal(`Dispute ${dispute.id} is closed already.`);
  const status = isInquiry(dispute) ? "warning_closed" : outcome;
  const closed = scope.store.update(dispute, { status });
  emit(scope, "charge.dispute.closed", closed);
  if (status === "won") emit(scope, "charge.dispute.funds_reinstated", closed);
  return closed;
}
