import { isCharged } from "../../shared/placed-order.ts";
import { invalidField, notFound, PartlineError } from "../../../mixins/errors.ts";
import { type Cents, formatAmount } from "@partline/parts-language";
import type { Change } from "../repository.ts";
import type { CancelRequest, NamedItem, OrderDocument, RefundRecord } from "../collections.ts";
import {
  listAwaited,
  isNamed,
  movedItems,
  listReceipts,
  pickReceived,
  statusOfLines,
  unshipped,
} from "../quantities.ts";
import { sumDisputed, paymentDisputed } from "../disputes.ts";
import type { RefundReason } from "../resources.ts";
import { assertCancellable } from "../transitions.ts";
import {
  type RefundAnswer,
  findRefund,
  isOfPieces,
  paidFor,
  refundDue,
  refundable,
  refundableIfWon,
  reserve,
  settle,
  taken,
  throughAfterAll,
  withRefundDue,
} from "./ledger.ts";

/**
 * Pure decisions. A cancellation: `begin`, then `conclude` with the provider's answer. A refund: `request`, `settled`.
 */

/**
 * Cancels at once if there is nothing to refund; else reserves the refund and marks the order as being cancelled,
 * unseen by clients, so that it cannot be shipped, cancelled or refunded meanwhile.
 * @throws ORDER_NOT_CANCELLABLE
 */
export function begin(order: OrderDocument, request: CancelRequest, newRefundId: string, now: Date): Change {
  assertCancellable(order);
  const { reason, actor, adminNote, force, runId } = request;
  const amount = refundable(order);
  if (amount === 0) return cancelled(order, { ...request, refundId: null }, newRefundId, now);
  const asked = { refundId: newRefundId, amount, reason, actor, createdAt: now.toISOString() };
  const { order: next, refundId } = reserve(order, asked);
  return { order: { ...next, cancelling: { refundId, reason, actor, adminNote, force, runId } }, actor };
}

/**
 * Ends a cancellation by the provider's answer; webhooks may have come first. A successful refund, or a charge with
 * nothing left or whose money a dispute has, cancels the order. A failed refund leaves the order as it was, or by force
 * cancels it with the refund due. If the cancellation was given up meanwhile, or the order's last pieces were cancelled, only the money counts.
 */
export function conclude(
  order: OrderDocument,
  refundId: string,
  outcome: RefundAnswer,
  newRefundId: string,
  now: Date,
): Change | undefined {
  const settled = settle(order, refundId, outcome);
  const { cancelling } = order;
  if (cancelling?.refundId !== refundId)
    return settled.refundedAmount === order.refundedAmount ? undefined : refundedBy(order, settled, refundId);
  if (order.status === "cancelled")
    return refundMoved(order, { ...settled, cancelling: undefined }, refundId, { now, newRefundId });
  const failed = findRefund(settled, refundId)?.status === "failed";
  if (failed && (outcome === "already refunded" || outcome === "disputed"))
    return cancelled(settled, { ...cancelling, refundId: null }, newRefundId, now);
  if (failed && !cancelling.force) return { order: { ...settled, cancelling: undefined }, actor: cancelling.actor };
  return cancelled(settled, cancelling, newRefundId, now);
}

function cancelled(
  order: OrderDocument,
  { reason, actor, adminNote = order.adminNote, runId, refundId }: CancelRequest & { refundId: string | null },
  newRefundId: string,
  now: Date,
): Change {
  const cancellation = { reason, actor, at: now, refundId, runId };
  const next = { ...order, status: "cancelled", adminNote, cancelling: undefined, cancellation } as const;
  const settled = refundId === null ? undefined : findRefund(order, refundId);
  const due = withRefundDue(next, { now, newRefundId, settled });
  // What is due of an order that was cancelled without a refund follows as order.refunded.
  const event = { channel: "order.cancelled", reason, refundId: refundId && due.cancellation!.refundId } as const;
  return { order: due, actor, event };
}

/**
 * The change of a refund that is settled outside of a cancellation. Its actor is who asked for it, or the provider if
 * the refund failed.
 */
