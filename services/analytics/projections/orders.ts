import { hasRevenue, hasSales, type PartSales } from "../../../broker/contract/revenue.ts";
import type { OrderStatus, PaymentStatus } from "../../../broker/contract/placed-order.ts";
import type { Cents } from "../../../mixins/money.ts";
import type { StoredEvent } from "../../contracts.ts";
import { hourOf } from "../hours.ts";
import { HourlyChanges, type Counters } from "./counters.ts";
import { orderFactOf, type OrderFact, type OrderLine } from "./order-facts.ts";
import { Table, type LoadRows, type Projection, type RowWrite } from "./projection.ts";

/** An order by its events, in any order. */
interface OrderRow {
  made?: { hour: string; total: Cents; currency: string; items: OrderLine[] };
  /** Of the highest version. */
  latest: { version: number; status: OrderStatus; paymentStatus: PaymentStatus };
  refunded: Cents;
  versions: number[];
  /** What happened to it: `shipped`. */
  happened: string[];
}

/** Parts sold by orders made in an hour, by productId and part number (orders may write it differently). */
export interface PartsHour {
  parts: PartRow[];
}

export type PartRow = PartSales & { partNumber: string };

const ORDERS = new Table<OrderRow>("order");
/**
 * Of the orders made in an hour, as they are now: `orders`, `status.*`, `payment.*`, `happened.*`,
 * `revenue.<currency>.{orders,gross,refunded}`.
 */
export const ORDER_HOURS = new Table<Counters>("orders");
export const PART_HOURS = new Table<PartsHour>("parts");

export const ordersProjection: Projection = { name: "orders", project };

async function project(events: readonly StoredEvent[], load: LoadRows): Promise<RowWrite[]> {
  const facts = events.flatMap((event) => orderFactOf(event) ?? []);
  const orders = await ORDERS.load(
    facts.map(({ orderId }) => orderId),
    load,
  );
  for (const fact of facts) orders.set(fact.orderId, orderAfter(orders.get(fact.orderId), fact));

  const counts = new HourlyChanges();
  const sales = new Map<string, PartSums>();
  for (const { before, after } of orders.changes()) {
    count(before, -1);
    count(after, 1);
  }
  const hours = await counts.writtenTo(ORDER_HOURS, load);
  const parts = await PART_HOURS.load(sales.keys(), load);
  for (const [hour, sold] of sales)
    parts.set(hour, {
      parts: new PartSums()
        .add(parts.get(hour)?.parts ?? [])
        .add(sold.rows())
        .rows(),
    });
  return [...orders.writes(), ...hours, ...parts.writes()];

  function count(order: OrderRow | undefined, factor: 1 | -1): void {
    if (!order?.made) return;
    counts.add(order.made.hour, countersOf(order, order.made), factor);
    const { hour, items, currency } = order.made;
    const { status, paymentStatus } = order.latest;
    if (hasSales({ status, paymentStatus, currency }))
      sales.set(hour, (sales.get(hour) ?? new PartSums()).add(soldBy(items, factor)));
  }
}

/** The order after one more event; a counted event changes nothing. */
function orderAfter(order: OrderRow | undefined, fact: OrderFact): OrderRow {
  if (order?.versions.includes(fact.version)) return order;
  const { version, paymentStatus } = fact;
  const told = { version, status: fact.kind === "made" ? "pending" : fact.status, paymentStatus } as const;
  const { versions = [], refunded = 0, happened = [] } = order ?? {};
  const after = {
    latest: order && order.latest.version > version ? order.latest : told,
    versions: [...versions, version].sort((one, other) => one - other),
  };
  if (fact.kind === "made") {
    const made = { hour: hourOf(fact.at), total: fact.total, currency: fact.currency, items: fact.items };
    return { ...order, ...after, made, refunded, happened };
  }
  const what = fact.event.slice("ORDER_".length).toLowerCase();
  const all = [...new Set([...happened, what])].sort();
  return { ...order, ...after, refunded: refunded + fact.refunded, happened: all };
}

type Made = NonNullable<OrderRow["made"]>;

function countersOf(order: OrderRow, made: Made): Counters {
  const { status, paymentStatus } = order.latest;
  return {
    orders: 1,
    status: { [status]: 1 },
    payment: { [paymentStatus]: 1 },
    happened: Object.fromEntries(order.happened.map((what) => [what, 1])),
    ...(hasRevenue(order.latest)
      ? { revenue: { [made.currency]: { orders: 1, gross: made.total, refunded: order.refunded } } }
      : {}),
  };
}

/** Sales added up by productId and part number. */
export class PartSums {
  readonly #sums = new Map<string, PartRow>();

  add(parts: Iterable<PartRow>): this {
    for (const part of parts) {
      // Neither of the two has this character.
      const key = `${part.productId}\u0000${part.partNumber}`;
      this.#sums.set(key, addedUp(this.#sums.get(key), part));
    }
    return this;
  }

  /** Parts without sales are left out. */
  rows(): PartRow[] {
    return [...this.#sums]
      .filter(([, { quantity, revenue }]) => quantity !== 0 || revenue !== 0)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, part]) => part);
  }
}

/** Under the first one's number. */
export function addedUp(known: PartRow | undefined, part: PartRow): PartRow {
  if (!known) return part;
  return { ...known, quantity: known.quantity + part.quantity, revenue: known.revenue + part.revenue };
}

function soldBy(lines: readonly OrderLine[], factor: 1 | -1): PartRow[] {
  return lines.map(({ productId, partNumber, quantity, price }) => ({
    productId,
    partNumber,
    quantity: factor * quantity,
    revenue: factor * price * quantity,
  }));
}
