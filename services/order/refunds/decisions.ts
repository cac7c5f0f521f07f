import { getAt } from "@partline/toolkit";
import { isCharged } from "../../shared/placed-order.ts";
import { invalidField, PartlineError } from "../../../mixins/errors.ts";
import { type Cents, formatAmount } from "@partline/parts-language";
import { assertFee, findReturn } from "../changes.ts";
import type { Change } from "../order-change.ts";
import type {
  CancelRequest,
  OrderDocument,
  OrderLine,
  ReceivedItem,
  RefundRecord,
  ReturnCondition,
} from "../collections.ts";
import {
  countQuantities,
  countUnshipped,
  listAwaited,
  listKept,
  nameItems,
  listPieces,
  pickMovedItems,
  listReceipts,
  resolveStatus,
  listUnshipped,
  setBackordered,
  withoutPieces,
} from "../quantities.ts";
import { sumDisputed, createDisputedError } from "../disputes.ts";
import type { PaidBy, RefundReason } from "../resources.ts";
import { assertCancellable } from "../transitions.ts";
import {
  type NewRefund,
  type RefundAnswer,
  findRefund,
  isOfPieces,
  listRefused,
  listUnrefunded,
  NOT_TAKEN,
  record,
  computePaid,
  refundDue,
  computeRefundable,
  computeRefundableIfWon,
  reserve,
  settle,
  isTaken,
  findRevived,
  withRefundDue,
  computeOwed,
} from "./ledger.ts";

/**
 * Pure decisions. A cancellation begins with `begin`, a refund with `requestRefund`; `settleRefund` ends both.
 */

/**
 * Cancels at once if there is nothing to refund; else reserves the refund and marks the order as being cancelled,
 * unseen by clients, so that it cannot be shipped, cancelled or refunded meanwhile.
 * @throws ORDER_NOT_CANCELLABLE
 */
export function begin(order: OrderDocument, request: CancelRequest, newRefundId: string, now: Date): Change {
  assertCancellable(order);
  const { reason, actor, adminNote, force, runId } = request;
  const amount = computeRefundable(order);
  if (amount === 0) return cancelOrder(order, { ...request, refundId: null }, newRefundId, now);
  const newRefund = { refundId: newRefundId, amount, reason, actor, createdAt: now.toISOString() };
  const { order: next, refundId } = reserve(order, newRefund);
  return { order: { ...next, cancelling: { refundId, reason, actor, adminNote, force, runId } }, actor };
}

function cancelOrder(
  order: OrderDocument,
  { reason, actor, adminNote = order.adminNote, runId, refundId }: CancelRequest & { refundId: string | null },
  newRefundId: string,
  now: Date,
): Change {
  const cancellation = { reason, actor, at: now, refundId, runId };
  const next = { ...order, status: "cancelled", adminNote, cancelling: undefined, cancellation } as const;
  const settled = refundId === null ? undefined : findRefund(order, refundId);
  const orderWithDue = withRefundDue(next, { now, newRefundId, settled });
  // What is due of an order that was cancelled without a refund follows as order.refunded.
  const shownId = refundId && orderWithDue.cancellation!.refundId;
  return { order: orderWithDue, actor, event: { channel: "order.cancelled", reason, refundId: shownId } };
}

/**
 * The change of a refund that is settled outside of a cancellation. Its actor is who asked for it, the system if that
 * was a retry, or the provider if the refund failed.
 */
function createRefundChange(previousOrder: OrderDocument, order: OrderDocument, refundId: string): Change {
  const refund = findRefund(order, refundId);
  if (refund && refund.status !== "failed") {
    const actor = refund.attempts === undefined ? refund.actor : "system";
    return { order, actor, event: { refundId, ...createRefundEvent(previousOrder, order, refund) } };
  }
  const event = {
    channel: "order.refunded",
    reason: refund?.reason ?? null,
    refundId,
    ...markRepeated(refund),
  } as const;
  return { order, actor: "payment-provider", event };
}

