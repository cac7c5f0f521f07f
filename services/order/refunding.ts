import { isCharged } from "../../broker/contract/placed-order.ts";
import { PartlineError, validationFailed } from "../../mixins/errors.ts";
import { formatAmount, type Cents } from "../../mixins/money.ts";
import type { Change } from "./change.ts";
import type { OrderDocument, RefundedItem } from "./collections.ts";
import { refundedBy } from "./cancellation.ts";
import { refundDue, withRefundDue } from "./refund-due.ts";
import { paidFor } from "./refund-items.ts";
import {
  findRefund,
  refundable,
  reserve,
  settle,
  settleAsRefunded,
  throughAfterAll,
  type RefundOutcome,
} from "./refund-ledger.ts";
import type { RefundReason } from "./resources.ts";

/** How a refund without a cancellation goes, as pure decisions: request, then settle once the provider has answered. */

export interface RefundRequest {
  amount?: Cents;
  items?: RefundedItem[];
  reason: RefundReason;
  actor: string;
}

/**
 * Reserves the refund's amount, so that refunds at the same moment never exceed the total together.
 * @throws VALIDATION_FAILED naming `amount` or `items` when it is more than is left; INVALID_TRANSITION when nothing was
 * paid, nothing is left, or the order is being cancelled
 */
export function request(
  order: OrderDocument,
  wanted: RefundRequest,
  newRefundId: string,
  now: Date,
): { change: Change; refundId: string } {
  if (!isCharged(order.paymentStatus))
    throw notRefundable(order, `An order whose payment is ${order.paymentStatus} has nothing to refund`);
  if (order.cancelling) throw notRefundable(order, "The order is being cancelled");
  assertOneOf(wanted);
  const left = refundable(order);
  const repeated = throughAfterAll(order, { items: wanted.items, amount: wanted.amount ?? left });
  if (repeated) {
    const refunds = order.refunds.map((refund) => (refund === repeated ? { ...refund, refused: undefined } : refund));
    return { change: { order: { ...order, refunds }, actor: wanted.actor }, refundId: repeated.refundId };
  }
  const amount = amountOf(order, wanted, left);
  if (amount > left) {
    const field = wanted.items ? "items" : "amount";
    throw validationFailed({
      field,
      message: `The '${field}' field comes to ${formatAmount(amount, order.currency)}, and ${formatAmount(left, order.currency)} is left to refund.`,
    });
  }
  if (amount === 0) throw left === 0 ? nothingLeft(order) : notRefundable(order, "Nothing was paid for these items");
  const { reason, actor, items } = wanted;
  const reserved = reserve(order, {
    refundId: newRefundId,
    amount,
    reason,
    actor,
    items,
    createdAt: now.toISOString(),
  });
  return { change: { order: reserved.order, actor }, refundId: reserved.refundId };
}

/** What became of a refund at the provider; one that did not go through frees its amount again, or stays due when the order is cancelled. */
export function settled(
  order: OrderDocument,
  refundId: string,
  outcome: RefundOutcome | "already refunded",
  newRefundId: string,
  now: Date,
): Change | undefined {
  const next = outcome === "already refunded" ? settleAsRefunded(order, refundId) : settle(order, refundId, outcome);
  if (next === order) return undefined;
  const refund = findRefund(next, refundId);
  const due = withRefundDue(next, { now, newRefundId, failed: refund?.status === "failed" ? refund : undefined });
  return due.refundedAmount === order.refundedAmount
    ? { order: due, actor: "system" }
    : { ...refundedBy(next, refundId), order: due };
}

export function nothingLeft(order: OrderDocument): PartlineError {
  const due = refundDue(order);
  return notRefundable(
    order,
    due === 0
      ? "Nothing is left to refund"
      : `What is left, ${formatAmount(due, order.currency)}, is due already and tried until it goes through`,
  );
}

function notRefundable(order: OrderDocument, message: string): PartlineError {
  return new PartlineError("INVALID_TRANSITION", message, { paymentStatus: order.paymentStatus });
}

function amountOf(order: OrderDocument, { amount, items }: RefundRequest, left: Cents): Cents {
  return items ? paidFor(order, items) : (amount ?? left);
}

/** @throws VALIDATION_FAILED */
function assertOneOf({ amount, items }: RefundRequest): void {
  if (amount === undefined || !items) return;
  throw validationFailed({ field: "items", message: "The 'items' field cannot be given together with 'amount'." });
}
