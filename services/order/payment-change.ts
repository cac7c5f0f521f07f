import { validationFailed } from "../../mixins/errors.ts";
import type { Params } from "../../broker/contract/define.ts";
import { refundMoved } from "./refunds/decisions.ts";
import type { Change } from "./repository.ts";
import type { Dispute, OrderDocument, RefundRecord } from "./collections.ts";
import type { orderContract } from "./contract.ts";
import { record, settle, withChargeFigure, withRefundDue, type RefundOutcome } from "./refunds/ledger.ts";

type Applied = Params<(typeof orderContract)["actions"]["applyPayment"]>;
export type PaymentChange = Applied["change"];

interface Facts {
  actor: string;
  paymentIntentId?: string;
  now: Date;
  newRefundId: string;
}

/**
 * Returns what a message of the payment provider changes in an order; undefined if it is known, stale or irrelevant.
 * @throws VALIDATION_FAILED if fields that its kind needs are missing
 */
export function applyPaymentChange(order: OrderDocument, change: PaymentChange, facts: Facts): Change | undefined {
  const known =
    !order.paymentIntentId && facts.paymentIntentId ? { ...order, paymentIntentId: facts.paymentIntentId } : order;
  const decided = decide(known, change, facts);
  return decided ?? (known === order ? undefined : { order: known, actor: facts.actor });
}

function decide(order: OrderDocument, change: PaymentChange, facts: Facts): Change | undefined {
  switch (change.kind) {
    case "paid":
      return paid(order, facts);
    case "failed":
      return order.paymentStatus === "pending"
        ? paymentStatusSet({ ...order, paymentStatus: "failed" }, facts)
        : undefined;
    case "refunded":
      return figureTold(order, needed(change.refundedTotal, "refundedTotal"), facts);
    case "refund":
      return refundTold(order, change, facts);
    case "dispute":
      return disputeTold(
        order,
        {
          disputeId: needed(change.disputeId, "disputeId"),
          status: needed(change.status, "status"),
          updatedAt: facts.now.toISOString(),
        },
        facts,
      );
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
  const providerRefundId = needed(change.providerRefundId, "providerRefundId");
  const outcome = { status: refundStatus(needed(change.status, "status")), providerRefundId };
  const known =
    order.refunds.find((refund) => refund.providerRefundId === providerRefundId) ??
    // The provider may have refunds under our id that failed before one succeeded.
    order.refunds.find((refund) => refund.refundId === change.refundId && refund.providerRefundId === null);
  const next = known
    ? settle(order, known.refundId, outcome)
    : record(order, foreignRefund(providerRefundId, needed(change.amount, "amount"), outcome, facts.now));
  if (next === order) return undefined;
  const moved = refundMoved(order, next, known?.refundId ?? providerRefundId, facts);
  if (moved.event) return moved;
  return { ...moved, actor: facts.actor, event: known && { channel: "order.updated", changed: ["refunds"] } };
}

function foreignRefund(
  providerRefundId: string,
  amount: number,
  { status }: Pick<RefundOutcome, "status">,
  now: Date,
): RefundRecord {
  return {
    refundId: providerRefundId,
    amount,
    status,
    providerRefundId,
    reason: null,
    actor: "payment-provider",
    figureBefore: 0,
    createdAt: now.toISOString(),
  };
}

/** Translates the provider's status: `requires_action` is pending, `canceled` is failed. */
function refundStatus(status: string): RefundOutcome["status"] {
  if (status === "succeeded") return "succeeded";
  return status === "failed" || status === "canceled" ? "failed" : "pending";
}

const CLOSED = new Set(["won", "lost", "warning_closed", "prevented"]);

/** A late message does not reopen a closed dispute. */
function disputeTold(order: OrderDocument, dispute: Dispute, { actor }: Facts): Change | undefined {
  const known = order.disputes.find(({ disputeId }) => disputeId === dispute.disputeId);
  if (known && (known.status === dispute.status || CLOSED.has(known.status))) return undefined;
  const disputes = [...order.disputes.filter((one) => one !== known), dispute];
  return { order: { ...order, disputes }, actor, event: { channel: "order.updated", changed: ["disputes"] } };
}

function paymentStatusSet(order: OrderDocument, { actor }: Facts): Change {
  return { order, actor, event: { channel: "order.updated", changed: ["paymentStatus"] } };
}

function needed<T>(value: T | undefined, field: string): T {
  if (value === undefined)
    throw validationFailed({ field: `change.${field}`, message: `The 'change.${field}' field is required.` });
  return value;
}
