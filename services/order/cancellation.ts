import type { OrderDocument } from "./collections.ts";
import type { Change } from "./change.ts";
import { withRefundDue } from "./refund-due.ts";
import { findRefund, refundable, reserve, settle, settleAsRefunded, type RefundOutcome } from "./refund-ledger.ts";
import type { RefundReason } from "./resources.ts";
import { assertCancellable } from "./transitions.ts";

/** How a cancellation goes, as pure decisions: begin, then conclude once the provider has answered. */

export interface CancelRequest {
  reason: RefundReason;
  actor: string;
  adminNote?: string;
  force: boolean;
}

/**
 * Cancels at once when there is nothing to refund. Else reserves the refund and marks the order as being cancelled, so
 * that it cannot be shipped, cancelled or refunded meanwhile; nobody sees a change yet.
 * @throws ORDER_NOT_CANCELLABLE
 */
export function begin(order: OrderDocument, request: CancelRequest, newRefundId: string, now: Date): Change {
  assertCancellable(order.status);
  const { reason, actor, adminNote, force } = request;
  const amount = refundable(order);
  if (amount === 0) return cancelled(order, { ...request, refundId: null }, newRefundId, now);
  const reserved = reserve(order, { refundId: newRefundId, amount, reason, actor, createdAt: now.toISOString() });
  return {
    order: { ...reserved.order, cancelling: { refundId: reserved.refundId, reason, actor, adminNote, force } },
    actor,
  };
}

/**
 * What the provider's answer makes of the cancellation; its webhooks may have told more by then. A refund that went
 * through, or a charge with nothing left to give back, cancels the order. One that did not leaves the order as it was,
 * or by force cancels it with the refund due. A cancellation that was given up meanwhile stays so, and only the money counts.
 */
export function conclude(
  order: OrderDocument,
  refundId: string,
  outcome: RefundOutcome | "already refunded",
  newRefundId: string,
  now: Date,
): Change | undefined {
  const settled = outcome === "already refunded" ? settleAsRefunded(order, refundId) : settle(order, refundId, outcome);
  const { cancelling } = order;
  if (cancelling?.refundId !== refundId)
    return settled.refundedAmount === order.refundedAmount ? undefined : refundedBy(settled, refundId);
  const failed = findRefund(settled, refundId)?.status === "failed";
  if (failed && outcome === "already refunded")
    return cancelled(settled, { ...cancelling, refundId: null }, newRefundId, now);
  if (failed && !cancelling.force) return { order: { ...settled, cancelling: undefined }, actor: cancelling.actor };
  return cancelled(settled, cancelling, newRefundId, now);
}

function cancelled(
  order: OrderDocument,
  by: Omit<CancelRequest, "force"> & { refundId: string | null },
  newRefundId: string,
  now: Date,
): Change {
  const { reason, actor, adminNote, refundId } = by;
  const refund = refundId === null ? undefined : findRefund(order, refundId);
  const next: OrderDocument = {
    ...order,
    status: "cancelled",
    adminNote: adminNote ?? order.adminNote,
    cancelling: undefined,
    cancellation: { reason, actor, at: now, refundId },
  };
  const due = withRefundDue(next, { now, newRefundId, failed: refund?.status === "failed" ? refund : undefined });
  return {
    order: due,
    actor,
    event: { channel: "order.cancelled", reason, refundId: due.cancellation?.refundId ?? null },
  };
}

/**
 * The change of a refund that is settled outside of a cancellation: whoever asked for it made it, whether the provider's
 * answer or its webhook tells of it first; that it came back is the provider's doing.
 */
export function refundedBy(order: OrderDocument, refundId: string): Change {
  const refund = findRefund(order, refundId);
  const actor = !refund || refund.status === "failed" ? "payment-provider" : refund.actor;
  return { order, actor, event: { channel: "order.refunded", reason: refund?.reason ?? null, refundId } };
}
