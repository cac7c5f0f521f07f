import type { OrderDocument } from "./collections.ts";
import type { Change } from "./change.ts";
import { findRefund, keepDue, refundable, reserve, settle, settleAsRefunded, type FailedRefund, type RefundOutcome } from "./refund-ledger.ts";
import type { RefundReason } from "./resources.ts";
import { assertCancellable } from "./transitions.ts";

/** How a cancellation goes, as pure decisions: begin, then complete or abandon once the provider has answered. */

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
  if (amount === 0) return cancelled(order, { ...request, refundId: null }, now);
  const reserved = reserve(order, { refundId: newRefundId, amount, reason, actor, createdAt: now.toISOString() });
  return { order: { ...reserved.order, cancelling: { refundId: reserved.refundId, reason, actor, adminNote, force } }, actor };
}

/**
 * The provider has taken the refund, or has nothing left to give back. A cancellation that was given up meanwhile stays
 * so, and only the money counts.
 */
export function complete(order: OrderDocument, refundId: string, outcome: RefundOutcome | "already refunded", now: Date): Change | undefined {
  const settled = outcome === "already refunded" ? settleAsRefunded(order, refundId) : settle(order, refundId, outcome);
  const { cancelling } = order;
  if (cancelling?.refundId === refundId) return cancelled(settled, cancelling, now);
  return settled.refundedAmount === order.refundedAmount ? undefined : refundedBy(settled, refundId);
}

/** The refund did not go through: by force the order is cancelled and the refund stays due, else all is as it was. */
export function refuse(order: OrderDocument, refundId: string, outcome: FailedRefund, newRefundId: string, now: Date): Change | undefined {
  const { cancelling } = order;
  if (cancelling?.refundId !== refundId) return undefined;
  if (!cancelling.force) return { order: { ...settle(order, refundId, outcome), cancelling: undefined }, actor: cancelling.actor };
  const due = keepDue(order, refundId, outcome, newRefundId);
  return cancelled({ ...due.order, resumeAt: now }, { ...cancelling, refundId: due.refundId }, now);
}

function cancelled(order: OrderDocument, by: Omit<CancelRequest, "force"> & { refundId: string | null }, now: Date): Change {
  const { reason, actor, adminNote, refundId } = by;
  return {
    order: {
      ...order,
      status: "cancelled",
      adminNote: adminNote ?? order.adminNote,
      cancelling: undefined,
      cancellation: { reason, actor, at: now, refundId },
    },
    actor,
    event: { channel: "order.cancelled", reason, refundId },
  };
}

/** The change of a refund that is settled outside of a cancellation. */
export function refundedBy(order: OrderDocument, refundId: string): Change {
  const refund = findRefund(order, refundId);
  return { order, actor: refund?.actor ?? "system", event: { channel: "order.refunded", reason: refund?.reason ?? null, refundId } };
}
