import { STORE_CURRENCY } from "../shared/commerce.ts";
import {
  isCharged,
  ORDER_STATUSES,
  PAYMENT_STATUSES,
  type OrderStatus,
  type PaymentStatus,
} from "../shared/placed-order.ts";
import {
  computeAverageOrderValue,
  compareSales,
  hasSales,
  toRevenueInUnits,
  type PartSales,
} from "../shared/revenue.ts";
import { type Cents, toDecimal } from "@partline/parts-language";
import { sumByKey } from "@partline/toolkit/pure";
import type { StoredEvent } from "../contracts.ts";
import { countAt, listCounts, HourlyChanges, type Counters } from "./counters.ts";
import { toHour } from "./hours.ts";
import { defineTable, type LoadRows, type Projection, type RowWrite } from "./rows.ts";

/** Pieces that were cancelled or came back. */
type Reversal = Pick<OrderLine, "productId" | "quantity">;
type PlacedFacts = Pick<OrderMade, "total" | "currency" | "items"> & { hour: string };

/** An order by its events, in any order. */
interface OrderRow {
  made?: PlacedFacts;
  /** State by the highest version. */
  latest: { version: number; status: OrderStatus; paymentStatus: PaymentStatus };
  refunded: Cents;
  disputed?: Cents;
  reversals?: readonly Reversal[];
  versions: number[];
  /** `shipped`, for example. */
  happened: string[];
}

/** Parts sold by orders made in an hour, by productId, part number and title (orders may write them differently). */
export interface PartsHour {
  parts: PartRow[];
}

/** A row that was counted before titles were kept has none. */
export type PartRow = PartSales & { partNumber: string; name?: string };

const ORDERS = defineTable<OrderRow>("order");
/**
 * Counts of the orders made in an hour, as they are now: `orders`, `status.*`, `payment.*`, `happened.*`,
 * `revenue.<currency>.{orders,gross,refunded,disputed}`.
 */
export const ORDER_HOURS = defineTable<Counters>("orders");
export const PART_HOURS = defineTable<PartsHour>("parts");

export const ordersProjection: Projection = { name: "orders", project };

async function project(events: readonly StoredEvent[], load: LoadRows): Promise<RowWrite[]> {
  const facts = events.flatMap((event) => toOrderFact(event) ?? []);
  const orderIds = facts.map(({ orderId }) => orderId);
  const orders = await ORDERS.load(orderIds, load);
  for (const fact of facts) orders.set(fact.orderId, applyFact(orders.get(fact.orderId), fact));

  const counts = new HourlyChanges();
  const sales = new Map<string, PartSums>();
  for (const { before: previous, after } of orders.changes()) {
    count(previous, -1);
    count(after, 1);
  }
  const hours = await counts.writeTo(ORDER_HOURS, load);
  const parts = await PART_HOURS.load(sales.keys(), load);
  for (const [hour, sold] of sales) parts.set(hour, { parts: toRows(addAllSales(sold, parts.get(hour)?.parts)) });
  return [...orders.listWrites(), ...hours, ...parts.listWrites()];

  function count(order: OrderRow | undefined, factor: 1 | -1): void {
    if (!order?.made) return;
    counts.add(order.made.hour, toCounters(order, order.made), factor);
    const { hour, items, currency } = order.made;
    if (hasSales({ ...order.latest, currency }))
      sales.set(hour, addAllSales(sales.get(hour), toSales(items, order.reversals, factor)));
  }
}

/** Applies one more event to an order; a counted event changes nothing. */
function applyFact(order: OrderRow | undefined, fact: OrderFact): OrderRow {
  if (order?.versions.includes(fact.version)) return order;
  const { version, paymentStatus } = fact;
  const latest = { version, status: fact.kind === "made" ? "pending" : fact.status, paymentStatus } as const;
  const base = {
    ...{ refunded: 0, disputed: 0, happened: [], ...order },
    latest: order && order.latest.version > version ? order.latest : latest,
    versions: [...(order?.versions ?? []), version].sort((a, b) => a - b),
  };
  if (fact.kind === "made") {
    const { total, currency, items } = fact;
    return { ...base, made: { hour: toHour(fact.at), total, currency, items } };
  }
  const what = fact.event.slice("ORDER_".length).toLowerCase();
  return {
    ...base,
    refunded: base.refunded + fact.refunded,
    disputed: base.disputed + fact.disputed,
    reversals: [...(order?.reversals ?? []), ...fact.reversals],
    happened: [...new Set([...base.happened, what])].sort(),
  };
}

