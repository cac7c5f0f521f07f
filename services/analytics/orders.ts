import { STORE_CURRENCY } from "../shared/commerce.ts";
import { ORDER_STATUSES, PAYMENT_STATUSES, type OrderStatus, type PaymentStatus } from "../shared/placed-order.ts";
import {
  computeAverageOrderValue,
  compareSales,
  hasRevenue,
  hasSales,
  toRevenueInUnits,
  type PartSales,
} from "../shared/revenue.ts";
import { type Cents, toDecimal } from "@partline/parts-language";
import type { StoredEvent } from "../contracts.ts";
import { countAt, countsAt, HourlyChanges, type Counters } from "./counters.ts";
import { hourOf } from "./hours.ts";
import { tableOf, type LoadRows, type Projection, type RowWrite } from "./rows.ts";

type Made = Pick<OrderMade, "total" | "currency" | "items"> & { hour: string };

/** An order by its events, in any order. */
interface OrderRow {
  made?: Made;
  /** Of the highest version. */
  latest: { version: number; status: OrderStatus; paymentStatus: PaymentStatus };
  refunded: Cents;
  disputed?: Cents;
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

const ORDERS = tableOf<OrderRow>("order");
/**
 * Of the orders made in an hour, as they are now: `orders`, `status.*`, `payment.*`, `happened.*`,
 * `revenue.<currency>.{orders,gross,refunded,disputed}`.
 */
export const ORDER_HOURS = tableOf<Counters>("orders");
export const PART_HOURS = tableOf<PartsHour>("parts");

export const ordersProjection: Projection = { name: "orders", project };

async function project(events: readonly StoredEvent[], load: LoadRows): Promise<RowWrite[]> {
  const facts = events.flatMap((event) => orderFactOf(event) ?? []);
  const orderIds = facts.map(({ orderId }) => orderId);
  const orders = await ORDERS.load(orderIds, load);
  for (const fact of facts) orders.set(fact.orderId, orderAfter(orders.get(fact.orderId), fact));

  const counts = new HourlyChanges();
  const sales = new Map<string, PartSums>();
  for (const { before, after } of orders.changes()) {
    count(before, -1);
    count(after, 1);
  }
  const hours = await counts.writtenTo(ORDER_HOURS, load);
  const parts = await PART_HOURS.load(sales.keys(), load);
  for (const [hour, sold] of sales) parts.set(hour, { parts: rowsOf(addUp(sold, parts.get(hour)?.parts)) });
  return [...orders.writes(), ...hours, ...parts.writes()];

  function count(order: OrderRow | undefined, factor: 1 | -1): void {
    if (!order?.made) return;
    counts.add(order.made.hour, countersOf(order, order.made), factor);
    const { hour, items, currency } = order.made;
    const { status, paymentStatus } = order.latest;
    if (hasSales({ status, paymentStatus, currency })) sales.set(hour, addUp(sales.get(hour), soldBy(items, factor)));
  }
}

/** The order after one more event; a counted event changes nothing. */
function orderAfter(order: OrderRow | undefined, fact: OrderFact): OrderRow {
  if (order?.versions.includes(fact.version)) return order;
  const { version, paymentStatus } = fact;
  const told = { version, status: fact.kind === "made" ? "pending" : fact.status, paymentStatus } as const;
  const { versions = [], refunded = 0, disputed = 0, happened = [] } = order ?? {};
  const after = {
    latest: order && order.latest.version > version ? order.latest : told,
    versions: [...versions, version].sort((one, other) => one - other),
  };
  if (fact.kind === "made") {
    const made = { hour: hourOf(fact.at), total: fact.total, currency: fact.currency, items: fact.items };
    return { ...order, ...after, made, refunded, disputed, happened };
  }
  const what = fact.event.slice("ORDER_".length).toLowerCase();
  const all = [...new Set([...happened, what])].sort();
  return { ...order, ...after, refunded: refunded + fact.refunded, disputed: disputed + fact.disputed, happened: all };
}

function countersOf({ latest, happened, refunded, disputed = 0 }: OrderRow, { currency, total }: Made): Counters {
  return {
    orders: 1,
    status: { [latest.status]: 1 },
    payment: { [latest.paymentStatus]: 1 },
    happened: Object.fromEntries(happened.map((what) => [what, 1])),
    ...(hasRevenue(latest) ? { revenue: { [currency]: { orders: 1, gross: total, refunded, disputed } } } : {}),
  };
}

/** Sales added up by productId, part number and title. */
type PartSums = Map<string, PartRow>;

function addUp(sums: PartSums = new Map(), parts: readonly PartRow[] = []): PartSums {
  for (const part of parts) {
    // None of them has this character.
    const key = [part.productId, part.partNumber, part.name ?? ""].join("\u0000");
    sums.set(key, addedUp(sums.get(key), part));
  }
  return sums;
}

/** Parts without sales are left out. */
function rowsOf(sums: PartSums): PartRow[] {
  return [...sums]
    .filter(([, { quantity, revenue }]) => quantity !== 0 || revenue !== 0)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, part]) => part);
}

