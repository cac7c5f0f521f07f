import { isCharged } from "../../../broker/contract/placed-order.ts";
import type { Cents } from "../../../mixins/money.ts";
import type { OrderDocument, RefundRecord } from "../collections.ts";
import { paymentStatusAfter } from "../transitions.ts";
import { areSameItems } from "./items.ts";

/**
 * What of an order's money is paid back, on its way back, or left.
 *
 * The provider tells two things, late, repeatedly and in any order: the state of single refunds, and a cumulative
 * figure of the charge. Refunds are kept as a set of records by id; the figure counts only for what no record explains
 * (a refund at the provider's console). So nothing is ever added up twice, and a stale message changes nothing.
 */

const taken = (refund: RefundRecord): boolean => refund.status === "pending" || refund.status === "succeeded";
const requested = (refund: RefundRecord): boolean => refund.status === "requested";
const cameBack = (refund: RefundRecord): boolean => refund.status === "failed" && refund.providerRefundId !== null;
const neverTaken = (refund: RefundRecord): boolean => refund.status === "failed" && refund.providerRefundId === null;

function sum(refunds: readonly RefundRecord[], which: (refund: RefundRecord) => boolean): Cents {
  return refunds.reduce((total, refund) => (which(refund) ? total + refund.amount : total), 0);
}

/** How much of the figure this refund accounts for, also when it failed after the figure had counted it. */
function explained(refund: RefundRecord, figure: Cents): Cents {
  return neverTaken(refund) ? 0 : Math.min(refund.amount, Math.max(0, figure - refund.figureBefore));
}

/**
 * The order with refundedAmount and paymentStatus derived anew; to be called after any change of its refunds or figure.
 */
export function withLedger(order: OrderDocument): OrderDocument {
  const { refunds, chargeRefunded, total } = order;
  const unexplained = refunds.reduce((rest, refund) => rest - explained(refund, chargeRefunded), chargeRefunded);
  const refundedAmount = Math.min(total, sum(refunds, taken) + Math.max(0, unexplained));
  return { ...order, refundedAmount, paymentStatus: paymentStatusAfter(order.paymentStatus, refundedAmount, total) };
}

/**
 * What may still be refunded: neither paid back nor reserved by a refund on its way; nothing while nothing was paid.
 */
export function refundable(order: OrderDocument): Cents {
  if (!isCharged(order.paymentStatus)) return 0;
  return Math.max(0, order.total - order.refundedAmount - sum(order.refunds, requested));
}

export function findRefund(order: OrderDocument, refundId: string): RefundRecord | undefined {
  return order.refunds.find((refund) => refund.refundId === refundId);
}

/** Whether a refund is what is asked for (again): the same items, or the same amount where neither names items. */
function isAskedFor(
  order: OrderDocument,
  refund: RefundRecord,
  { items, amount }: Pick<RefundRecord, "items" | "amount">,
): boolean {
  return areSameItems(order, refund.items, items) && (items !== undefined || refund.amount === amount);
}

/**
 * The order with the refund's amount reserved. A failed refund of the same that the provider never confirmed is taken
 * up again under its id: should its answer only have been lost, the provider recognises it and does not pay twice.
 */
export function reserve(
  order: OrderDocument,
  request: Omit<RefundRecord, "status" | "providerRefundId" | "figureBefore">,
): { order: OrderDocument; refundId: string } {
  const revived = order.refunds.find((refund) => neverTaken(refund) && isAskedFor(order, refund, request));
  const { refundId, amount, figureBefore } = revived ?? { ...request, figureBefore: order.chargeRefunded };
  const record: RefundRecord = {
    ...request,
    refundId,
    amount,
    figureBefore,
    status: "requested",
    providerRefundId: null,
  };
  const refunds = [...order.refunds.filter((refund) => refund !== revived), record];
  return { order: withLedger({ ...order, refunds }), refundId: record.refundId };
}

/**
 * A refund that was answered as not made and, as the provider told later, was: asking for the same again is asking for
 * it.
 */
export function throughAfterAll(
  order: OrderDocument,
  wanted: Pick<RefundRecord, "items" | "amount">,
): RefundRecord | undefined {
  return order.refunds.find((refund) => refund.refused && taken(refund) && isAskedFor(order, refund, wanted));
}