function toCounters(
  { latest, happened, refunded: refundedAmount, disputed = 0 }: OrderRow,
  { currency, total }: PlacedFacts,
): Counters {
  return {
    orders: 1,
    status: { [latest.status]: 1 },
    payment: { [latest.paymentStatus]: 1 },
    happened: Object.fromEntries(happened.map((what) => [what, 1])),
    ...(isCharged(latest.paymentStatus)
      ? { revenue: { [currency]: { orders: 1, gross: total, refunded: refundedAmount, disputed } } }
      : {}),
  };
}

/** Sales added up by productId, part number and title. */
type PartSums = Map<string, PartRow>;

function addAllSales(sums: PartSums = new Map(), parts: readonly PartRow[] = []): PartSums {
  for (const part of parts) {
    // None of them has this character.
    const key = [part.productId, part.partNumber, part.name ?? ""].join("\u0000");
    sums.set(key, addSales(sums.get(key), part));
  }
  return sums;
}

/** Returns the rows of sales; parts without any are left out. */
function toRows(sums: PartSums): PartRow[] {
  return [...sums]
    .filter(([, { quantity, revenue }]) => quantity !== 0 || revenue !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, part]) => part);
}

/** Adds the sales of a part, under the first one's number. */
function addSales(current: PartRow | undefined, part: PartRow): PartRow {
  if (!current) return part;
  return { ...current, quantity: current.quantity + part.quantity, revenue: current.revenue + part.revenue };
}

function toSales(lines: readonly OrderLine[], reversals: readonly Reversal[] = [], factor: 1 | -1): PartRow[] {
  const left = sumByKey(reversals.map(({ productId, quantity }) => [productId, quantity]));
  return lines.map(({ productId, partNumber, name, quantity, price }) => {
    const reversedQuantity = Math.min(quantity, left.get(productId) ?? 0);
    left.set(productId, (left.get(productId) ?? 0) - reversedQuantity);
    const netQuantity = factor * (quantity - reversedQuantity);
    return {
      productId,
      partNumber,
      ...(name !== undefined && { name }),
      quantity: netQuantity,
      revenue: price * netQuantity,
    };
  });
}

export function toOrderFigures(sum: Counters) {
  return {
    totalOrders: countAt(sum, "orders"),
    byStatus: Object.fromEntries(ORDER_STATUSES.map((status) => [status, countAt(sum, "status", status)])),
    byPaymentStatus: Object.fromEntries(PAYMENT_STATUSES.map((status) => [status, countAt(sum, "payment", status)])),
    byEvent: listCounts(sum, "happened"),
  };
}

export function toOrderSlot(sum: Counters) {
  return { orders: countAt(sum, "orders"), charged: countCharged(sum), cancelled: countAt(sum, "status", "cancelled") };
}

export function toRevenueFigures(sum: Counters) {
  const { charged, averageOrderValue: average, ...revenue } = toRevenueSlot(sum);
  return {
    currency: STORE_CURRENCY,
    chargedOrders: charged,
    revenue,
    averageOrderValue: average,
    otherCurrencies: listCurrencies(sum)
      .filter((currency) => currency !== STORE_CURRENCY)
      .sort()
      .map((currency) => {
        const {
          orders,
          gross: grossMinor,
          refunded: refundedMinor,
          disputed: disputedMinor,
        } = getCurrencyCounts(sum, currency);
        const netMinor = grossMinor - refundedMinor - disputedMinor;
        return { currency, orders, grossMinor, refundedMinor, disputedMinor, netMinor };
      }),
  };
}

export function sumSoldParts() {
  const sums: PartSums = new Map();
  const compareByQuantity = (a: PartRow, b: PartRow): number => b.quantity - a.quantity;
  return {
    add(_hour: string, { parts }: PartsHour): void {
      addAllSales(sums, parts);
    },
    /** Lists the best-selling parts, each named by the number and title under which most pieces were sold. */
    listTop(limit: number, order: "revenue" | "quantity" = "revenue") {
      const sold = toRows(sums).sort((a, b) => compareByQuantity(a, b) || (a.partNumber < b.partNumber ? -1 : 1));
      const parts = new Map<string, PartRow>();
      for (const part of sold) parts.set(part.productId, addSales(parts.get(part.productId), part));
      return [...parts.values()]
        .sort((a, b) => (order === "quantity" && compareByQuantity(a, b)) || compareSales(a, b))
        .slice(0, limit)
        .map((part) => ({ ...part, name: part.name ?? null, revenue: toDecimal(part.revenue) }));
    },
  };
}

