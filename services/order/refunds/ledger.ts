import { isDeepStrictEqual } from "node:util";
import { getAt } from "@partline/toolkit";
import { invalidField } from "../../../mixins/errors.ts";
import { type Cents, computeWorth } from "@partline/parts-language";
import type { MovedItem, OrderDocument, OrderLine, RefundRecord, NamedItem } from "../collections.ts";
import { sumDisputed, sumUndisputed } from "../disputes.ts";
import { countPieces, isCounted, isNamed, findLines, listPieces, nameItems, withoutPieces } from "../quantities.ts";
import { paymentStatusAfter } from "../transitions.ts";

/**
 * How much of an order's money is refunded, being refunded, or left.
 *
 * The provider reports, late, repeatedly and in any order, the state of single refunds and a cumulative figure of the
 * charge. Refunds are records by id; the figure counts only for what no record explains (a refund at the provider's
 * console). So nothing is counted twice, and a stale message changes nothing.
 */

type Standing = Pick<RefundRecord, "status" | "providerRefundId">;

export const isTaken = ({ status }: Standing): boolean => status === "pending" || status === "succeeded";
const isRequested = ({ status }: Standing): boolean => status === "requested";
const hasComeBack = ({ status, providerRefundId }: Standing): boolean =>
  status === "failed" && providerRefundId !== null;
const isNeverTaken = ({ status, providerRefundId }: Standing): boolean =>
  status === "failed" && providerRefundId === null;

function sum(refunds: readonly RefundRecord[], which: (refund: RefundRecord) => boolean): Cents {
  return refunds.reduce((total, refund) => (which(refund) ? total + refund.amount : total), 0);
}

/** Returns how much of the figure a refund explains, also one that failed later. */
function computeExplained(refund: RefundRecord, figure: Cents): Cents {
  return isNeverTaken(refund) || refund.paidBy ? 0 : Math.min(refund.amount, Math.max(0, figure - refund.figureBefore));
}

/** Derives refundedAmount and paymentStatus after any change of the refunds or the figure. */
function withLedger(order: OrderDocument): OrderDocument {
  const { refunds, chargeRefunded, total } = order;
  const unexplained = refunds.reduce((rest, refund) => rest - computeExplained(refund, chargeRefunded), chargeRefunded);
  const refundedAmount = Math.min(total, sum(refunds, isTaken) + Math.max(0, unexplained));
  return { ...order, refundedAmount, paymentStatus: paymentStatusAfter(order.paymentStatus, refundedAmount, total) };
}

/** Returns what is still the shop's and not reserved; nothing while the provider refuses because of a dispute. */
export function computeRefundable(order: OrderDocument): Cents {
  return order.refundsBlocked ? 0 : Math.max(0, sumUndisputed(order) - sum(order.refunds, isRequested));
}

/** Returns what would be refundable if no dispute had any of it. */
export function computeRefundableIfWon(order: OrderDocument): Cents {
  return computeRefundable({ ...order, disputes: [], refundsBlocked: undefined });
}

export function findRefund(order: OrderDocument, refundId: string): RefundRecord | undefined {
  return order.refunds.find((refund) => refund.refundId === refundId);
}

export type NewRefund = Omit<RefundRecord, "status" | "providerRefundId" | "figureBefore">;
type Purpose = Pick<RefundRecord, "items" | "amount" | "returnId">;

/** Returns whether a refund is of the same items, shipped meanwhile or not, or without items of the same amount. */
function isAskedFor(order: OrderDocument, refund: RefundRecord, purpose: Purpose): boolean {
  if (refund.returnId !== purpose.returnId) return false;
  if (!purpose.items && refund.amount !== purpose.amount) return false;
  const countNamed = (items: readonly NamedItem[] = []) => countPieces(nameItems(order, items));
  return isDeepStrictEqual(countNamed(refund.items), countNamed(purpose.items));
}

/**
 * Reserves the refund's amount. A failed refund of the same that the provider never confirmed is revived under its id:
 * if only its answer was lost, the provider recognises it and does not pay twice. One of pieces that are worth less
 * now, because a part of them is refunded, is another.
 */
