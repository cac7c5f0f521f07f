import { isCharged } from "../../broker/contract/placed-order.ts";
import { PartlineError, validationFailed } from "../../mixins/errors.ts";
import { formatAmount, subtotalOf, type Cents } from "../../mixins/money.ts";
import type { Change } from "./change.ts";
import type { OrderDocument, OrderLine, RefundedItem } from "./collections.ts";
import { refundedBy } from "./cancellation.ts";
import { findRefund, keepDue, refundable, reserve, settle, settleAsRefunded, type FailedRefund, type RefundOutcome } from "./refund-ledger.ts";
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
export function request(order: OrderDocument, wanted: RefundRequest, newRefundId: string, now: Date): { change: Change; refundId: string } {
  if (!isCharged(order.paymentStatus)) throw notRefundable(order, `An order whose payment is ${order.paymentStatus} has nothing to refund`);
  if (order.cancelling) throw notRefundable(order, "The order is being cancelled");
  const left = refundable(order);
  const amount = amountOf(order, wanted, left);
  if (amount > left) {
    const field = wanted.items ? "items" : "amount";
    throw validationFailed({ field, message: `The '${field}' field comes to ${formatAmount(amount, order.currency)}, and ${formatAmount(left, order.currency)} is left to refund.` });
  }
  if (amount === 0) throw notRefundable(order, "Nothing is left to refund");
  const { reason, actor, items } = wanted;
  const reserved = reserve(order, { refundId: newRefundId, amount, reason, actor, items, createdAt: now.toISOString() });
  return { change: { order: reserved.order, actor }, refundId: reserved.refundId };
}

/** What became of a refund at the provider; one that did not go through frees its amount again. */
export function settled(order: OrderDocument, refundId: string, outcome: RefundOutcome | "already refunded"): Change | undefined {
  const next = outcome === "already refunded" ? settleAsRefunded(order, refundId) : settle(order, refundId, outcome);
  if (next.refundedAmount !== order.refundedAmount) return refundedBy(next, refundId);
  return findRefund(next, refundId)?.status === findRefund(order, refundId)?.status ? undefined : { order: next, actor: "system" };
}

/** A refund that must go through and did not, with the time of its next attempt. */
export function postponed(order: OrderDocument, refundId: string, outcome: FailedRefund, newRefundId: string, at: Date): Change | undefined {
  if (findRefund(order, refundId)?.status !== "requested") return undefined;
  const due = keepDue(order, refundId, outcome, newRefundId);
  const { cancellation } = order;
  return {
    order: {
      ...due.order,
      cancellation: cancellation?.refundId === refundId ? { ...cancellation, refundId: due.refundId } : cancellation,
      resumeAt: at,
    },
    actor: "system",
  };
}

function notRefundable(order: OrderDocument, message: string): PartlineError {
  return new PartlineError("INVALID_TRANSITION", message, { paymentStatus: order.paymentStatus });
}

function amountOf(order: OrderDocument, { amount, items }: RefundRequest, left: Cents): Cents {
  if (amount !== undefined && items) {
    throw validationFailed({ field: "items", message: "The 'items' field cannot be given together with 'amount'." });
  }
  if (items) return subtotalOf(priced(order, items));
  return amount ?? left;
}

/** The order's own prices of these items. A part on several lines is taken from the first line that has some left. */
function priced(order: OrderDocument, items: RefundedItem[]): { unitPrice: Cents; quantity: number }[] {
  const left = linesLeft(order);
  return items.flatMap(({ partNumber, quantity }, index) => {
    const lines = left.filter((line) => line.partNumber === partNumber);
    if (lines.length === 0) {
      throw validationFailed({ field: `items[${index}].partNumber`, message: `The 'items[${index}].partNumber' field names no item of the order.` });
    }
    const available = lines.reduce((total, line) => total + line.quantity, 0);
    if (quantity > available) {
      const message = `The 'items[${index}].quantity' field is ${quantity}, and ${available} of ${partNumber} is left to refund.`;
      throw validationFailed({ field: `items[${index}].quantity`, message });
    }
    return takeFrom(lines, quantity);
  });
}

function linesLeft(order: OrderDocument): OrderLine[] {
  const lines = order.items.map((line) => ({ ...line }));
  for (const refund of order.refunds) {
    if (refund.status === "failed") continue;
    for (const { partNumber, quantity } of refund.items ?? []) {
      takeFrom(lines.filter((line) => line.partNumber === partNumber), quantity);
    }
  }
  return lines;
}

/** Takes the quantity off the lines, and answers what was taken at which price. */
function takeFrom(lines: OrderLine[], quantity: number): { unitPrice: Cents; quantity: number }[] {
  let missing = quantity;
  return lines.map((line) => {
    const taken = Math.min(missing, line.quantity);
    line.quantity -= taken;
    missing -= taken;
    return { unitPrice: line.price, quantity: taken };
  });
}