function createRefundEvent(previousOrder: OrderDocument, order: OrderDocument, refund: RefundRecord) {
  const { amount, reason, items, cancels, returnId, restockingFee, condition, lines, paidBy } = refund;
  const moved = nameItems(order, items ?? []);
  const cancelReason = reason ?? "other";
  if (cancels && order.status === "cancelled" && previousOrder.status !== "cancelled")
    return { channel: "order.cancelled", reason: cancelReason, ...(amount === 0 && { refundId: null }) } as const;
  const counts = countCancelled(order, refund);
  const cancelledItems = listPieces(order, (_quantities, index) => getAt(counts, index));
  const shippedItems = withoutPieces(moved, cancelledItems);
  const rest = shippedItems.length > 0 && { shippedItems };
  if (cancelledItems.length > 0)
    return { channel: "order.lines_cancelled", reason: cancelReason, items: cancelledItems, ...rest } as const;
  if (returnId !== undefined)
    return {
      channel: "order.returned",
      ...{ returnId, restockingFee, condition },
      items: lines?.slice() ?? moved,
    } as const;
  return { channel: "order.refunded", reason, items: items && moved, paidBy, ...markRepeated(refund) } as const;
}

/** Counts the pieces of each line that a refund cancels: those that had not shipped. */
function countCancelled(order: OrderDocument, { refundId }: RefundRecord): number[] {
  const refunds = order.refunds.filter((refund) => refund.refundId !== refundId);
  const without = countQuantities({ ...order, refunds });
  return countQuantities(order).map((quantities, index) => quantities.cancelled - getAt(without, index).cancelled);
}

/** Takes cancelled pieces off those that wait or were not counted: what is on the shelf is for the others. */
function cancelWaiting(order: OrderDocument, refund: RefundRecord): OrderDocument {
  const [quantities, counts] = [countQuantities(order), countCancelled(order, refund)];
  const take = (line: OrderLine, index: number): OrderLine => {
    const count = getAt(counts, index);
    if (count === 0) return line;
    const waiting = Math.min(line.backordered ?? 0, countUnshipped(getAt(quantities, index)) + count);
    const next = { ...line, uncounted: Math.max(0, (line.uncounted ?? 0) - count) || undefined };
    return waiting > 0 ? setBackordered(next, waiting - count) : next;
  };
  return { ...order, items: order.items.map(take), knownItems: order.knownItems?.map(take) };
}

const SETTLED = { status: "succeeded", providerRefundId: null } as const;

/** Marks another try of money that the buyer was promised, and its failure. */
const markRepeated = (refund: RefundRecord | undefined) => (refund?.promised ? ({ repeated: true } as const) : {});

export interface RefundRequest {
  amount?: Cents;
  items?: readonly ReceivedItem[] | undefined;
  reason: RefundReason;
  actor: string;
  /** The items are cancelled with it: at most what is left is paid back, nothing if all was. */
  cancels?: true;
  /** The return of which items have come back, all that are awaited unless named: the same, less its restocking fee. */
  returnId?: string;
  /** Kept from what has come back; what is left of the return's fee unless given. */
  restockingFee?: Cents | undefined;
  condition?: ReturnCondition | undefined;
}

/**
 * Reserves the refund's amount, so that concurrent refunds together never exceed the total. Pieces that are cancelled
 * or returned count from now on, so that none is shipped or returned twice. Items that have not shipped are cancelled
 * with their refund.
 * @throws VALIDATION_FAILED naming `amount` or `items` if it is more than is left; PAYMENT_DISPUTED if a dispute has
 * the money; INVALID_TRANSITION if nothing was
 * paid, nothing is left, the order is being cancelled, or pieces are shipped or cancelled already
 */
