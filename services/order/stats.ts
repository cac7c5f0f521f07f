import { setImmediate as nextTurn } from "node:timers/promises";
import { STORE_CURRENCY } from "../shared/commerce.ts";
import { isCharged, ORDER_STATUSES, PAYMENT_STATUSES } from "../shared/placed-order.ts";
import {
  computeAverageOrderValue,
  compareSales,
  hasSales,
  toRevenueInUnits,
  type PartSales,
  type Revenue,
} from "../shared/revenue.ts";
import type { Infer } from "@partline/api-contracts";
import { shopDays } from "../../mixins/shop/shop-days.ts";
import { getAt } from "@partline/toolkit";
import { toDecimal } from "@partline/parts-language";
import type { OrderDocument, OrderLine } from "./collections.ts";
import { sumDisputed } from "./disputes.ts";
import { countQuantities, type MovedOrder } from "./quantities.ts";
import type { orderStatsRule } from "./resources.ts";

const TOP_PARTS = 10;
/** Orders counted before the event loop is yielded. */
const COUNTED_AT_ONCE = 200;

type CountedOrder = Pick<
  OrderDocument,
  "paymentStatus" | "total" | "currency" | "refundedAmount" | "disputes" | "createdAt" | keyof MovedOrder
>;

/** Adds up orders; the contract's result says what each figure means. */
export class OrderStats {
  #orders = 0;
  #charged = 0;
  readonly #revenue: Revenue = { gross: 0, refunded: 0, disputed: 0 };
  readonly #byStatus = zeros(ORDER_STATUSES);
  readonly #byPaymentStatus = zeros(PAYMENT_STATUSES);
  readonly #otherCurrencies = new Map<string, number>();
  readonly #byDay = new Map<string, Revenue & { orders: number }>();
  readonly #parts = new Map<string, PartSales & Pick<OrderLine, "partNumber" | "name">>();

  add(order: CountedOrder): void {
    const date = shopDays().findDay(order.createdAt);
    const day = this.#byDay.get(date) ?? { orders: 0, gross: 0, refunded: 0, disputed: 0 };
    this.#byDay.set(date, day);
    this.#orders += 1;
    day.orders += 1;
    this.#byStatus[order.status] += 1;
    this.#byPaymentStatus[order.paymentStatus] += 1;
    if (!isCharged(order.paymentStatus)) return;
    // Its amounts may not be hundredths (yen are not), so they are not comparable.
    if (order.currency !== STORE_CURRENCY) {
      this.#otherCurrencies.set(order.currency, (this.#otherCurrencies.get(order.currency) ?? 0) + 1);
      return;
    }
    this.#charged += 1;
    for (const revenue of [this.#revenue, day]) {
      revenue.gross += order.total;
      revenue.refunded += order.refundedAmount;
      revenue.disputed += sumDisputed(order);
    }
    if (!hasSales(order)) return;
    for (const [index, quantities] of countQuantities(order).entries()) {
      const { productId, partNumber, name, quantity, price } = getAt(order.items, index);
      const soldQuantity = quantity - quantities.cancelled - quantities.returned;
      if (soldQuantity === 0) continue;
      const part = this.#parts.get(productId) ?? { productId, partNumber, name, quantity: 0, revenue: 0 };
      part.quantity += soldQuantity;
      part.revenue += price * soldQuantity;
      this.#parts.set(productId, part);
    }
  }

  result(): Infer<typeof orderStatsRule> {
    return {
      totalOrders: this.#orders,
      revenue: toRevenueInUnits(this.#revenue),
      averageOrderValue: computeAverageOrderValue(this.#revenue.gross, this.#charged),
      otherCurrencies: Object.fromEntries(this.#otherCurrencies),
      byStatus: this.#byStatus,
      byPaymentStatus: this.#byPaymentStatus,
      byDay: [...this.#byDay]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([date, day]) => ({ date, orders: day.orders, ...toRevenueInUnits(day) })),
      topParts: [...this.#parts.values()]
        .sort(compareSales)
        .slice(0, TOP_PARTS)
        .map((part) => ({ ...part, revenue: toDecimal(part.revenue) })),
    };
  }
}

/** Counts a stream of orders without holding it in memory or blocking the event loop. */
export async function computeStats(orders: AsyncIterable<CountedOrder>) {
  const stats = new OrderStats();
  let counted = 0;
  for await (const order of orders) {
    stats.add(order);
    counted += 1;
    if (counted % COUNTED_AT_ONCE === 0) await nextTurn();
  }
  return stats.result();
}

function zeros<K extends string>(keys: readonly K[]): Record<K, number> {
  return Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;
}