function refundedBy(before: OrderDocument, order: OrderDocument, refundId: string): Change {
  const refund = findRefund(order, refundId);
  if (refund && refund.status !== "failed")
    return { order, actor: refund.actor, event: { refundId, ...eventOf(before, order, refund) } };
  const event = { channel: "order.refunded", reason: refund?.reason ?? null, refundId, ...repeatedBy(refund) } as const;
  return { order, actor: "payment-provider", event };
}

function eventOf(before: OrderDocument, order: OrderDocument, refund: RefundRecord) {
  const { reason, items, cancels, returnId, restockingFee } = refund;
  const moved = (items ?? []).map((item) => {
    const { productId = "", partNumber = "" } = order.items.find((line) => isNamed(line, item)) ?? item;
    return { productId, partNumber, quantity: item.quantity };
  });
  if (cancels && order.status !== "cancelled")
    return { channel: "order.lines_cancelled", reason: reason ?? "other", items: moved } as const;
  if (cancels && before.status !== "cancelled")
    return { channel: "order.cancelled", reason: reason ?? "other" } as const;
  if (returnId !== undefined) return { channel: "order.returned", returnId, items: moved, restockingFee } as const;
  return { channel: "order.refunded", reason, items: items && moved, ...repeatedBy(refund) } as const;
}

/** Marks another try of money that the buyer was promised, and its failure. */
const repeatedBy = (refund: RefundRecord | undefined) => (refund?.promised ? ({ repeated: true } as const) : {});

export interface RefundRequest {
  amount?: Cents;
  items?: readonly NamedItem[];
  reason: RefundReason;
  actor: string;
  /** The items are cancelled with it: at most what is left is paid back, nothing if all was. */
  cancels?: true;
  /** The return of which items have come back, all that are awaited unless named: the same, less its restocking fee. */
  returnId?: string;
}

/**
 * Reserves the refund's amount, so that concurrent refunds together never exceed the total. Pieces that are cancelled
 * or returned count from now on, so that none is shipped or returned twice.
 * @throws VALIDATION_FAILED naming `amount` or `items` if it is more than is left; PAYMENT_DISPUTED if a dispute has
 * the money; INVALID_TRANSITION if nothing was
 * paid, nothing is left, the order is being cancelled, or pieces are shipped or cancelled already
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
  if (wanted.amount !== undefined && wanted.items)
    throw invalidField("items", "cannot be given together with 'amount'");
  const left = refundable(order);
  const repeated = throughAfterAll(order, { ...wanted, amount: wanted.amount ?? left });
  if (repeated) {
    const refunds = order.refunds.map((refund) => (refund === repeated ? { ...refund, refused: undefined } : refund));
    return { change: { order: { ...order, refunds }, actor: wanted.actor }, refundId: repeated.refundId };
  }
  if (isOfPieces(wanted)) return requestOfPieces(order, wanted, left, newRefundId, now);
  const { reason, actor, items } = wanted;
  const amount = items ? paidFor(order, items) : (wanted.amount ?? left);
  if (amount > left || left === 0) assertNotDisputed(order, amount, left);
  if (amount > left) {
    const [asked, rest] = [amount, left].map((cents) => formatAmount(cents, order.currency));
    throw invalidField(items ? "items" : "amount", `comes to ${asked}, and ${rest} is left to refund`);
  }
  if (amount === 0) throw left === 0 ? nothingLeft(order) : notRefundable(order, "Nothing was paid for these items");
  const asked = { refundId: newRefundId, amount, reason, actor, items, createdAt: now.toISOString() };
  const { order: next, refundId } = reserve(order, asked);
  return { change: { order: next, actor }, refundId };
}

/** @throws PAYMENT_DISPUTED if it is for a dispute that there is not so much to refund */
function assertNotDisputed(order: OrderDocument, amount: Cents, left: Cents): void {
  const disputed = sumDisputed(order);
  if (!order.refundsBlocked && (disputed === 0 || amount > left + disputed)) return;
  const money = (cents: Cents): string => formatAmount(cents, order.currency);
  const has = order.refundsBlocked ? "The payment is disputed" : `A dispute has ${money(disputed)} of the payment`;
  throw paymentDisputed(order, `${has}, and ${money(left)} is left to refund`);
}