export function requestRefund(
  order: OrderDocument,
  refundRequest: RefundRequest,
  newRefundId: string,
  now: Date,
): { change: Change; refundId: string } {
  if (!isCharged(order.paymentStatus))
    throw createNotRefundableError(order, `An order whose payment is ${order.paymentStatus} has nothing to refund`);
  if (order.cancelling) throw createNotRefundableError(order, "The order is being cancelled");
  if (refundRequest.amount !== undefined && refundRequest.items)
    throw invalidField("items", "cannot be given together with 'amount'");
  const left = computeRefundable(order);
  const repeated = findRevived(order, { ...refundRequest, amount: refundRequest.amount ?? left });
  if (repeated) {
    const refunds = order.refunds.map((refund) => (refund === repeated ? { ...refund, refused: undefined } : refund));
    return { change: { order: { ...order, refunds }, actor: refundRequest.actor }, refundId: repeated.refundId };
  }
  if (isOfPieces(refundRequest)) return requestOfPieces(order, refundRequest, left, newRefundId, now);
  const { reason, actor, items: namedItems } = refundRequest;
  const amount = namedItems ? computePaid(order, namedItems) : (refundRequest.amount ?? left);
  if (amount > left || left === 0) assertNotDisputed(order, amount, left);
  if (amount > left) {
    const [requestedAmount, rest] = [amount, left].map((cents) => formatAmount(cents, order.currency));
    throw invalidField(namedItems ? "items" : "amount", `is ${requestedAmount}, but only ${rest} is left to refund`);
  }
  if (amount === 0)
    throw left === 0
      ? createNothingLeftError(order)
      : createNotRefundableError(order, "Nothing was paid for these items");
  const isOfAll = amount === computeRefundableIfWon(order) && listUnshipped(order).length > 0;
  const items = namedItems ?? (isOfAll ? listUnrefunded(order, listKept(order)) : undefined);
  const cancels = items && (true as const);
  const newRefund = { refundId: newRefundId, amount, reason, actor, items, cancels, createdAt: now.toISOString() };
  return cancelWithLast(order, newRefund, now) ?? reserveRefund(order, newRefund);
}

/**
 * Cancels the order if a refund is of its last pieces: one refund of all that is left, of which the buyer hears once.
 * Undefined while others are being cancelled, or if nothing is left to refund.
 */
function cancelWithLast(order: OrderDocument, refund: NewRefund, now: Date) {
  const settled = { ...refund, ...SETTLED, figureBefore: order.chargeRefunded };
  const isLast = refund.cancels && resolveStatus({ ...order, refunds: [...order.refunds, settled] }) === "cancelled";
  if (!isLast || computeRefundable(order) === 0) return undefined;
  const request = { reason: refund.reason ?? "other", actor: refund.actor, force: false } as const;
  const change = begin(order, request, refund.refundId, now);
  return { change, refundId: change.order.cancelling?.refundId ?? refund.refundId };
}

/** @throws INVALID_TRANSITION if nothing stays paid for other pieces that are still to be shipped */
function reserveRefund(order: OrderDocument, refund: NewRefund) {
  const rest = withoutPieces(listUnshipped(order), refund.cancels ? nameItems(order, refund.items ?? []) : []);
  if (rest.length > 0 && refund.amount === computeRefundableIfWon(order)) {
    const pieces = rest.map(({ quantity, partNumber }) => `${quantity} × ${partNumber}`).join(", ");
    const message = `It would leave nothing paid for ${pieces}, to be shipped or cancelled first, or with it`;
    throw new PartlineError("INVALID_TRANSITION", message, [{ code: "nothing_paid", message, values: { pieces } }]);
  }
  const { order: next, refundId } = reserve(order, refund);
  return { change: { order: next, actor: refund.actor }, refundId };
}

/** @throws PAYMENT_DISPUTED if it is for a dispute that there is not so much to refund */
function assertNotDisputed(order: OrderDocument, amount: Cents, left: Cents): void {
  const disputed = sumDisputed(order);
  if (!order.refundsBlocked && (disputed === 0 || amount > left + disputed)) return;
  const formatCents = (cents: Cents): string => formatAmount(cents, order.currency);
  const has = order.refundsBlocked
    ? "The payment is disputed"
    : `A dispute has ${formatCents(disputed)} of the payment`;
  throw createDisputedError(order, `${has}, and ${formatCents(left)} is left to refund`);
}

