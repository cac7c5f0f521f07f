import { STORE_CURRENCY } from "../../../broker/contract/common.ts";
import { ORDER_STATUSES, PAYMENT_STATUSES } from "../../../broker/contract/placed-order.ts";
import { averageOrderValue, bySales, revenueInUnits } from "../../../broker/contract/revenue.ts";
import { toDecimal } from "../../../mixins/money.ts";
import { countAt, countsAt, type Counters } from "../projections/counters.ts";
import { addedUp, PartSums, type PartRow, type PartsHour } from "../projections/orders.ts";
import type { Sum } from "./sums.ts";

export function orderFigures(sum: Counters) {
  return {
    totalOrders: countAt(sum, "orders"),
    byStatus: Object.fromEntries(ORDER_STATUSES.map((status) => [status, countAt(sum, "status", status)])),
    byPaymentStatus: Object.fromEntries(PAYMENT_STATUSES.map((status) => [status, countAt(sum, "payment", status)])),
    byEvent: countsAt(sum, "happened"),
  };
}

export function orderSlot(sum: Counters) {
  return { orders: countAt(sum, "orders"), charged: chargedIn(sum), cancelled: countAt(sum, "status", "cancelled") };
}

export function revenueFigures(sum: Counters) {
  const { charged, averageOrderValue: average, ...revenue } = revenueSlot(sum);
  return {
    currency: STORE_CURRENCY,
    chargedOrders: charged,
    revenue,
    averageOrderValue: average,
    otherCurrencies: currenciesOf(sum)
      .filter((currency) => currency !== STORE_CURRENCY)
      .sort()
      .map((currency) => {
        const { orders, gross, refunded } = countsIn(sum, currency);
        return { currency, orders, grossMinor: gross, refundedMinor: refunded, netMinor: gross - refunded };
      }),
  };
}

export class SoldParts implements Sum<PartsHour> {
  readonly #sold = new PartSums();

  add(_hour: string, { parts }: PartsHour): void {
    this.#sold.add(parts);
  }

  /** Names a part by the number under which most pieces were sold. */
  top(limit: number, by: "revenue" | "quantity" = "revenue") {
    const byQuantity = (one: PartRow, other: PartRow): number => other.quantity - one.quantity;
    const parts = new Map<string, PartRow>();
    for (const part of this.#sold
      .rows()
      .sort((one, other) => byQuantity(one, other) || (one.partNumber < other.partNumber ? -1 : 1)))
      parts.set(part.productId, addedUp(parts.get(part.productId), part));
    return [...parts.values()]
      .sort((one, other) => (by === "quantity" && byQuantity(one, other)) || bySales(one, other))
      .slice(0, limit)
      .map((part) => ({ ...part, revenue: toDecimal(part.revenue) }));
  }
}

function currenciesOf({ revenue }: Counters): string[] {
  return typeof revenue === "object" ? Object.keys(revenue) : [];
}

function countsIn(sum: Counters, currency: string) {
  const at = (name: string): number => countAt(sum, "revenue", currency, name);
  return { orders: at("orders"), gross: at("gross"), refunded: at("refunded") };
}

function chargedIn(sum: Counters): number {
  return currenciesOf(sum).reduce((charged, currency) => charged + countsIn(sum, currency).orders, 0);
}

export function revenueSlot(sum: Counters) {
  const { orders, ...revenue } = countsIn(sum, STORE_CURRENCY);
  return { charged: orders, ...revenueInUnits(revenue), averageOrderValue: averageOrderValue(revenue.gross, orders) };
}