export function reserve(order: OrderDocument, request: NewRefund): { order: OrderDocument; refundId: string } {
  const most = isOfPieces(request) ? request.amount : computeRefundable(order);
  const revived = order.refunds.find(
    (refund) => isNeverTaken(refund) && refund.amount <= most && isAskedFor(order, refund, request),
  );
  const { refundId, amount, figureBefore } = revived ?? { ...request, figureBefore: order.chargeRefunded };
  const newRefund = {
    ...request,
    refundId,
    amount,
    figureBefore,
    status: "requested",
    providerRefundId: null,
  } as const;
  const refunds = [...order.refunds.filter((refund) => refund !== revived), newRefund];
  return { order: withLedger({ ...order, refunds }), refundId };
}

/** Finds a refund of the same that was answered with an error, and later reported as made. */
export function findRevived(order: OrderDocument, purpose: Purpose): RefundRecord | undefined {
  return order.refunds.find((refund) => refund.refused && isTaken(refund) && isAskedFor(order, refund, purpose));
}

/** Failed: the provider took it and failed it later, or (null) never took it. */
export type RefundOutcome =
  { status: "pending" | "succeeded"; providerRefundId: string } | { status: "failed"; providerRefundId: string | null };

/**
 * The provider's answer to a request for a refund. `already refunded`: the charge has nothing left; `disputed`: a
 * dispute has its money.
 */
export type RefundAnswer = RefundOutcome | "already refunded" | "disputed";

/** Statuses of refunds by the provider's own. */
export const REFUND_STATUSES: ReadonlyMap<string, RefundOutcome["status"]> = new Map([
  ["succeeded", "succeeded"],
  ["pending", "pending"],
  ["requires_action", "pending"],
  ["failed", "failed"],
  ["canceled", "failed"],
]);

export const NOT_TAKEN = { status: "failed", providerRefundId: null } as const;

/**
 * Applies the outcome of a refund, which moves requested, pending, succeeded, failed and never back: a late message
 * changes nothing. One that was given up and turns out to be taken counts.
 */
export function settle(order: OrderDocument, refundId: string, outcome: RefundAnswer): OrderDocument {
  if (outcome === "already refunded") {
    // The figure covers refunds that we do not know, and those that came back.
    const figure = order.total + sum(order.refunds, hasComeBack);
    return withChargeFigure(settle(order, refundId, NOT_TAKEN), figure);
  }
  if (outcome === "disputed") {
    const next = settle(order, refundId, NOT_TAKEN);
    // A dispute that was reported meanwhile may explain it: what that one leaves can be refunded.
    const isExplained = (findRefund(order, refundId)?.amount ?? 0) > computeRefundable(next);
    return isExplained ? next : { ...next, refundsBlocked: true };
  }
  const refund = findRefund(order, refundId);
  if (!refund) return order;
  const otherRefunds = order.refunds.filter((candidate) => candidate !== refund);
  const { providerRefundId } = refund;
  if (providerRefundId !== null && outcome.providerRefundId !== null && providerRefundId !== outcome.providerRefundId) {
    // The provider failed one refund and took the next under our id: both are kept.
    if (refund.status !== "failed" || outcome.status === "failed") return order;
    const failed = { ...refund, refundId: providerRefundId };
    return withLedger({ ...order, refunds: [...otherRefunds, failed, { ...refund, ...outcome }] });
  }
  if (rank(outcome) <= rank(refund)) return order;
  const settled: RefundRecord = { ...refund, ...outcome };
  // Who asked was answered that nothing was done: its pieces are free again.
  if (isRequested(refund) && hasComeBack(settled)) Object.assign(settled, { cancels: undefined, returnId: undefined });
  return withLedger({
    ...order,
    refunds: [...otherRefunds, isNeverTaken(settled) ? { ...settled, refused: true } : settled],
  });
}

function rank({ status, providerRefundId }: Standing): number {
  if (status === "failed") return providerRefundId === null ? 1 : 4;
  return { requested: 0, pending: 2, succeeded: 3 }[status];
}

