import { isCharged } from "../../broker/contract/placed-order.ts";
import { PartlineError, validationFailed } from "../../mixins/errors.ts";
import { formatAmount, subtotalOf, type Cents } from "../../mixins/money.ts";
import type { Change } from "./change.ts";
import type { OrderDocument, OrderLine, RefundedItem } from "./collections.ts";
import { refundedBy } from "./cancellation.ts";
import { refundDue, withRefundDue } from "./refund-due.ts";
import { findRefund, refundable, reserve, settle, settleAsRefunded, throughAfterAll, type RefundOutcome } from "./refund-ledger.ts";
import type { RefundReason } from "./resources.ts";

/** How a refund without a cancellation goes, as pure decisions: request, then settle once the provider has answered. */

export interface RefundRequest {
  amount?: Cents;
  items?: RefundedItem[];
  reason: RefundReason;
  actor: string;
}

/**
 * Reserves the refund's amount, so that refunds at the same moment never exceed the total together.
 * @throws VALIDATION_FAILED naming `amount` or `items` when it is more than is left; INVALID_TRANSITION when nothing was
 * paid, nothing is left, or the order is being cancelled
 */
export function request(order: OrderDocument, wanted: RefundRequest, newRefundId: string, now: Date): { change: Change; refundId: string } {
  if (!isCharged(order.paymentStatus)) throw notRefundable(order, `An order whose payment is ${order.paymentStatus} has nothing to refund`);
  if (order.cancelling) throw notRefundable(order, "The order is being cancelled");
  const left = refundable(order);
  const amount = amountOf(order, wanted, left);
  const repeated = throughAfterAll(order, amount);
  if (repeated) {
    const refunds = order.refunds.map((refund) => (refund === repeated ? { ...refund, refused: undefined } : refund));
    return { change: { order: { ...order, refunds }, actor: wanted.actor }, refundId: repeated.refundId };
  }
  if (amount > left) {
    const field = wanted.items ? "items" : "amount";
    throw validationFailed({ field, message: `The '${field}' field comes to ${formatAmount(amount, order.currency)}, and ${formatAmount(left, order.currency)} is left to refund.` });
  }
  if (amount === 0) throw nothingLeft(order);
  const { reason, actor, items } = wanted;
  const reserved = reserve(order, { refundId: newRefundId, amount, reason, actor, items, createdAt: now.toISOString() });
  return { change: { order: reserved.order, actor }, refundId: reserved.refundId };
}

/** What became of a refund at the provider; one that did not go through frees its amount again, or stays due when the order is cancelled. */
export function settled(order: OrderDocument, refundId: string, outcome: RefundOutcome | "already refunded", newRefundId: string, now: Date): Change | undefined {
  const next = outcome === "already refunded" ? settleAsRefunded(order, refundId) : settle(order, refundId, outcome);
  if (next === order) return undefined;
  const refund = findRefund(next, refundId);
  const due = withRefundDue(next, { now, newRefundId, failed: refund?.status === "failed" ? refund : undefined });
  return due.refundedAmount === order.refundedAmount ? { order: due, actor: "system" } : { ...refundedBy(next, refundId), order: due };
}

export function nothingLeft(order: OrderDocument): PartlineError {
  const due = refundDue(order);
  return notRefundable(order, due === 0 ? "Nothing is left to refund" : `What is left, ${formatAmount(due, order.currency)}, is due already and tried until it goes through`);
}

function notRefundable(order: OrderDocument, message: string): PartlineError {
  return new PartlineError("INVALID_TRANSITION", message, { paymentStatus: order.paymentStatus });
}

function amountOf(order: OrderDocument, { amount, items }: RefundRequest, left: Cents): Cents {
  if (amount !== undefined && items) {
    throw validationFailed({ field: "items", message: "The 'items' field cannot be given together with 'amount'." });
  }
  if (items) return subtotalOf(priced(order, items));
  return amount ?? left;
}

/** The order's own prices of these items. */
function priced(order: OrderDocument, items: RefundedItem[]): { unitPrice: Cents; quantity: number }[] {
  const left = linesLeft(order);
  return items.flatMap((item, index) => {
    const lines = namedLines(left, item, `items[${index}]`);
    const available = lines.reduce((total, line) => total + line.quantity, 0);
    if (item.quantity > available) {
      const message = `The 'items[${index}].quantity' field is ${item.quantity}, and ${available} of ${lines[0]!.partNumber} is left to refund.`;
      throw validationFailed({ field: `items[${index}].quantity`, message });
    }
    return takeFrom(lines, item.quantity);
  });
}

/**
 * The lines of the one product that an item names. Part numbers are unique within a vendor alone, so one may stand for
 * several products of an order.
 * @throws VALIDATION_FAILED when it names no product, or several
 */
function namedLines(lines: readonly OrderLine[], item: RefundedItem, path: string): OrderLine[] {
  const field = `${path}.${item.productId === undefined && item.partNumber !== undefined ? "partNumber" : "productId"}`;
  if (item.productId === undefined && item.partNumber === undefined) {
    throw validationFailed({ field, message: `The '${field}' field is required without a 'partNumber'.` });
  }
  const named = lines.filter((line) => isNamed(line, item));
  if (named.length === 0) throw validationFailed({ field, message: `The '${field}' field names no item of the order.` });
  const products = new Set(named.map(({ productId }) => productId));
  if (products.size > 1) {
    const message = `The '${field}' field names ${products.size} products of the order; 'productId' tells them apart: ${[...products].join(", ")}.`;
    throw validationFailed({ field, message });
  }
  return named;
}

function isNamed(line: OrderLine, { productId, partNumber }: RefundedItem): boolean {
  return (productId ?? line.productId) === line.productId && (partNumber ?? line.partNumber) === line.partNumber;
}

function linesLeft(order: OrderDocument): OrderLine[] {
  const lines = order.items.map((line) => ({ ...line }));
  for (const refund of order.refunds) {
    if (refund.status === "failed") continue;
    for (const item of refund.items ?? []) takeFrom(lines.filter((line) => isNamed(line, item)), item.quantity);
  }
  return lines;
}

/** Takes the quantity off the lines, and answers what was taken at which price. */
function takeFrom(lines: OrderLine[], quantity: number): { unitPrice: Cents; quantity: number }[] {
  let missing = quantity;
  return lines.map((line) => {
    const taken = Math.min(missing, line.quantity);
    line.quantity -= taken;
    missing -= taken;
    return { unitPrice: line.price, quantity: taken };
  });
}
