import type { DeliveryPromise, Order } from "@partline/client";

type PromisedOrder = Pick<Order, "deliveryPromise" | "status" | "paymentStatus" | "fulfilment"> &
  Partial<Pick<Order, "items" | "shipments">>;

const CHARGED: readonly Order["paymentStatus"][] = ["paid", "partially_refunded"];

/**
 * Returns the day that an order's buyer was promised before paying, as long as it counts: until the pieces are there, or a
 * carrier names its own day, or staff announce another for pieces that it counts on.
 */
export function findPromise(order: PromisedOrder): DeliveryPromise | undefined {
  const { deliveryPromise: promise, status, paymentStatus, items = [], shipments = [] } = order;
  if (!promise || !CHARGED.includes(paymentStatus)) return undefined;
  const isOver = ["cancelled", "delivered"].includes(status) || (status === "shipped" && promise.kind !== "arrives");
  const isReplaced =
    shipments.some(({ expectedAt }) => expectedAt !== undefined) ||
    (promise.estimated === true && items.some(({ expectedAt }) => expectedAt !== undefined));
  return isOver || isReplaced ? undefined : promise;
}
