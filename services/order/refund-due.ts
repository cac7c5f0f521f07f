import { isCharged } from "../../broker/contract/placed-order.ts";
import type { Cents } from "../../mixins/money.ts";
import type { OrderDocument, RefundRecord } from "./collections.ts";
import { findRefund, refundable, reserve } from "./refund-ledger.ts";

/** Pauses in milliseconds, from the first to the longest: after the provider refused or did not answer, and after a refund came back. */
const PAUSES_UNTAKEN = [5_000, 300_000] as const;
const PAUSES_RETURNED = [60_000, 86_400_000] as const;

/** What of a cancelled order's money is still to be paid back, and is tried until it goes through. */
export function refundDue({ status, paymentStatus, total, refundedAmount }: OrderDocument): Cents {
  return status === "cancelled" && isCharged(paymentStatus) ? total - refundedAmount : 0;
}

interface Facts {
  now: Date;
  newRefundId: string;
  /** The refund that did not go through, if that is why money is due. */
  failed?: RefundRecord;
}

/**
 * The order as it is, or, when it is cancelled, with a refund reserved of whatever is not paid back: a refund that the
 * provider refused or lost, one that it took and failed later, or a payment that came after the cancellation. So no order
 * stays cancelled with its money kept; each failure makes the pause before the next attempt longer.
 */
export function withRefundDue(order: OrderDocument, { now, newRefundId, failed }: Facts): OrderDocument {
  const amount = refundable(order);
  const { status, cancellation } = order;
  if (status !== "cancelled" || !cancellation || amount === 0) return order;
  const attempts = failed ? (failed.attempts ?? 0) + 1 : 0;
  const untaken = failed?.providerRefundId === null;
  const due = reserve(order, {
    refundId: newRefundId,
    amount,
    reason: cancellation.reason,
    actor: cancellation.actor,
    attempts,
    // The same refund again keeps its items, by which it is taken up under its id.
    items: failed?.amount === amount ? failed.items : undefined,
    createdAt: untaken ? failed.createdAt : now.toISOString(),
  });
  const shown = cancellation.refundId === null ? undefined : findRefund(due.order, cancellation.refundId);
  return {
    ...due.order,
    cancellation: shown && shown.status !== "failed" ? cancellation : { ...cancellation, refundId: due.refundId },
    resumeAt: new Date(now.getTime() + pauseAfter(attempts, untaken ? PAUSES_UNTAKEN : PAUSES_RETURNED)),
  };
}

function pauseAfter(failures: number, [first, longest]: readonly [number, number]): number {
  return failures === 0 ? 0 : Math.min(longest, first * 2 ** Math.min(failures - 1, 20));
}
