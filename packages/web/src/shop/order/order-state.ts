import type { Order, OrderItem, OrderReturn } from "@partline/client";
import { createZoneDays } from "../../../../../mixins/shop/shop-days.ts";
import { fill } from "../../shared/language.ts";
import { date, type Dated } from "../format.ts";
import type { Texts } from "../texts/en.ts";

/** Describes the state of an order in a sentence. */
export function describeState(order: Order, texts: Texts): string {
  const { status, paymentStatus, shipments } = order;
  const isPickup = order.fulfilment === "pickup";
  if (paymentStatus === "pending" || paymentStatus === "failed") {
    if (status === "cancelled") return texts.orderCancelledUnpaid;
    return paymentStatus === "failed" ? texts.orderPaymentFailed : texts.orderUnpaid;
  }
  if (status === "cancelled" && order.refundDue) return texts.orderCancelledDue;
  if (status === "cancelled" && order.disputedAmount) return texts.orderCancelledDisputed;
  if (status === "cancelled" && paymentStatus === "refunded") return texts.orderCancelledRefunded;
  if (isGivenBack(order)) return texts.orderRefunded;
  if (order.disputedAmount && (status === "pending" || status === "processing")) return texts.orderDisputed;
  if (status === "processing" && shipments?.length) return isPickup ? texts.pickupPartly : texts.orderPartly;
  if (isPickup && (status === "shipped" || status === "delivered")) return texts[`pickup_${status}`];
  if (status === "shipped" && order.items.some(({ quantities }) => quantities.cancelled + quantities.returned > 0))
    return texts.orderRestShipped;
  return texts[`order_${status}`];
}

type LineState = OrderItem["state"] | "unsupplied" | "uncounted";

/** Paid back in full before everything was shipped: the rest stays. */
function isGivenBack({ status, paymentStatus }: Order): boolean {
  return paymentStatus === "refunded" && (status === "pending" || status === "processing");
}

/** Says where the pieces of a line are: `2 shipped, 1 on backorder, expected on …`. */
export function describeLineState(item: OrderItem, order: Order, shop: Dated & { texts: Texts }): string {
  const { texts } = shop;
  const { quantity, quantities, expectedAt, backorderDays, elsewhere = 0 } = item;
  const { open, backordered, ...rest } = quantities;
  // Of a part that was counted since, some pieces wait.
  const uncounted = backordered > 0 ? 0 : Math.min(item.uncounted ?? 0, open);
  const unshipped = { open: open - uncounted, uncounted, backordered };
  const counts = isGivenBack(order) ? { ...rest, unsupplied: open + backordered } : { ...unshipped, ...rest };
  const states = Object.entries(counts as Record<LineState, number>)
    .filter(([, pieces]) => pieces > 0)
    .map(([state, pieces]) => {
      const name = state as LineState;
      const words = name === "shipped" ? describeSent(order, texts) : texts[`line_${name}`];
      const remote = name === "open" ? Math.min(elsewhere, pieces) : 0;
      const count = (number: number, what: string): string => (number === quantity ? what : `${number} ${what}`);
      return count(pieces, words) + (remote > 0 ? ` (${count(remote, texts.line_elsewhere)})` : "");
    });
  const isAwaited = !isGivenBack(order) && open + backordered > 0;
  const isAhead = expectedAt !== undefined && expectedAt >= createZoneDays(shop.timeZone).findDay(new Date());
  if (isAwaited && isAhead) states.push(fill(texts.expectedOn, { date: date(expectedAt, shop) }));
  if (isAwaited && expectedAt === undefined && backorderDays !== undefined)
    states.push(fill(texts.expectedAfter, { count: backorderDays }));
  return states.join(", ");
}

function describeSent({ fulfilment, status }: Order, texts: Texts): string {
  const isOver = status === "delivered";
  if (fulfilment === "pickup") return isOver ? texts.linePickedUp : texts.lineReady;
  return isOver ? texts.lineDelivered : texts.line_shipped;
}

/** Counts the pieces of each product that have shipped and are of no return. */
export function countReturnable({ items, returns = [] }: Order): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (productId: string, quantity: number): void =>
    void counts.set(productId, (counts.get(productId) ?? 0) + quantity);
  for (const { productId, quantities } of items) add(productId, quantities.shipped);
  for (const orderReturn of returns) {
    const isOpen = orderReturn.state === "requested" && orderReturn.cancelledAt === undefined;
    for (const { productId, quantity } of isOpen ? orderReturn.items : orderReturn.awaited) add(productId, -quantity);
  }
  return new Map([...counts].filter(([, count]) => count > 0));
}

/** How a return stands, in a few words. */
export function describeReturn({ state, cancelledAt, awaited, received }: OrderReturn, texts: Texts): string {
  if (cancelledAt !== undefined) return received.length > 0 ? texts.return_ended : texts.return_cancelled;
  if (state === "requested" || state === "refused") return texts[`return_${state}`];
  if (awaited.length > 0) return received.length > 0 ? texts.return_partly : texts.return_expected;
  return texts.return_received;
}

/** Until something is shipped. */
export function mayCancel(order: Order): boolean {
  const { status, shipments } = order;
  return (status === "pending" || status === "processing") && !shipments?.length && !isGivenBack(order);
}