function requestOfPieces(
  order: OrderDocument,
  { items: namedItems, reason, actor, cancels, returnId, restockingFee: namedFee, condition }: RefundRequest,
  most: Cents,
  newRefundId: string,
  now: Date,
): { change: Change; refundId: string } {
  const expectedReturn = returnId === undefined ? undefined : findReturn(order, returnId);
  if (expectedReturn?.state === "requested" && expectedReturn.cancelledAt === undefined)
    throw new PartlineError("INVALID_TRANSITION", "The return is not approved yet", { returnId });
  const receipts = expectedReturn ? listReceipts(order, expectedReturn.returnId) : [];
  const left = expectedReturn ? listAwaited(order, expectedReturn) : listUnshipped(order);
  const last = receipts.at(-1);
  if (last && left.length === 0 && !namedItems) return { change: { order, actor }, refundId: last.refundId };
  const items = pickMovedItems(order, namedItems, left, expectedReturn ? "receive" : "cancel");
  const paidItems = expectedReturn ? listUnrefunded(order, items) : items;
  const paid = computePaid(order, paidItems, "what is left");
  const lines = expectedReturn && namedItems ? listReceived(order, namedItems, condition) : undefined;
  const lineFee = lines && sumFees(lines);
  if (namedFee !== undefined && lineFee !== undefined)
    throw invalidField("restockingFee", "cannot be given together with fees of lines");
  const fee = namedFee ?? lineFee;
  // What comes first bears the fee, as far as it goes.
  const feeLeft = receipts.reduce(
    (rest, receipt) => rest - (receipt.restockingFee ?? 0),
    expectedReturn?.restockingFee ?? 0,
  );
  if (fee !== undefined) assertFee(order, items, fee);
  const restockingFee = fee ?? Math.max(0, Math.min(computeOwed(order, items), feeLeft));
  const worth = paid - restockingFee;
  const amount = Math.max(0, Math.min(most, worth));
  const withheld = (order.withheld ?? 0) + Math.max(0, Math.min(computeRefundableIfWon(order), worth) - amount);
  const createdAt = now.toISOString();
  const newRefund = {
    ...{ refundId: newRefundId, amount, reason, actor, items, paidItems, cancels, returnId, lines, createdAt },
    restockingFee: restockingFee || undefined,
    condition: lines ? findCommonCondition(lines) : condition,
  };
  const cancellation = cancelWithLast(order, newRefund, now);
  if (cancellation) return cancellation;
  if (amount > 0) return reserveRefund({ ...order, withheld: withheld || undefined }, newRefund);
  const nothing: RefundRecord = { ...newRefund, ...SETTLED, figureBefore: order.chargeRefunded };
  const orderWithRefund = { ...order, withheld: withheld || undefined, refunds: [...order.refunds, nothing] };
  const next = withStatusOfLines(orderWithRefund, nothing, now);
  return { change: createRefundChange(order, next, newRefundId), refundId: newRefundId };
}

/** Cancels what has not shipped, if the whole payment is refunded. */
export function cancelUnpaid(
  order: OrderDocument,
  { actor, now, newRefundId }: { actor: string; now: Date; newRefundId: string },
): Change | undefined {
  const items = listUnshipped(order);
  if (order.paymentStatus !== "refunded" || order.cancelling || items.length === 0) return undefined;
  return requestRefund(order, { items, cancels: true, reason: "other", actor }, newRefundId, now).change;
}

/** Returns the pieces as their lines say they came back; undefined where no line says it. */
function listReceived(
  order: OrderDocument,
  namedItems: readonly ReceivedItem[],
  usual: ReturnCondition | undefined,
): RefundRecord["lines"] {
  if (namedItems.every(({ condition, restockingFee }) => condition === undefined && restockingFee === undefined))
    return undefined;
  return nameItems(order, namedItems).map(({ condition = usual, ...item }) => ({ ...item, condition }));
}

/** Undefined if no line has a fee. */
function sumFees(lines: readonly ReceivedItem[]): Cents | undefined {
  const fees = lines.flatMap(({ restockingFee }) => restockingFee ?? []);
  return fees.length === 0 ? undefined : fees.reduce((sum, fee) => sum + fee, 0);
}

function findCommonCondition(lines: readonly ReceivedItem[]): ReturnCondition | undefined {
  const conditions = [...new Set(lines.map(({ condition }) => condition))];
  return conditions.length === 1 ? conditions[0] : undefined;
}

function withStatusOfLines(order: OrderDocument, refund: RefundRecord, now: Date): OrderDocument {
  if (!refund.cancels) return order;
  const next = { ...cancelWaiting(order, refund), status: resolveStatus(order) };
  if (next.status !== "cancelled" || order.status === "cancelled") return next;
  const { reason, actor, refundId } = refund;
  return { ...next, cancellation: { reason: reason ?? "other", actor, at: now, refundId } };
}

/**
 * Settles a refund by the provider's answer; webhooks may have come first. A failed one frees its amount, or stays due if
 * the order is cancelled. The refund of a cancellation ends that too: the order is cancelled if it went through, if the
 * charge has nothing left or a dispute has the money, or by force, and else is as it was.
 */
