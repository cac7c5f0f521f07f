import {
  ORDER_STATUSES,
  PAYMENT_STATUSES,
  type OrderStatus,
  type PaymentStatus,
} from "../../../broker/contract/placed-order.ts";
import type { EventTypeOf } from "../../../broker/contract/define.ts";
import type { Cents } from "../../../mixins/money.ts";
import { isSafeText } from "../../../mixins/safe-text.ts";
import type { Events } from "../../contracts.ts";
import type { StoredEvent } from "./projection.ts";

/** The facts of orders' events that figures need. */

export interface OrderLine {
  productId: string;
  partNumber: string;
  quantity: number;
  price: Cents;
}

export interface OrderMade {
  kind: "made";
  orderId: string;
  version: 1;
  at: Date;
  cartId: string | null;
  sessionId: string | null;
  total: Cents;
  currency: string;
  items: OrderLine[];
  paymentStatus: PaymentStatus;
}

export interface OrderChanged {
  kind: "changed";
  event: Exclude<OrderEventType, "ORDER_CREATED">;
  orderId: string;
  /** The order's version after the change. */
  version: number;
  status: OrderStatus;
  paymentStatus: PaymentStatus;
  /** What paymentStatus was before. */
  cameFrom: PaymentStatus;
  /** Growth of the refunded amount. */
  refunded: Cents;
}

/** The switch below is exhaustive. */
type OrderEventType = EventTypeOf<Extract<keyof Events, `order.${string}`>>;

export type OrderFact = OrderMade | OrderChanged;

const LONGEST_ID = 300;
const CURRENCY = /^[a-z]{3}$/;

/** Returns undefined for any other event, and for a malformed one: anyone inside may append events. */
export function orderFactOf(event: StoredEvent): OrderFact | undefined {
  if (event.aggregate_type !== "order") return undefined;
  const kind = event.event_type as OrderEventType;
  switch (kind) {
    case "ORDER_CREATED":
      return madeOf(event);
    case "ORDER_UPDATED":
    case "ORDER_SHIPPED":
    case "ORDER_DELAYED":
    case "ORDER_RETURNED":
    case "ORDER_LINES_CANCELLED":
    case "ORDER_CANCELLED":
    case "ORDER_REFUNDED":
      return changedOf(kind, event.data);
    default:
      kind satisfies never;
      return undefined;
  }
}

function madeOf({ data, timestamp }: StoredEvent): OrderMade | undefined {
  const { orderId, cartId, sessionId, total, currency, items, paymentStatus, createdAt } = data;
  // Older events lack the field, and have only the time at which they were recorded.
  const at = createdAt === undefined ? timestamp : momentOf(createdAt);
  if (
    !isId(orderId) ||
    !at ||
    !isWhole(total) ||
    typeof currency !== "string" ||
    !CURRENCY.test(currency) ||
    !isPaymentStatus(paymentStatus)
  )
    return undefined;
  if (!Array.isArray(items) || !items.every(isLine)) return undefined;
  return {
    kind: "made",
    orderId,
    version: 1,
    at,
    total,
    currency,
    paymentStatus,
    cartId: isId(cartId) ? cartId : null,
    sessionId: isId(sessionId) ? sessionId : null,
    // These may be the provider's own names: the order counts regardless.
    items: items.map(({ productId, partNumber, quantity, price }) => ({
      productId: storable(productId),
      partNumber: storable(partNumber),
      quantity,
      price,
    })),
  };
}

function changedOf(
  event: OrderChanged["event"],
  { orderId, version, from, to, amount = 0 }: Record<string, unknown>,
): OrderChanged | undefined {
  const { status, paymentStatus } = isObject(to) ? to : {};
  const cameFrom = isObject(from) ? from.paymentStatus : undefined;
  if (!isId(orderId) || !isWhole(version) || version < 2 || !isWhole(amount)) return undefined;
  if (!isOrderStatus(status) || !isPaymentStatus(paymentStatus) || !isPaymentStatus(cameFrom)) return undefined;
  return { kind: "changed", event, orderId, version, status, paymentStatus, cameFrom, refunded: amount };
}

function isLine(line: unknown): line is OrderLine {
  return (
    isObject(line) &&
    typeof line.productId === "string" &&
    typeof line.partNumber === "string" &&
    isWhole(line.quantity) &&
    isWhole(line.price)
  );
}

function isOrderStatus(value: unknown): value is OrderStatus {
  return (ORDER_STATUSES as readonly unknown[]).includes(value);
}

function isPaymentStatus(value: unknown): value is PaymentStatus {
  return (PAYMENT_STATUSES as readonly unknown[]).includes(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Refuses ids longer than ours, and those that a store would refuse: their events could never be counted. */
export function isId(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= LONGEST_ID && isSafeText(value);
}

function storable(text: string): string {
  return text.slice(0, LONGEST_ID).toWellFormed().replaceAll("\u0000", "");
}

export function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function momentOf(value: unknown): Date | undefined {
  const moment = typeof value === "string" ? new Date(value) : undefined;
  return moment && !Number.isNaN(moment.getTime()) ? moment : undefined;
}
