import { findRefusedLabels } from "../../mixins/shop/refused-labels.ts";
import { isAddressMissing } from "./addressing.ts";
import type { OrderDocument } from "./collections.ts";
import { findDisputeState } from "./disputes.ts";
import { isPacked } from "./packing.ts";
import { countQuantities, countUnshipped, listAwaited, type Quantities } from "./quantities.ts";
import { refundDue } from "./refunds/ledger.ts";
import { ORDER_QUEUES, type OrderQueue } from "./shape.ts";

/** Returns whether pieces of the order can be packed now, or are. */
export const isPackable = (order: OrderDocument): boolean =>
  findQueues(order).some((queue) => queue === "to_pack" || queue === "packed" || queue === "pickup");

/** Returns the queues that an order is in. What cannot be shipped now is neither to pack nor to be made ready. */
export function findQueues(order: OrderDocument): OrderQueue[] {
  const { status, paymentStatus, fulfilment, cancelling, returns = [] } = order;
  const quantities = countQuantities(order);
  const has = (count: (quantity: Quantities) => number): boolean => quantities.some((quantity) => count(quantity) > 0);
  const dispute = findDisputeState(order);
  const isPaid = !cancelling && (paymentStatus === "paid" || paymentStatus === "partially_refunded");
  const addressMissing = isAddressMissing(order);
  const isFree = isPaid && !addressMissing && (dispute === undefined || dispute === "inquiry");
  const isReady = isFree && has(({ open }) => open);
  const states: Record<OrderQueue, boolean> = {
    to_pack: isReady && fulfilment !== "pickup" && !isPacked(order),
    packed: isReady && fulfilment !== "pickup" && isPacked(order),
    pickup: isReady && fulfilment === "pickup",
    awaiting_pickup: fulfilment === "pickup" && status !== "delivered" && has(({ shipped }) => shipped),
    backordered: isPaid && has(({ backordered }) => backordered),
    // Nothing is left to decide of a lost one whose pieces have left.
    disputed: dispute === "lost" ? has(countUnshipped) : dispute !== undefined,
    return_requested: returns.some(({ state, cancelledAt }) => state === "requested" && cancelledAt === undefined),
    return_expected: returns.some((orderReturn) => listAwaited(order, orderReturn).length > 0),
    address_missing: addressMissing,
    refund_due: refundDue(order) > 0,
    label_refused: findRefusedLabels(order).length > 0,
  };
  return ORDER_QUEUES.filter((queue) => states[queue]);
}