function requestOfPieces(
  order: OrderDocument,
  { items: named, reason, actor, cancels, returnId }: RefundRequest,
  most: Cents,
  newRefundId: string,
  now: Date,
): { change: Change; refundId: string } {
  const awaited = returnId === undefined ? undefined : order.returns?.find((one) => one.returnId === returnId);
  if (returnId !== undefined && !awaited) throw notFound("Return", returnId);
  const receipts = awaited ? listReceipts(order, awaited.returnId) : [];
  const left = awaited ? listAwaited(order, awaited) : [];
  const last = receipts.at(-1);
  if (last && left.length === 0 && !named) return { change: { order, actor }, refundId: last.refundId };
  const items = awaited ? pickReceived(order, left, named) : movedItems(order, named, unshipped, "cancel");
  const paid = paidFor(order, items, "what is left");
  // What comes first bears the fee, as far as it goes.
  const feeLeft = receipts.reduce((rest, one) => rest - (one.restockingFee ?? 0), awaited?.restockingFee ?? 0);
  const restockingFee = Math.max(0, Math.min(paid, feeLeft));
  const worth = paid - restockingFee;
  const amount = Math.max(0, Math.min(most, worth));
  const withheld = (order.withheld ?? 0) + Math.max(0, Math.min(refundableIfWon(order), worth) - amount);
  const createdAt = now.toISOString();
  const fee = restockingFee || undefined;
  const asked = {
    ...{ refundId: newRefundId, amount, reason, actor, items, cancels, returnId },
    ...{ restockingFee: fee, createdAt },
  };
  if (amount > 0) {
    const { order: next, refundId } = reserve({ ...order, withheld: withheld || undefined }, asked);
    return { change: { order: next, actor }, refundId };
  }
  const made = { status: "succeeded", providerRefundId: null, figureBefore: order.chargeRefunded } as const;
  const nothing: RefundRecord = { ...asked, ...made };
  const next = withStatusOfLines(
    { ...order, withheld: withheld || undefined, refunds: [...order.refunds, nothing] },
    nothing,
    now,
  );
  const rest = { reason, actor, force: false, refundId: null };
  const change =
    next.status === "cancelled"
      ? cancelled(next, rest, `${newRefundId}-rest`, now)
      : refundedBy(order, next, newRefundId);
  return { change, refundId: newRefundId };
}

function withStatusOfLines(
  order: OrderDocument,
  { cancels, reason, actor, refundId }: RefundRecord,
  now: Date,
): OrderDocument {
  const status = cancels ? statusOfLines(order) : order.status;
  if (status !== "cancelled" || order.status === "cancelled") return { ...order, status };
  return { ...order, status, cancellation: { reason: reason ?? "other", actor, at: now, refundId } };
}

/** Settles a refund by the provider's answer; a failed one frees its amount, or stays due if the order is cancelled. */
export function settled(
  order: OrderDocument,
  refundId: string,
  outcome: RefundAnswer,
  newRefundId: string,
  now: Date,
): Change | undefined {
  const next = settle(order, refundId, outcome);
  return next === order ? undefined : refundMoved(order, next, refundId, { now, newRefundId });
}

/** Returns the change by a refund's new state; without an event if no money moved. */
export function refundMoved(
  order: OrderDocument,
  next: OrderDocument,
  refundId: string,
  { now, newRefundId }: { now: Date; newRefundId: string },
): Change {
  const refund = findRefund(next, refundId);
  const before = findRefund(order, refundId);
  const isNew = before?.providerRefundId === null;
  const wentThrough = refund !== undefined && refund.status !== "failed" && isNew;
  const moved = wentThrough ? withStatusOfLines(next, refund, now) : next;
  const due = withRefundDue(moved, { now, newRefundId, settled: refund, wasTaken: before && taken(before) });
  // The charge's figure may have included the money before.
  const isNews = due.refundedAmount !== order.refundedAmount || (wentThrough && isOfPieces(refund));
  return isNews ? { ...refundedBy(order, moved, refundId), order: due } : { order: due, actor: "system" };
}

export function nothingLeft(order: OrderDocument): PartlineError {
  const due = refundDue(order);
  if (due === 0) return notRefundable(order, "Nothing is left to refund");
  const left = formatAmount(due, order.currency);
  return notRefundable(order, `What is left, ${left}, is due already and tried until it goes through`);
}

function notRefundable(order: OrderDocument, message: string): PartlineError {
  return new PartlineError("INVALID_TRANSITION", message, { paymentStatus: order.paymentStatus });
}
