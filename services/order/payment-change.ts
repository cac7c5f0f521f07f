import { invalidField } from "../../mixins/errors.ts";
import type { Params } from "@partline/api-contracts";
import { withDispute } from "./disputes.ts";
import { cancelUnpaid, refundMoved } from "./refunds/decisions.ts";
import { type Change, recordFields } from "./order-change.ts";
import type { OrderDocument, RefundRecord } from "./collections.ts";
import type { orderContract } from "./contract.ts";
import { record, REFUND_STATUSES, settle, withChargeFigure, withRefundDue } from "./refunds/ledger.ts";

export type PaymentChange = Params<(typeof orderContract)["actions"]["applyPayment"]>["change"];

interface Facts {
  actor: string;
  paymentIntentId?: string;
  now: Date;
  newRefundId: string;
}

/**
 * Returns what a message of the provider changes; undefined if it is known, stale or irrelevant.
 * @throws VALIDATION_FAILED if fields that its kind needs are missing
 */
export function applyPaymentChange(order: OrderDocument, change: PaymentChange, facts: Facts): Change | undefined {
  const { actor, paymentIntentId } = facts;
  const current = !order.paymentIntentId && paymentIntentId ? { ...order, paymentIntentId } : order;
  const decided = decide(current, change, facts);
  if (decided) return cancelUnpaid(decided.order, { ...facts, actor: decided.actor }) ?? decided;
  return current === order ? undefined : { order: current, actor };
}

function decide(order: OrderDocument, change: PaymentChange, facts: Facts): Change | undefined {
  switch (change.kind) {
    case "paid":
      return markPaid(order, facts);
    case "failed":
      if (order.paymentStatus !== "pending") return undefined;
      return recordFields({ ...order, paymentStatus: "failed" }, facts.actor, "paymentStatus");
    case "refunded":
      return applyFigure(order, requireField(change, "refundedTotal"), facts);
    case "refund":
      return refundTold(order, change, facts);
    case "dispute":
      return disputeTold(order, change, facts);
  }
}

/** A failed payment may succeed later; money for a cancelled order is refunded. */
function markPaid(order: OrderDocument, facts: Facts): Change | undefined {
  if (order.paymentStatus !== "pending" && order.paymentStatus !== "failed") return undefined;
  return recordFields(withRefundDue({ ...order, paymentStatus: "paid" }, facts), facts.actor, "paymentStatus");
}

function applyFigure(order: OrderDocument, refundedTotal: number, { actor }: Facts): Change | undefined {
  const next = withChargeFigure(order, refundedTotal);
  if (next === order) return undefined;
  if (next.refundedAmount === order.refundedAmount) return { order: next, actor };
  return { order: next, actor, event: { channel: "order.refunded", reason: null, refundId: null } };
}

function refundTold(order: OrderDocument, change: PaymentChange, facts: Facts): Change | undefined {
  const providerRefundId = requireField(change, "providerRefundId");
  const outcome = { status: REFUND_STATUSES.get(requireField(change, "status")) ?? "pending", providerRefundId };
  const existing =
    order.refunds.find((refund) => refund.providerRefundId === providerRefundId) ??
    // The provider may have refunds under our id that failed before one succeeded.
    order.refunds.find((refund) => refund.refundId === change.refundId && refund.providerRefundId === null);
  const next = existing ? settle(order, existing.refundId, outcome) : record(order, createForeignRefund());
  if (next === order) return undefined;
  const moved = refundMoved(order, next, existing?.refundId ?? providerRefundId, facts);
  if (moved.event) return moved;
  return { ...moved, actor: facts.actor, event: existing && { channel: "order.updated", changed: ["refunds"] } };

  function createForeignRefund(): RefundRecord {
    return {
      refundId: providerRefundId,
      amount: requireField(change, "amount"),
      ...outcome,
      reason: null,
      actor: "payment-provider",
      figureBefore: 0,
      createdAt: facts.now.toISOString(),
    };
  }
}

/**
 * A late message does not reopen a closed dispute. Money that a won one returns is refunded where it is owed. A new
 * deadline is no news.
 */
function disputeTold(order: OrderDocument, change: PaymentChange, facts: Facts): Change | undefined {
  const { actor, now } = facts;
  const { reason, dueBy, currency = order.currency } = change;
  const reported = {
    disputeId: requireField(change, "disputeId"),
    status: requireField(change, "status"),
    reason,
    dueBy,
  };
  // An amount in another currency is none of the order's.
  const amount = currency === order.currency ? change.amount : undefined;
  const previous = order.disputes.find(({ disputeId }) => disputeId === reported.disputeId);
  const disputes = withDispute(order.disputes, { ...reported, amount, updatedAt: now.toISOString() });
  const after = disputes.find(({ disputeId }) => disputeId === reported.disputeId)!;
  const isNews = previous?.status !== after.status || previous.amount !== after.amount;
  if (!isNews && previous.reason === after.reason && previous.dueBy === after.dueBy) return undefined;
  if (!isNews) return { order: { ...order, disputes }, actor };
  const next = withRefundDue({ ...order, disputes, refundsBlocked: undefined }, facts);
  const { disputeId, status } = after;
  const dispute = { disputeId, status, amount: after.amount, reason: after.reason };
  return { order: next, actor, event: { channel: "order.updated", changed: ["disputes"], dispute } };
}

function requireField<F extends keyof PaymentChange>(change: PaymentChange, field: F): NonNullable<PaymentChange[F]> {
  const value = change[field];
  if (value != null) return value;
  throw invalidField(`change.${field}`, "is required");
}
