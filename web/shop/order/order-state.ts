import type { Order, OrderItem } from "@partline/client";
import { fill, type Language } from "../../shared/language.ts";
import { date } from "../format.ts";
import type { Texts } from "../texts/en.ts";

/** How an order stands, in a sentence. */
export function stateOf(order: Order, texts: Texts): string {
  const { status, paymentStatus, shipments } = order;
  const isPickup = order.fulfilment === "pickup";
  if (paymentStatus === "pending" || paymentStatus === "failed") {
    if (status === "cancelled") return texts.orderCancelledUnpaid;
    return paymentStatus === "failed" ? texts.orderPaymentFailed : texts.orderUnpaid;
  }
  if (status === "cancelled" && order.refundDue) return texts.orderCancelledDue;
  if (status === "processing" && shipments?.length) return isPickup ? texts.pickupPartly : texts.orderPartly;
  if (isPickup && (status === "shipped" || status === "delivered")) return texts[`pickup_${status}`];
  return texts[`order_${status}`];
}

/** Where the pieces of a line are: `2 shipped, 1 on backorder, expected on …`. */
export function lineStateOf(item: OrderItem, texts: Texts, language: Language): string {
  const { quantity, quantities, expectedAt, backorderDays } = item;
  const states = Object.entries(quantities as unknown as Record<OrderItem["state"], number>)
    .filter(([, pieces]) => pieces > 0)
    .map(([state, pieces]) => {
      const words = texts[`line_${state as OrderItem["state"]}`];
      return pieces === quantity ? words : `${pieces} ${words}`;
    });
  const isAwaited = quantities.open + quantities.backordered > 0;
  if (isAwaited && expectedAt !== undefined) states.push(fill(texts.expectedOn, { date: date(expectedAt, language) }));
  else if (isAwaited && backorderDays !== undefined) states.push(fill(texts.expectedAfter, { count: backorderDays }));
  return states.join(", ");
}

/** Until something is shipped. */
export function mayCancel({ status, shipments }: Order): boolean {
  return (status === "pending" || status === "processing") && !shipments?.length;
}
