import { invalidField } from "../../mixins/errors.ts";
import type { Params } from "../../broker/contract/define.ts";
import { withDispute } from "./disputes.ts";
import { refundMoved } from "./refunds/decisions.ts";
import type { Change } from "./repository.ts";
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
  const known = !order.paymentIntentId && paymentIntentId ? { ...order, paymentIntentId } : order;
  return decide(known, change, facts) ?? (known === order ? undefined : { order: known, actor });
}

function decide(order: OrderDocument, change: PaymentChange, facts: Facts): Change | undefined {
  switch (change.kind) {
    case "paid":
      return paid(order, facts);
    case "failed":
      if (order.paymentStatus !== "pending") return undefined;
      return paymentStatusSet({ ...order, paymentStatus: "failed" }, facts);
    case "refunded":
      return figureTold(order, needed(change, "refundedTotal"), facts);
    case "refund":
      return refundTold(order, change, facts);
    case "dispute":
      return disputeTold(order, change, facts);
  }
}

/** A failed payment may succeed later; money for a cancelled order is refunded. */
function paid(order: OrderDocument, facts: Facts): Change | undefined {
  if (order.paymentStatus !== "pending" && order.paymentStatus !== "failed") return undefined;
  return paymentStatusSet(withRefundDue({ ...order, paymentStatus: "paid" }, facts), facts);
}

function figureTold(order: OrderDocument, refundedTotal: number, { actor }: Facts): Change | undefined {
  const next = withChargeFigure(order, refundedTotal);
  if (next === order) return undefined;
  if (next.refundedAmount === order.refundedAmount) return { order: next, actor };
  return { order: next, actor, event: { channel: "order.refunded", reason: null, refundId: null } };
}

function refundTold(order: OrderDocument, change: PaymentChange, facts: Facts): Change | undefined {
  const providerRefundId = needed(change, "providerRefundId");
  const outcome = { status: REFUND_STATUSES.get(needed(change, "status")) ?? "pending", providerRefundId };
  const known =
    order.refunds.find((refund) => refund.providerRefundId === providerRefundId) ??
    // The provider may have refunds under our id that failed before one succeeded.
    order.refunds.find((refund) => refund.refundId === change.refundId && refund.providerRefundId === null);
  const next = known ? settle(order, known.refundId, outcome) : record(order, foreignRefund());
  if (next === order) return undefined;
  const moved = refundMoved(order, next, known?.refundId ?? providerRefundId, facts);
  if (moved.event) return moved;
  return { ...moved, actor: facts.actor, event: known && { channel: "order.updated", changed: ["refunds"] } };

  function foreignRefund(): RefundRecord {
    return {
      refundId: providerRefundId,
      amount: needed(change, "amount"),
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
  const reported = { disputeId: needed(change, "disputeId"), status: needed(change, "status"), reason, dueBy };
  // An amount in another currency is none of the order's.
  const amount = currency === order.currency ? change.amount : undefined;
  const before = order.disputes.find(({ disputeId }) => disputeId === reported.disputeId);
  const disputes = withDispute(order.disputes, { ...reported, amount, updatedAt: now.toISOString() });
  const after = disputes.find(({ disputeId }) => disputeId === reported.disputeId)!;
  const isNews = before?.status !== after.status || before.amount !== after.amount;
  if (!isNews && before.reason === after.reason && before.dueBy === after.dueBy) return undefined;
  if (!isNews) return { order: { ...order, disputes }, actor };
  const next = withRefundDue({ ...order, disputes, refundsBlocked: undefined }, facts);
  const { disputeId, status } = after;
  const dispute = { disputeId, status, amount: after.amount, reason: after.reason };
  return { order: next, actor, event: { channel: "order.updated", changed: ["disputes"], dispute } };
}

function paymentStatusSet(order: OrderDocument, { actor }: Facts): Change {
  return { order, actor, event: { channel: "order.updated", changed: ["paymentStatus"] } };
}

function needed<F extends keyof PaymentChange>(change: PaymentChange, field: F): NonNullable<PaymentChange[F]> {
  const value = change[field];
  if (value != null) return value;
  throw invalidField(`change.${field}`, "is required");
}
