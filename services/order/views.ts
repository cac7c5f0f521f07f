import { answered } from "../../broker/contract/amounts.ts";
import { personalPart } from "../../broker/contract/personal.ts";
import type { placedOrderRule } from "../../broker/contract/placed-order.ts";
import type { Infer } from "../../broker/contract/rules.ts";
import { toMajorUnits } from "../../mixins/money.ts";
import type { OrderDocument, RefundRecord } from "./collections.ts";
import { holds, quantitiesOf, receiptOf, stateOf } from "./lines/quantities.ts";
import { findRefund } from "./refunds/ledger.ts";
import type { adminOrderRule, orderExportRule, orderLookupRule, orderRule, refundRule } from "./resources.ts";
import { notedFields, ownerFields, staffFields } from "./shape.ts";

/** What each audience sees of an order. */

export function ownerView(order: OrderDocument): Infer<typeof orderRule> {
  const { _id, orderNumber, currency, createdAt, updatedAt } = order;
  const shown = answered(ownerFields, order, currency);
  const quantities = quantitiesOf(order);
  return {
    orderId: _id,
    orderNumber,
    ...shown,
    items: order.items.map(({ price, quantity }, index) => ({
      ...shown.items[index]!,
      total: toMajorUnits(price * quantity, currency),
      state: stateOf(quantities[index]!),
      quantities: quantities[index]!,
    })),
    returns: shown.returns?.map((made) => ({ ...made, receivedAt: receiptOf(order, made.returnId)?.createdAt })),
    createdAt,
    updatedAt,
  };
}

export function exportView(order: OrderDocument): Infer<typeof orderExportRule> {
  const { _id, orderNumber, createdAt } = order;
  return { orderId: _id, orderNumber, createdAt, ...personalPart(ownerFields, order) };
}

export function adminView(order: OrderDocument): Infer<typeof adminOrderRule> {
  const { version, cartId, sessionId, paymentIntentId, cancellation, currency } = order;
  return {
    ...ownerView(order),
    version,
    ...answered({ ...staffFields, ...notedFields }, order, currency),
    cartId: cartId ?? null,
    sessionId: sessionId ?? null,
    paymentIntentId: paymentIntentId ?? null,
    cancellation: cancellation && {
      reason: cancellation.reason,
      actor: cancellation.actor,
      at: cancellation.at,
    },
    refunds: order.refunds.filter(wasMade).map((refund) => ({
      ...refundView(order, refund),
      providerRefundId: refund.providerRefundId,
      reason: refund.reason,
      actor: refund.actor,
      returnId: refund.returnId,
      createdAt: new Date(refund.createdAt),
    })),
    disputes: order.disputes.map(({ disputeId, status, updatedAt }) => ({
      disputeId,
      status,
      updatedAt: new Date(updatedAt),
    })),
  };
}

/** One that the provider never took was answered with an error; one of nothing paid nothing back. */
function wasMade(refund: RefundRecord): boolean {
  return holds(refund) && refund.amount > 0;
}

export function refundView(
  { currency }: OrderDocument,
  { refundId, amount, status }: RefundRecord,
): NonNullable<Infer<typeof refundRule>> {
  return { refundId, amount: toMajorUnits(amount, currency), status: status === "requested" ? "pending" : status };
}

/** Returns the refund of the order's cancellation, or its retry; null if nothing was left to refund. */
export function cancellationRefund(order: OrderDocument): Infer<typeof refundRule> {
  const refund = order.cancellation?.refundId ? findRefund(order, order.cancellation.refundId) : undefined;
  return refund && refund.status !== "failed" ? refundView(order, refund) : null;
}

export function lookupView({ _id, orderNumber, status, createdAt }: OrderDocument): Infer<typeof orderLookupRule> {
  return { orderId: _id, orderNumber, status, createdAt };
}

/** Returns the payload of order.created: the order as it was made. */
export function placedView(order: OrderDocument): Infer<typeof placedOrderRule> {
  const { subtotal, tax, shipping, total, currency } = order;
  const { fulfilment, shippingMethod, shippingAddress, contact, metadata, hold, addressMissing } = order;
  return {
    orderId: order._id,
    orderNumber: order.orderNumber,
    userId: order.userId,
    sessionId: order.sessionId ?? null,
    paymentIntentId: order.paymentIntentId ?? null,
    cartId: order.cartId ?? null,
    items: order.items.map(({ partNumber, productId, quantity, price, name, backordered }) => ({
      partNumber,
      productId,
      quantity,
      price,
      name,
      backordered,
    })),
    subtotal,
    tax,
    shipping,
    total,
    currency,
    paymentStatus: order.paymentStatusAtCreation,
    createdAt: order.createdAt.toISOString(),
    fulfilment,
    shippingMethod,
    shippingAddress,
    contact,
    metadata,
    hold,
    addressMissing,
  };
}
