import { getAt } from "@partline/toolkit";
import { shopDays } from "../../mixins/shop/shop-days.ts";
import type { OrderDocument, OrderLine } from "./collections.ts";
import { countQuantities, countUnshipped } from "./quantities.ts";

/** Marks a line whose pieces come later than the buyer was shown. */
export function markLate(line: OrderLine, now: Date): OrderLine {
  return { ...line, lateAt: line.lateAt ?? now.toISOString() };
}

/**
 * Finds the days that the buyer was shown before paying, of the order and of each line, as far as they count: until the
 * day or the pieces are there, a carrier names a day of its own, another day is announced, or pieces are missing.
 */
export function findPromises(order: OrderDocument) {
  const { items, status, paymentStatus, shipments = [] } = order;
  const quantities = countQuantities(order);
  const today = shopDays().findDay(new Date());
  const lines = items.map((line, index) => ({ ...line, ...getAt(quantities, index) }));
  const isOver = status === "delivered" || (paymentStatus !== "paid" && paymentStatus !== "partially_refunded");
  const scheduled = new Set(
    shipments.flatMap(({ expectedAt, failedAt, items: pieces }) =>
      (expectedAt ?? failedAt) ? pieces.map(({ productId }) => productId) : [],
    ),
  );

  function find({ deliveryPromise: promise }: Pick<OrderDocument, "deliveryPromise">, rows: typeof lines) {
    if (!promise || isOver || promise.day < today) return undefined;
    const isReplaced = rows.some(({ productId, lateAt }) => scheduled.has(productId) || lateAt !== undefined);
    const isAwaited = rows.some((line) => countUnshipped(line) > 0 || (promise.kind === "arrives" && line.shipped > 0));
    return isAwaited && !isReplaced ? promise : undefined;
  }

  return { deliveryPromise: find(order, lines), linePromises: lines.map((line) => find(line, [line])) };
}