/** A refund that the provider took and failed, or (null) never took. */
export interface FailedRefund {
  status: "failed";
  providerRefundId: string | null;
}

/** What becomes of a refund at the provider. */
export type RefundOutcome = { status: "pending" | "succeeded"; providerRefundId: string } | FailedRefund;

/** What the provider makes of a request for a refund; `already refunded`: the charge has nothing left. */
export type RefundAnswer = RefundOutcome | "already refunded";

export const NOT_TAKEN: FailedRefund = { status: "failed", providerRefundId: null };

/**
 * The order with the outcome of one of its refunds. A refund moves requested, pending, succeeded, failed and never
 * back: whatever arrives late changes nothing. One that was given up and turns out to be taken counts.
 */
export function settle(order: OrderDocument, refundId: string, outcome: RefundAnswer): OrderDocument {
  if (outcome === "already refunded") return settleAsRefunded(order, refundId);
  const refund = findRefund(order, refundId);
  if (!refund) return order;
  const others = order.refunds.filter((one) => one !== refund);
  const { providerRefundId } = refund;
  if (providerRefundId !== null && outcome.providerRefundId !== null && providerRefundId !== outcome.providerRefundId) {
    // The provider failed one and took the next under our id: both have happened.
    if (refund.status !== "failed" || outcome.status === "failed") return order;
    return withLedger({
      ...order,
      refunds: [...others, { ...refund, refundId: providerRefundId }, { ...refund, ...outcome }],
    });
  }
  if (rank(outcome) <= rank(refund)) return order;
  const settled: RefundRecord = { ...refund, ...outcome };
  return withLedger({ ...order, refunds: [...others, neverTaken(settled) ? { ...settled, refused: true } : settled] });
}

/** Taken is more than given up: the provider knows best. */
function rank({ status, providerRefundId }: Pick<RefundRecord, "status" | "providerRefundId">): number {
  if (status === "failed") return providerRefundId === null ? 1 : 4;
  return { requested: 0, pending: 2, succeeded: 3 }[status];
}

/**
 * The provider has nothing left of the charge, although we did not hear of all its refunds: the figure covers them.
 * What it had counted of refunds that came back is on top of that.
 */
function settleAsRefunded(order: OrderDocument, refundId: string): OrderDocument {
  return withChargeFigure(settle(order, refundId, NOT_TAKEN), order.total + sum(order.refunds, cameBack));
}

/** The order with a refund that others made, as the provider reports it. */
export function record(order: OrderDocument, refund: RefundRecord): OrderDocument {
  return withLedger({ ...order, refunds: [...order.refunds, refund] });
}

/** The charge's cumulative figure, as the provider tells it; a lower one than is known is stale. */
export function withChargeFigure(order: OrderDocument, refundedTotal: Cents): OrderDocument {
  return refundedTotal > order.chargeRefunded ? withLedger({ ...order, chargeRefunded: refundedTotal }) : order;
}

export function hasUnsettled(order: OrderDocument): boolean {
  return order.refunds.some(requested);
}

/**
 * Pauses in milliseconds, from the first to the longest: after the provider refused or did not answer, and after a
 * refund came back.
 */
const PAUSES_UNTAKEN = [5_000, 300_000] as const;
const PAUSES_RETURNED = [60_000, 86_400_000] as const;

/** What of a cancelled order's money is still to be paid back, and is tried until it goes through. */
export function refundDue({ status, paymentStatus, total, refundedAmount }: OrderDocument): Cents {
  return status === "cancelled" && isCharged(paymentStatus) ? total - refundedAmount : 0;
}

interface Facts {
  now: Date;
  newRefundId: string;
  /** The refund that was settled; money may be due because it failed. */
  settled?: RefundRecord;
}

/**
 * The order as it is, or, when it is cancelled, with a refund reserved of whatever is not paid back: a refund that the
 * provider refused or lost, one that it took and failed later, or a payment that came after the cancellation. So no
 * order stays cancelled with its money kept; each failure makes the pause before the next attempt longer.
 */
export function withRefundDue(order: OrderDocument, { now, newRefundId, settled }: Facts): OrderDocument {
  const failed = settled?.status === "failed" ? settled : undefined;
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