/** Adds a refund that others made. */
export function record(order: OrderDocument, refund: RefundRecord): OrderDocument {
  return withLedger({ ...order, refunds: [...order.refunds, refund] });
}

/** Sets the charge's cumulative figure; a lower one is stale. */
export function withChargeFigure(order: OrderDocument, refundedTotal: Cents): OrderDocument {
  return refundedTotal > order.chargeRefunded ? withLedger({ ...order, chargeRefunded: refundedTotal }) : order;
}

export function hasUnsettled(order: OrderDocument): boolean {
  return order.refunds.some(isRequested);
}

/** First and longest pause, ms: after the provider refused or did not answer, and after a refund came back. */
const PAUSES_UNTAKEN = [5_000, 300_000] as const;
const PAUSES_RETURNED = [60_000, 86_400_000] as const;

/** Returns what is still to be refunded: a cancelled order's money, and what came back of pieces. */
export function refundDue(order: OrderDocument): Cents {
  if (order.status === "cancelled") return order.refundsBlocked ? 0 : sumUndisputed(order);
  return sum(listRefused(order), () => true);
}

/** Lists the refunds that the provider has refused and is asked for again. */
export const listRefused = (order: OrderDocument): RefundRecord[] =>
  order.refunds.filter((refund) => isRequested(refund) && isRetried(refund));

const isRetried = ({ attempts = 0 }: RefundRecord): boolean => attempts > 0;

export function isOfPieces({ cancels, returnId }: Pick<RefundRecord, "cancels" | "returnId">): boolean {
  return cancels === true || returnId !== undefined;
}

interface Facts {
  now: Date;
  newRefundId: string;
  /** The refund that was settled; if it failed, its money is due. */
  settled?: RefundRecord | undefined;
  /** The provider had taken it before. */
  wasTaken?: boolean;
}

/**
 * Reserves a refund of what is still owed: of a cancelled order all that is left, after a refund that the provider
 * refused, lost or failed later, or a payment that came after the cancellation; of another order what came back of
 * cancelled or returned pieces, and what a dispute withheld of them. So no money of theirs is kept; each failure makes
 * the next pause longer. Any other order is returned as it is.
 */
export function withRefundDue(order: OrderDocument, { now, newRefundId, settled, wasTaken }: Facts): OrderDocument {
  const failed = settled?.status === "failed" ? settled : undefined;
  const { cancellation } = order;
  const left = computeRefundable(order);
  const isCancelled = order.status === "cancelled";
  const cameBackOrRepeats = failed && (isRetried(failed) || (isOfPieces(failed) && hasComeBack(failed)));
  const owed = isCancelled ? left : (cameBackOrRepeats ? failed.amount : 0) + (order.withheld ?? 0);
  if ((isCancelled && !cancellation) || owed === 0) return order;
  const amount = Math.min(left, owed);
  const withheld = isDisputed(order) && owed > amount ? owed - amount : undefined;
  if (amount === 0) return withheld === order.withheld ? order : { ...order, withheld };
  const attempts = failed ? (failed.attempts ?? 0) + 1 : isCancelled ? 0 : 1;
  const untaken = failed?.providerRefundId === null;
  const reservation = reserve(
    { ...order, withheld },
    {
      refundId: newRefundId,
      amount,
      reason: cancellation?.reason ?? failed?.reason ?? null,
      actor: cancellation?.actor ?? failed?.actor ?? "system",
      attempts,
      promised: failed && (wasTaken || failed.promised) && amount <= failed.amount ? true : undefined,
      // A repeat of the same refund keeps its items, by which `reserve` revives it under its id.
      items: failed?.amount === amount ? failed.items : undefined,
      createdAt: untaken ? failed.createdAt : now.toISOString(),
    },
  );
  const pause = failed ? pauseAfter(attempts, untaken ? PAUSES_UNTAKEN : PAUSES_RETURNED) : 0;
  const next = { ...reservation.order, resumeAt: new Date(now.getTime() + pause) };
  if (!cancellation) return next;
  const shownRefund = cancellation.refundId === null ? undefined : findRefund(reservation.order, cancellation.refundId);
  if (shownRefund && shownRefund.status !== "failed") return next;
  return { ...next, cancellation: { ...cancellation, refundId: reservation.refundId } };
}

