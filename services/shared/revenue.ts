import { type Cents, toDecimal } from "@partline/parts-language";
import { STORE_CURRENCY } from "./commerce.ts";
import { isCharged, type PaymentStatus } from "./placed-order.ts";

export interface Revenue {
  /** Totals of the orders whose payment was taken, cancelled ones included. */
  gross: Cents;
  /** Refunded of that until now. */
  refunded: Cents;
  /** Part of the rest that disputes withhold or took. */
  disputed: Cents;
}

/** Returns whether an order's lines are sales: paid, not cancelled, and in the currency that alone is added up. */
export function hasSales(order: { status: string; paymentStatus: PaymentStatus; currency: string }): boolean {
  return isCharged(order.paymentStatus) && order.currency === STORE_CURRENCY && order.status !== "cancelled";
}

/** Returns revenue in currency units, for the store's currency alone: others may not have hundredths. */
export function toRevenueInUnits({
  gross,
  refunded: refundedCents,
  disputed,
}: Revenue): Record<keyof Revenue | "net", number> {
  const net = gross - refundedCents - disputed;
  return {
    gross: toDecimal(gross),
    refunded: toDecimal(refundedCents),
    disputed: toDecimal(disputed),
    net: toDecimal(net),
  };
}

/** Computes the average order value in currency units, to the cent; 0 without an order. */
export function computeAverageOrderValue(gross: Cents, orders: number): number {
  return orders === 0 ? 0 : toDecimal(Math.round(gross / orders));
}

/** Orders by revenue, then pieces, then id. */
export function compareSales(first: PartSales, second: PartSales): number {
  return (
    second.revenue - first.revenue || second.quantity - first.quantity || (first.productId < second.productId ? -1 : 1)
  );
}

export interface PartSales {
  productId: string;
  /** Pieces less those cancelled or returned: what one buys again by. */
  quantity: number;
  /** Price times quantity, before tax, shipping, discounts and partial refunds. */
  revenue: Cents;
}