function listCurrencies({ revenue }: Counters): string[] {
  return typeof revenue === "object" ? Object.keys(revenue) : [];
}

function getCurrencyCounts(sum: Counters, currency: string) {
  const getCount = (name: string): number => countAt(sum, "revenue", currency, name);
  return {
    orders: getCount("orders"),
    gross: getCount("gross"),
    refunded: getCount("refunded"),
    disputed: getCount("disputed"),
  };
}

function countCharged(sum: Counters): number {
  return listCurrencies(sum).reduce((charged, currency) => charged + getCurrencyCounts(sum, currency).orders, 0);
}

export function toRevenueSlot(sum: Counters) {
  const { orders, ...revenue } = getCurrencyCounts(sum, STORE_CURRENCY);
  return {
    charged: orders,
    ...toRevenueInUnits(revenue),
    averageOrderValue: computeAverageOrderValue(revenue.gross, orders),
  };
}

type OrderEventType = (StoredEvent & { aggregate_type: "order" })["event_type"];
type DataOf<Type extends OrderEventType> = (StoredEvent & { event_type: Type })["data"];
type OrderPayload = DataOf<"ORDER_CREATED">;
export type OrderLine = Pick<OrderPayload["items"][number], "productId" | "partNumber" | "name" | "quantity" | "price">;

export interface OrderMade extends Pick<
  OrderPayload,
  "orderId" | "cartId" | "sessionId" | "total" | "currency" | "paymentStatus"
> {
  kind: "made";
  version: 1;
  at: Date;
  items: OrderLine[];
}

interface OrderChanged {
  kind: "changed";
  event: Exclude<OrderEventType, "ORDER_CREATED">;
  orderId: string;
  version: number;
  status: OrderStatus;
  paymentStatus: PaymentStatus;
  cameFrom: PaymentStatus;
  /** Growth of the refunded amount. */
  refunded: Cents;
  /** Growth of what disputes have. */
  disputed: Cents;
  reversals: readonly Reversal[];
}

export type OrderFact = OrderMade | OrderChanged;

/** Characters: it may be the provider's own name. */
const LONGEST_ID = 300;

/** Returns what an event says of an order; undefined for any other event. The system alone records these. */
export function toOrderFact({ aggregate_type, event_type, data }: StoredEvent): OrderFact | undefined {
  if (aggregate_type !== "order") return undefined;
  return event_type === "ORDER_CREATED" ? toOrderMade(data) : toOrderChanged(event_type, data);
}

type ChangePayload = Pick<DataOf<"ORDER_REFUNDED">, "orderId" | "version" | "from" | "to"> & {
  amount?: Cents;
  disputedAmount?: Cents;
  items?: readonly Reversal[];
};

function toOrderMade({ items, createdAt, ...fields }: OrderPayload): OrderMade {
  return {
    ...fields,
    kind: "made",
    version: 1,
    at: new Date(createdAt),
    items: items.map(({ productId, partNumber, name, quantity, price }) => ({
      productId: toStorable(productId),
      partNumber: toStorable(partNumber),
      ...(name !== undefined && { name: toStorable(name) }),
      quantity,
      price,
    })),
  };
}

function toOrderChanged(event: OrderChanged["event"], payload: ChangePayload): OrderChanged {
  const { orderId, version, from, to, amount: refundedGrowth = 0, disputedAmount: disputed = 0, items = [] } = payload;
  const { status, paymentStatus } = to;
  const isReversal = event === "ORDER_LINES_CANCELLED" || event === "ORDER_RETURNED";
  return {
    ...{ kind: "changed", event, orderId, version, status, paymentStatus, cameFrom: from.paymentStatus },
    refunded: refundedGrowth,
    disputed,
    reversals: isReversal
      ? items.map(({ productId, quantity }) => ({ productId: toStorable(productId), quantity }))
      : [],
  };
}

function toStorable(text: string): string {
  return text.slice(0, LONGEST_ID).toWellFormed().replaceAll("\u0000", "");
}