function isDisputed(order: OrderDocument): boolean {
  return order.refundsBlocked === true || sumDisputed(order) > 0;
}

function pauseAfter(failures: number, [first, longest]: readonly [number, number]): number {
  return Math.min(longest, first * 2 ** Math.min(failures - 1, 20));
}

/** A line with the quantity that is not refunded, and the worth of the lines `before` it. */
type OpenLine = OrderLine & { left: number; before: Cents };

/**
 * Returns what was paid for these items: their share of the total without shipping, with tax and less discounts. The
 * shares of all items add up to the whole, to the cent. With `upTo`, pieces that are refunded already count nothing.
 * @throws VALIDATION_FAILED naming an item that is unknown, ambiguous, or exceeds what is left
 */
export function computePaid(order: OrderDocument, items: readonly NamedItem[], upTo?: "what is left"): Cents {
  const lines = createOpenLines(order);
  const worth = computeWorth(order.items);
  const paid = Math.max(0, order.total - order.shipping);
  const share = (value: Cents): Cents => (worth === 0 ? 0 : Math.round((value * paid) / worth));
  return items
    .flatMap((item, index) => take(lines, item, `items[${index}]`, upTo !== undefined))
    .reduce((sum, { from, to }) => sum + share(to) - share(from), 0);
}

/** Returns what is still to be refunded for pieces when they come back: at most what is left of the payment. */
export const computeOwed = (order: OrderDocument, items: readonly MovedItem[]): Cents =>
  Math.min(computeRefundableIfWon(order), computePaid(order, listUnrefunded(order, items), "what is left"));

/** Leaves out pieces that were refunded before: what comes back is taken to be what the buyer has for nothing. */
export const listUnrefunded = (order: OrderDocument, items: readonly MovedItem[]): MovedItem[] =>
  withoutPieces(items, listRefunded(order));

/** Returns the pieces that are refunded, and have neither been cancelled nor come back. */
export function listRefunded(order: OrderDocument): MovedItem[] {
  const lines = createOpenLines(order);
  return listPieces(order, (quantities, index) => {
    const { quantity, left } = getAt(lines, index);
    return quantity - left - quantities.cancelled - quantities.returned;
  });
}

function createOpenLines(order: OrderDocument): OpenLine[] {
  let piecesBefore = 0;
  const lines = order.items.map((line) => {
    const open = { ...line, left: line.quantity, before: piecesBefore };
    piecesBefore += line.price * line.quantity;
    return open;
  });
  const paid = order.refunds.filter(isFirst).flatMap(({ items = [], paidItems = items }) => paidItems);
  for (const item of paid) {
    const itsLines = lines.filter((line) => isNamed(line, item));
    takeFrom(itsLines, item.quantity);
  }
  return lines;
}

/** Returns whether a refund is the first of its pieces, not another try after it came back. */
function isFirst(refund: RefundRecord): boolean {
  if (isOfPieces(refund)) return isCounted(refund);
  return refund.status !== "failed" && refund.attempts === undefined && !refund.paidBy;
}

function take(open: readonly OpenLine[], { quantity, ...item }: NamedItem, path: string, isCapped: boolean) {
  const lines = findLines(open, item, path);
  const available = lines.reduce((total, { left }) => total + left, 0);
  const left = `${available} of ${getAt(lines, 0).partNumber}`;
  if (quantity > available && !isCapped)
    throw invalidField(`${path}.quantity`, `is ${quantity}, but only ${left} is left to refund`);
  return takeFrom(lines, quantity);
}

/** Takes the quantity off the lines. @returns which stretches of the order's worth were taken */
function takeFrom(lines: OpenLine[], quantity: number): { from: Cents; to: Cents }[] {
  let missing = quantity;
  return lines.map((line) => {
    const takenQuantity = Math.min(missing, line.left);
    const from = line.before + line.price * (line.quantity - line.left);
    line.left -= takenQuantity;
    missing -= takenQuantity;
    return { from, to: from + line.price * takenQuantity };
  });
}
