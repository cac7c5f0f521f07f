import { inUnits } from "../../broker/contract/amounts.ts";
import { amountRule, paginationRule, unitPriceRule } from "../../broker/contract/common.ts";
import { personalRules } from "../../broker/contract/personal.ts";
import { rule, rules } from "../../broker/contract/rules.ts";
import { ownerFields, staffFields, statusRule } from "./shape.ts";

/** The shapes that several actions of the order service take and give. */

export const REFUND_REASONS = ["requested_by_customer", "duplicate", "fraudulent", "other"] as const;

export type RefundReason = (typeof REFUND_REASONS)[number];

export const reasonRule = rule({ type: "enum", values: REFUND_REASONS, default: "requested_by_customer" });
export const orderIdRule = rule({ type: "string", example: "ord_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A" });

/** What a client asks to refund, in currency units. */
export const refundAmountRule = rule({ ...unitPriceRule, max: 999_999_999.99, optional: true });

const refundState = rules({
  refundId: { type: "string" },
  amount: amountRule,
  status: {
    type: "enum",
    values: ["pending", "succeeded", "failed"],
    description: "pending: under way or retried in the background; failed: the money was not refunded",
  },
});

export const refundRule = rule({
  type: "object",
  title: "OrderRefund",
  props: refundState,
  nullable: true,
  description: "null if there was nothing to refund; after a failure, the refund that is tried next",
});

const answeredFields = inUnits(ownerFields);
const { items } = answeredFields;

/** What the owner of an order sees. */
const orderFields = rules({
  orderId: orderIdRule,
  orderNumber: { type: "string", example: "ORD-20261121-000042" },
  ...answeredFields,
  items: {
    type: "array",
    items: { type: "object", title: "OrderItem", props: { ...items.items.props, total: amountRule } },
  },
  createdAt: { type: "date" },
  updatedAt: { type: "date" },
});

/** What an admin sees besides. */
const adminFields = rules({
  version: {
    type: "number",
    integer: true,
    description: "Increases by one with every change; send it back to update only the version that you read",
  },
  ...staffFields,
  cartId: { type: "string", nullable: true },
  sessionId: { type: "string", nullable: true, description: "Checkout session at the payment provider" },
  paymentIntentId: { type: "string", nullable: true },
  cancellation: {
    type: "object",
    title: "OrderCancellation",
    optional: true,
    props: {
      reason: { type: "enum", values: REFUND_REASONS },
      actor: { type: "string", description: "`user:<id>`, `admin` or `system`" },
      at: { type: "date" },
    },
  },
  refunds: {
    type: "array",
    items: {
      type: "object",
      title: "AdminOrderRefund",
      props: {
        ...refundState,
        providerRefundId: { type: "string", nullable: true },
        reason: {
          type: "enum",
          values: REFUND_REASONS,
          nullable: true,
          description: "null for a refund made at the provider's own console",
        },
        actor: { type: "string" },
        createdAt: { type: "date" },
      },
    },
  },
  disputes: {
    type: "array",
    items: {
      type: "object",
      title: "OrderDispute",
      props: { disputeId: { type: "string" }, status: { type: "string" }, updatedAt: { type: "date" } },
    },
  },
});

export const orderRule = rule({ type: "object", title: "Order", props: orderFields });
export const adminOrderRule = rule({ type: "object", title: "AdminOrder", props: { ...orderFields, ...adminFields } });
export const cancelledOrderRule = rule({
  type: "object",
  title: "CancelledOrder",
  props: { ...orderFields, refund: refundRule },
});
export const updatedOrderRule = rule({
  type: "object",
  title: "UpdatedOrder",
  props: {
    ...orderFields,
    ...adminFields,
    refund: { ...refundRule, optional: true, description: "Given when the update was a cancellation" },
  },
});
export const refundedOrderRule = rule({
  type: "object",
  title: "RefundedOrder",
  props: { ...orderFields, ...adminFields, refund: { type: "object", title: "OrderRefund", props: refundState } },
});

export const orderListRule = rule({
  type: "object",
  title: "OrderList",
  props: { orders: { type: "array", items: orderRule }, pagination: paginationRule },
});
export const adminOrderListRule = rule({
  type: "object",
  title: "AdminOrderList",
  props: { orders: { type: "array", items: adminOrderRule }, pagination: paginationRule },
});

export const orderExportRule = rule({
  type: "object",
  title: "OrderExport",
  props: {
    orderId: orderIdRule,
    orderNumber: { type: "string" },
    createdAt: { type: "date" },
    ...personalRules(ownerFields),
  },
});

/** What by-session and by-payment show to whoever has the id, and nothing else. */
export const orderLookupRule = rule({
  type: "object",
  title: "OrderLookup",
  props: { orderId: orderIdRule, orderNumber: { type: "string" }, status: statusRule, createdAt: { type: "date" } },
});

export const orderHistoryRule = rule({
  type: "object",
  title: "OrderHistory",
  props: {
    events: {
      type: "array",
      items: {
        type: "object",
        title: "OrderHistoryEvent",
        props: {
          event_id: { type: "string" },
          event_type: { type: "string", example: "ORDER_UPDATED" },
          version: { type: "number", integer: true, description: "The order's version after it" },
          timestamp: { type: "date" },
          data: { type: "any", description: "Amounts in whole cents" },
        },
      },
    },
  },
});

const counts = { type: "record", key: { type: "string" }, value: { type: "number", integer: true } } as const;
const revenueFields = rules({ gross: amountRule, refunded: amountRule, net: amountRule });

export const orderStatsRule = rule({
  type: "object",
  title: "OrderStats",
  props: {
    totalOrders: { type: "number", integer: true, description: "Orders created in the period, in any state" },
    revenue: {
      type: "object",
      title: "Revenue",
      description:
        "Over the orders of the period whose payment was taken (paymentStatus paid, partially_refunded or refunded; cancelled ones too, " +
        "for their refund stands beside) and is in usd: gross is the sum of their totals, refunded what was paid back of them until now, net the difference",
      props: revenueFields,
    },
    averageOrderValue: {
      ...amountRule,
      description: "revenue.gross by the number of orders in it, to the cent; 0 when there is none",
    },
    otherCurrencies: {
      ...counts,
      description:
        "Orders whose payment was taken in another currency than usd, counted by currency: no sum, average or part's revenue has them in it",
    },
    byStatus: { ...counts, description: "Count of every status" },
    byPaymentStatus: { ...counts, description: "Count of every payment status" },
    byDay: {
      type: "array",
      description: "UTC days that have an order, ascending; a refund counts on the day of its order",
      items: {
        type: "object",
        title: "OrderDay",
        props: {
          date: { type: "string", example: "2026-11-21" },
          orders: { type: "number", integer: true },
          ...revenueFields,
        },
      },
    },
    topParts: {
      type: "array",
      description:
        "The ten parts with the highest sales in orders whose payment was taken and that are not cancelled; before tax, shipping, discounts and partial refunds",
      items: {
        type: "object",
        title: "TopPart",
        props: {
          productId: { type: "string" },
          partNumber: { type: "string" },
          name: { type: "string" },
          quantity: { type: "number", integer: true },
          revenue: amountRule,
        },
      },
    },
  },
});
