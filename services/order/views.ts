import { getAt } from "@partline/toolkit";
import { presentInUnits, presentFields, pickPersonal, type Infer } from "@partline/api-contracts";
import { placedOrderRule } from "../shared/placed-order.ts";
import { toMajorUnits } from "@partline/parts-language";
import { findCancellable } from "./changes.ts";
import { isPacked } from "./packing.ts";
import type { OrderDocument, OrderReturn, RefundRecord } from "./collections.ts";
import { countQuantities, isCounted, listAwaited, listReceipts, listRefundPieces, resolveState } from "./quantities.ts";
import { findExpectedDay } from "./news.ts";
import { findPromises } from "./promises.ts";
import { findRefund, listRefunded } from "./refunds/ledger.ts";
import {
  adminFields,
  mailedFields,
  orderLookupRule,
  type adminOrderRule,
  type linkedOrderRule,
  type orderExportRule,
  type orderRule,
  type refundRule,
} from "./resources.ts";
import { ownerFields } from "./shape.ts";

export function ownerView(order: OrderDocument): Infer<typeof orderRule> {
  const { _id, orderNumber, currency, createdAt, updatedAt } = order;
  const shown = presentInUnits(ownerFields, order, currency);
  const quantities = countQuantities(order);
  const refundedPieces = listRefunded(order);
  const { deliveryPromise, linePromises } = findPromises(order);
  return {
    orderId: _id,
    orderNumber,
    ...shown,
    deliveryPromise,
    shownPromise: order.deliveryPromise,
    items: order.items.map(({ productId, price, quantity, deliveryPromise: shownPromise }, index) => ({
      ...getAt(shown.items, index),
      expectedAt: findExpectedDay(order, index),
      deliveryPromise: linePromises[index],
      shownPromise,
      total: toMajorUnits(price * quantity, currency),
      state: resolveState(getAt(quantities, index)),
      quantities: getAt(quantities, index),
      piecesRefunded: refundedPieces.find((pieces) => pieces.productId === productId)?.quantity,
    })),
    returns: order.returns?.map((orderReturn, index) => ({
      ...getAt(shown.returns!, index),
      ...describeReception(order, orderReturn),
    })),
    createdAt,
    updatedAt,
  };
}

/** Presents an order to somebody who looked it up: they learn no more of who and where the buyer is. */
export function hideBuyer(order: OrderDocument): Infer<typeof linkedOrderRule> {
  const { city, state, postalCode, country } = order.shippingAddress ?? {};
  const { contact: _contact, ...view } = ownerView(order);
  // The label has the address.
  const returns = view.returns?.map(({ label: _label, ...orderReturn }) => orderReturn);
  return { ...view, returns, shippingAddress: { city, state, postalCode, country }, readOnly: true };
}

function findReturnLabel({ labels, unlabelledReturns }: OrderDocument, returnId: string) {
  const label = labels?.find(({ shipmentId }) => shipmentId === returnId);
  if (!label) return unlabelledReturns?.includes(returnId) ? { state: "pending" as const } : undefined;
  const { state, carrier, trackingNumber, url } = label;
  return state === "bought" ? { state, carrier, trackingNumber, url } : { state: "voided" as const };
}

function describeReception(order: OrderDocument, orderReturn: OrderReturn) {
  const receipts = listReceipts(order, orderReturn.returnId);
  const awaited = listAwaited(order, orderReturn);
  const toUnits = (amount: number): number => toMajorUnits(amount, order.currency);
  const { state, cancelledAt } = orderReturn;
  return {
    state: state && cancelledAt !== undefined && receipts.length === 0 ? ("cancelled" as const) : state,
    label: findReturnLabel(order, orderReturn.returnId),
    received: listRefundPieces(order, receipts),
    awaited,
    receivedAt: awaited.length === 0 ? receipts.at(-1)?.createdAt : undefined,
    receipts: receipts.map((receipt) => ({
      items: listRefundPieces(order, [receipt]),
      receivedAt: receipt.createdAt,
      refunded: toUnits(receipt.amount),
      restockingFee: toUnits(receipt.restockingFee ?? 0),
      condition: receipt.condition,
      lines: receipt.lines?.map((line) => ({ ...line, restockingFee: toUnits(line.restockingFee ?? 0) })),
    })),
  };
}

export function exportView(order: OrderDocument): Infer<typeof orderExportRule> {
  const { _id, orderNumber, createdAt } = order;
  return { orderId: _id, orderNumber, createdAt, ...pickPersonal(ownerFields, order) };
}

export function adminView(order: OrderDocument): Infer<typeof adminOrderRule> {
  // One that the provider never took was answered with an error; one of nothing paid nothing back.
  const refunds = order.refunds
    .filter((refund) => isCounted(refund) && refund.amount > 0)
    .map((refund) => ({ ...refund, ...refundView(order, refund), createdAt: new Date(refund.createdAt) }));
  const disputes = order.disputes.map(({ amount, dueBy, updatedAt, ...dispute }) => ({
    ...dispute,
    amount: amount === undefined ? undefined : toMajorUnits(amount, order.currency),
    dueBy: dueBy === undefined ? undefined : new Date(dueBy),
    updatedAt: new Date(updatedAt),
  }));
  const shipments = order.shipments?.map((shipment) => {
    const until = findCancellable(order, shipment);
    return { ...shipment, cancellableUntil: typeof until === "string" ? undefined : until };
  });
  const packed = isPacked(order) ? order.packed : undefined;
  return {
    ...ownerView(order),
    ...presentFields(adminFields, { ...order, packed, refunds, disputes, shipments }),
  };
}

export const mailedView = (order: OrderDocument) => presentFields(mailedFields, adminView(order));

export function refundView(
  { currency }: OrderDocument,
  { refundId, amount, status }: RefundRecord,
): NonNullable<Infer<typeof refundRule>> {
  return { refundId, amount: toMajorUnits(amount, currency), status: status === "requested" ? "pending" : status };
}

/** Returns the refund of the cancellation, or its retry; null if there was nothing to refund. */
export function cancellationRefund(order: OrderDocument): Infer<typeof refundRule> {
  const refund = order.cancellation?.refundId ? findRefund(order, order.cancellation.refundId) : undefined;
  return refund && refund.status !== "failed" ? refundView(order, refund) : null;
}

export const lookupView = (order: OrderDocument): Infer<typeof orderLookupRule> =>
  presentFields(orderLookupRule.props, { ...order, ...findPromises(order), orderId: order._id });

/** The payload of order.created: the order as it was made. */
export function placedView(order: OrderDocument): Infer<typeof placedOrderRule> {
  return presentFields(placedOrderRule.props, {
    ...order,
    orderId: order._id,
    paymentStatus: order.paymentStatusAtCreation,
    createdAt: order.createdAt.toISOString(),
  });
}