export function settleRefund(
  order: OrderDocument,
  refundId: string,
  outcome: RefundAnswer,
  newRefundId: string,
  now: Date,
): Change | undefined {
  const settled = settle(order, refundId, outcome);
  const { cancelling, status } = order;
  if (cancelling?.refundId !== refundId)
    return settled === order ? undefined : refundMoved(order, settled, refundId, { now, newRefundId });
  const next = { ...settled, cancelling: undefined };
  if (status === "cancelled") return refundMoved(order, next, refundId, { now, newRefundId });
  const failed = findRefund(settled, refundId)?.status === "failed";
  if (failed && (outcome === "already refunded" || outcome === "disputed"))
    return cancelOrder(next, { ...cancelling, refundId: null }, newRefundId, now);
  if (failed && !cancelling.force) return { order: next, actor: cancelling.actor };
  return cancelOrder(next, cancelling, newRefundId, now);
}

/** Returns the change by a refund's new state; without an event if no money moved. */
export function refundMoved(
  order: OrderDocument,
  next: OrderDocument,
  refundId: string,
  { now, newRefundId }: { now: Date; newRefundId: string },
): Change {
  const refund = findRefund(next, refundId);
  const previousRefund = findRefund(order, refundId);
  const isNew = previousRefund?.providerRefundId === null;
  const wentThrough = refund !== undefined && refund.status !== "failed" && isNew;
  const moved = wentThrough ? withStatusOfLines(next, refund, now) : next;
  const orderWithDue = withRefundDue(moved, {
    now,
    newRefundId,
    settled: refund,
    wasTaken: previousRefund && isTaken(previousRefund),
  });
  // The charge's figure may have included the money before.
  const isNews = orderWithDue.refundedAmount !== order.refundedAmount || (wentThrough && isOfPieces(refund));
  return isNews
    ? { ...createRefundChange(order, moved, refundId), order: orderWithDue }
    : { order: orderWithDue, actor: "system" };
}

interface PaidElsewhere {
  refundId: string;
  paidBy: PaidBy;
  actor: string;
  now: Date;
}

/**
 * Records that what is due was paid without the provider, which is not asked for it any more. Should it have taken a
 * request all the same, that counts as a refund of its own. Undefined if it is recorded already.
 * @throws INVALID_TRANSITION if nothing is due that the provider refused, and while it is being asked
 */
export function settleElsewhere(
  order: OrderDocument,
  { refundId, paidBy, actor, now }: PaidElsewhere,
): Change | undefined {
  if (findRefund(order, refundId)) return undefined;
  const refused = listRefused(order);
  const [first] = refused;
  if (!first) {
    const why = refundDue(order) > 0 ? "The payment provider has not refused what is due" : "No refund is due";
    throw createNotRefundableError(order, why);
  }
  if (order.leasedUntil && order.leasedUntil > now && order.leasedUntil.getTime() === order.resumeAt?.getTime())
    throw createNotRefundableError(order, "The payment provider is being asked for it now. Try again in a moment");
  const { cancellation } = order;
  const freed = refused.reduce((rest, refund) => settle(rest, refund.refundId, NOT_TAKEN), order);
  const next = record(freed, {
    ...{ refundId, paidBy, actor, status: "succeeded", providerRefundId: null },
    amount: refused.reduce((sum, { amount }) => sum + amount, 0),
    reason: first.reason,
    items: refused.length === 1 ? first.items : undefined,
    figureBefore: order.chargeRefunded,
    createdAt: now.toISOString(),
  });
  return createRefundChange(order, { ...next, cancellation: cancellation && { ...cancellation, refundId } }, refundId);
}

export function createNothingLeftError(order: OrderDocument): PartlineError {
  const dueCents = refundDue(order);
  if (dueCents === 0) return createNotRefundableError(order, "Nothing is left to refund");
  const left = formatAmount(dueCents, order.currency);
  return createNotRefundableError(order, `What is left, ${left}, is due already and tried until it goes through`);
}

function createNotRefundableError(order: OrderDocument, message: string): PartlineError {
  return new PartlineError("INVALID_TRANSITION", message, { paymentStatus: order.paymentStatus });
}
