import type { placedOrderRule } from "../../broker/contract/placed-order.ts";
import type { Infer } from "../../broker/contract/rules.ts";
import { toMajorUnits } from "../../mixins/money.ts";
import type { OrderDocument, RefundRecord } from "./collections.ts";
import { findRefund } from "./refund-ledger.ts";
import type { adminOrderRule, orderLookupRule, orderRule, refundRule } from "./resources.ts";

/** What each audience sees of an order. */

export function ownerView(order: OrderDocument): Infer<typeof orderRule> {
  const {
    _id,
    orderNumber,
    userId,
    currency,
    status,
    paymentStatus,
    shippingAddress,
    trackingNumber,
    carrier,
    createdAt,
    updatedAt,
  } = order;
  const amount = (minor: number): number => toMajorUnits(minor, currency);
  return {
    orderId: _id,
    orderNumber,
    userId,
    items: order.items.map(({ productId, partNumber, name, quantity, price }) => ({
      productId,
      partNumber,
      name,
      quantity,
      price: amount(price),
      total: amount(price * quantity),
    })),
    subtotal: amount(order.subtotal),
    tax: amount(order.tax),
    shipping: amount(order.shipping),
    ...(order.discount === undefined ? {} : { discount: amount(order.discount) }),
    total: amount(order.total),
    currency,
    status,
    paymentStatus,
    refundedAmount: amount(order.refundedAmount),
    ...(order.refundDue === undefined ? {} : { refundDue: amount(order.refundDue) }),
    ...(shippingAddress ? { shippingAddress } : {}),
    ...(trackingNumber === undefined ? {} : { trackingNumber }),
    ...(carrier === undefined ? {} : { carrier }),
    createdAt,
    updatedAt,
  };
}

export function adminView(order: OrderDocument): Infer<typeof adminOrderRule> {
  const { version, adminNote, cartId, sessionId, paymentIntentId, cancellation } = order;
  return {
    ...ownerView(order),
    version,
    ...(adminNote === undefined ? {} : { adminNote }),
    cartId: cartId ?? null,
    sessionId: sessionId ?? null,
    paymentIntentId: paymentIntentId ?? null,
    ...(cancellation
      ? { cancellation: { reason: cancellation.reason, actor: cancellation.actor, at: cancellation.at } }
      : {}),
    refunds: order.refunds.filter(wasMade).map((refund) => ({
      ...refundView(order, refund),
      providerRefundId: refund.providerRefundId,
      reason: refund.reason,
      actor: refund.actor,
      createdAt: new Date(refund.createdAt),
    })),
    disputes: order.disputes.map(({ disputeId, status, updatedAt }) => ({
      disputeId,
      status,
      updatedAt: new Date(updatedAt),
    })),
  };
}

/** A refund that the provider never took was answered with an error; to clients it does not exist. */
function wasMade(refund: RefundRecord): boolean {
  return refund.status !== "failed" || refund.providerRefundId !== null;
}

export function refundView(
  { currency }: OrderDocument,
  { refundId, amount, status }: RefundRecord,
): NonNullable<Infer<typeof refundRule>> {
  return { refundId, amount: toMajorUnits(amount, currency), status: status === "requested" ? "pending" : status };
}

/** The refund that came with the order's cancellation, or the one that follows it after it failed; null when others have refunded all. */
export function cancellationRefund(order: OrderDocument): Infer<typeof refundRule> {
  const refund = order.cancellation?.refundId ? findRefund(order, order.cancellation.refundId) : undefined;
  return refund && refund.status !== "failed" ? refundView(order, refund) : null;
}

export function lookupView({ _id, orderNumber, status, createdAt }: OrderDocument): Infer<typeof orderLookupRule> {
  return { orderId: _id, orderNumber, status, createdAt };
}

/** The payload of order.created: the order as it was made, whatever happened since. */
export function placedView(order: OrderDocument): Infer<typeof placedOrderRule> {
  const { subtotal, tax, shipping, total, currency } = order;
  return {
    orderId: order._id,
    orderNumber: order.orderNumber,
    userId: order.userId,
    sessionId: order.sessionId ?? null,
    paymentIntentId: order.paymentIntentId ?? null,
    cartId: order.cartId ?? null,
    items: order.items.map(({ partNumber, productId, quantity, price }) => ({
      partNumber,
      productId,
      quantity,
      price,
    })),
    subtotal,
    tax,
    shipping,
    total,
    currency,
    paymentStatus: order.paymentStatusAtCreation,
    createdAt: order.createdAt.toISOString(),
  };
}