/** Under the first one's number. */
function addedUp(known: PartRow | undefined, part: PartRow): PartRow {
  if (!known) return part;
  return { ...known, quantity: known.quantity + part.quantity, revenue: known.revenue + part.revenue };
}

function soldBy(lines: readonly OrderLine[], factor: 1 | -1): PartRow[] {
  return lines.map(({ productId, partNumber, name, quantity, price }) => ({
    productId,
    partNumber,
    ...(name !== undefined && { name }),
    quantity: factor * quantity,
    revenue: factor * price * quantity,
  }));
}

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
        const { orders, gross, refunded, disputed } = countsIn(sum, currency);
        const netMinor = gross - refunded - disputed;
        return { currency, orders, grossMinor: gross, refundedMinor: refunded, disputedMinor: disputed, netMinor };
      }),
  };
}

export function soldParts() {
  const sums: PartSums = new Map();
  const byQuantity = (one: PartRow, other: PartRow): number => other.quantity - one.quantity;
  return {
    add(_hour: string, { parts }: PartsHour): void {
      addUp(sums, parts);
    },
    /** Names a part by the number and title under which most pieces were sold. */
    top(limit: number, by: "revenue" | "quantity" = "revenue") {
      const sold = rowsOf(sums).sort(
        (one, other) => byQuantity(one, other) || (one.partNumber < other.partNumber ? -1 : 1),
      );
      const parts = new Map<string, PartRow>();
      for (const part of sold) parts.set(part.productId, addedUp(parts.get(part.productId), part));
      return [...parts.values()]
        .sort((one, other) => (by === "quantity" && byQuantity(one, other)) || compareSales(one, other))
        .slice(0, limit)
        .map((part) => ({ ...part, name: part.name ?? null, revenue: toDecimal(part.revenue) }));
    },
  };
}

function currenciesOf({ revenue }: Counters): string[] {
  return typeof revenue === "object" ? Object.keys(revenue) : [];
}

function countsIn(sum: Counters, currency: string) {
  const at = (name: string): number => countAt(sum, "revenue", currency, name);
  return { orders: at("orders"), gross: at("gross"), refunded: at("refunded"), disputed: at("disputed") };
}

function chargedIn(sum: Counters): number {
  return currenciesOf(sum).reduce((charged, currency) => charged + countsIn(sum, currency).orders, 0);
}

export function revenueSlot(sum: Counters) {
  const { orders, ...revenue } = countsIn(sum, STORE_CURRENCY);
  return {
    charged: orders,
    ...toRevenueInUnits(revenue),
    averageOrderValue: computeAverageOrderValue(revenue.gross, orders),
  };
}

type OrderEventType = (StoredEvent & { aggregate_type: "order" })["event_type"];
type DataOf<Type extends OrderEventType> = (StoredEvent & { event_type: Type })["data"];
type Placed = DataOf<"ORDER_CREATED">;
export type OrderLine = Pick<Placed["items"][number], "productId" | "partNumber" | "name" | "quantity" | "price">;

export interface OrderMade extends Pick<
  Placed,
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
}

export type OrderFact = OrderMade | OrderChanged;

/** Characters: it may be the provider's own name. */
const LONGEST_ID = 300;

/** Returns undefined for any other event. The system alone records these. */
export function orderFactOf({ aggregate_type, event_type, data }: StoredEvent): OrderFact | undefined {
  if (aggregate_type !== "order") return undefined;
  switch (event_type) {
    case "ORDER_CREATED":
      return madeOf(data);
    case "ORDER_UPDATED":
    case "ORDER_SHIPPED":
    case "ORDER_DELIVERED":
    case "ORDER_DELAYED":
    case "ORDER_RETURNED":
    case "ORDER_LINES_CANCELLED":
    case "ORDER_CANCELLED":
    case "ORDER_REFUNDED":
    case "ORDER_ERASED":
      return changedOf(event_type, data);
    default:
      event_type satisfies never;
      return undefined;
  }
}

type Changed = Pick<DataOf<"ORDER_REFUNDED">, "orderId" | "version" | "from" | "to"> & {
  amount?: Cents;
  disputedAmount?: Cents;
};

function madeOf({ items, createdAt, ...placed }: Placed): OrderMade {
  return {
    ...placed,
    kind: "made",
    version: 1,
    at: new Date(createdAt),
    items: items.map(({ productId, partNumber, name, quantity, price }) => ({
      productId: storable(productId),
      partNumber: storable(partNumber),
      ...(name !== undefined && { name: storable(name) }),
      quantity,
      price,
    })),
  };
}

function changedOf(
  event: OrderChanged["event"],
  {
    orderId,
    version,
    from,
    to: { status, paymentStatus },
    amount: refunded = 0,
    disputedAmount: disputed = 0,
  }: Changed,
): OrderChanged {
  const cameFrom = from.paymentStatus;
  return { kind: "changed", event, orderId, version, status, paymentStatus, cameFrom, refunded, disputed };
}

function storable(text: string): string {
  return text.slice(0, LONGEST_ID).toWellFormed().replaceAll("\u0000", "");
}
