import { PAYMENT_STATUSES, type PaymentStatus } from "../../../broker/contract/placed-order.ts";
import type { Cents } from "../../../mixins/money.ts";
import { orderContract } from "../../order/contract.ts";
import type { StoredEvent } from "./projection.ts";

/** What the events of orders tell, as far as figures need it. */

export type OrderStatus = (typeof ORDER_STATUSES)[number];

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
  orderId: string;
  /** The order's version after the change. */
  version: number;
  status: OrderStatus;
  paymentStatus: PaymentStatus;
  /** What paymentStatus was before. */
  cameFrom: PaymentStatus;
  /** By how much what is paid back grew. */
  refunded: Cents;
}

export type OrderFact = OrderMade | OrderChanged;

const CHANGES = new Set(["ORDER_UPDATED", "ORDER_CANCELLED", "ORDER_REFUNDED"]);
/** Every status that an order may have. */
export const ORDER_STATUSES = orderContract.actions.adminUpdate.params.status.values;
const CURRENCY = /^[a-z]{3}$/;

/** Undefined for any other event, and for one that is not as an order's is: anybody inside may append whatever they like. */
export function orderFactOf(event: StoredEvent): OrderFact | undefined {
  if (event.aggregate_type !== "order") return undefined;
  if (event.event_type === "ORDER_CREATED") return madeOf(event);
  return CHANGES.has(event.event_type) ? changedOf(event.data) : undefined;
}

function madeOf({ data, timestamp }: StoredEvent): OrderMade | undefined {
  const { orderId, cartId, sessionId, total, currency, items, paymentStatus, createdAt } = data;
  // Events that are older than the field have the moment at which they were written alone.
  const at = createdAt === undefined ? timestamp : momentOf(createdAt);
  if (!isText(orderId) || !at || !isWhole(total) || typeof currency !== "string" || !CURRENCY.test(currency) || !isPaymentStatus(paymentStatus)) return undefined;
  if (!Array.isArray(items) || !items.every(isLine)) return undefined;
  return {
    kind: "made", orderId, version: 1, at, total, currency, paymentStatus,
    cartId: isText(cartId) ? cartId : null,
    sessionId: isText(sessionId) ? sessionId : null,
    items: items.map(({ productId, partNumber, quantity, price }) => ({ productId, partNumber, quantity, price })),
  };
}

function changedOf({ orderId, version, from, to, amount = 0 }: Record<string, unknown>): OrderChanged | undefined {
  const { status, paymentStatus } = isObject(to) ? to : {};
  const cameFrom = isObject(from) ? from.paymentStatus : undefined;
  if (!isText(orderId) || !isWhole(version) || version < 2 || !isWhole(amount)) return undefined;
  if (!isOrderStatus(status) || !isPaymentStatus(paymentStatus) || !isPaymentStatus(cameFrom)) return undefined;
  return { kind: "changed", orderId, version, status, paymentStatus, cameFrom, refunded: amount };
}

function isLine(line: unknown): line is OrderLine {
  return isObject(line) && isText(line.productId) && typeof line.partNumber === "string" && isWhole(line.quantity) && isWhole(line.price);
}

function isOrderStatus(value: unknown): value is OrderStatus {
  return (ORDER_STATUSES as readonly unknown[]).includes(value);
}

function isPaymentStatus(value: unknown): value is PaymentStatus {
  return (PAYMENT_STATUSES as readonly unknown[]).includes(value);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

export function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function momentOf(value: unknown): Date | undefined {
  const moment = typeof value === "string" ? new Date(value) : undefined;
  return moment && !Number.isNaN(moment.getTime()) ? moment : undefined;
}
