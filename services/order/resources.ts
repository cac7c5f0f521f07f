import {
  array,
  boolean,
  date,
  integer,
  object,
  oneOf,
  pickPersonalRules,
  pickRules,
  record,
  rule,
  rules,
  string,
  toUnitRules,
} from "@partline/api-contracts";
import { paginationRule } from "../../broker/contract/common.ts";
import { amountRule, unitPriceRule } from "../shared/commerce.ts";
import { nextCursorRule } from "../../broker/contract/cursor.ts";
import {
  DISPUTE_STATES,
  LINE_STATES,
  movedItemsRule,
  notedFields,
  ownerFields,
  packedFields,
  RETURN_CONDITIONS,
  RETURN_STATES,
  staffFields,
} from "./shape.ts";

export const REFUND_REASONS = ["requested_by_customer", "out_of_stock", "duplicate", "fraudulent", "other"] as const;

/** Ways in which a shop pays back without the payment provider. */
export const PAID_BY = ["cash", "check", "bank_transfer", "other"] as const;
export type PaidBy = (typeof PAID_BY)[number];

export type RefundReason = (typeof REFUND_REASONS)[number];

export const reasonRule = oneOf(REFUND_REASONS, { default: "requested_by_customer", emptyIsAbsent: true });
export const orderIdRule = string({ example: "ord_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A" });

/** Amount that a client asks to refund, in currency units. */
export const refundAmountRule = rule({ ...unitPriceRule, max: 999_999_999.99, optional: true });

export const conditionRule = oneOf(RETURN_CONDITIONS, { optional: true });

export const paidByRule = oneOf(PAID_BY, {
  optional: true,
  description: "How the shop paid it without the payment provider, which refused it; absent otherwise",
});

const refundState = rules({
  refundId: string(),
  amount: amountRule,
  status: oneOf(["pending", "succeeded", "failed"], {
    description: "pending: under way or being retried in the background; failed: the money was not refunded",
  }),
});

export const refundRule = object("OrderRefund", refundState, {
  nullable: true,
  description: "null if there was nothing to refund; after a failure, the next attempt",
});

const count = integer({ min: 0 });
const pieces = rules({ open: count, backordered: count, shipped: count, cancelled: count, returned: count });

const answeredFields = toUnitRules(ownerFields);
const { items, returns, shipments, deliveryPromise } = answeredFields;
const shownPromise = { ...deliveryPromise, description: "The day shown before paying, whether it still counts or not" };

/** Fields that the owner of an order sees. */
const orderFields = rules({
  orderId: orderIdRule,
  orderNumber: string({ example: "ORD-20261121-000042" }),
  ...answeredFields,
  shownPromise,
  items: array(
    object("OrderItem", {
      ...items.items.props,
      shownPromise,
      total: amountRule,
      state: oneOf(LINE_STATES, { description: "State of the pieces that need the most work" }),
      quantities: object("LineQuantities", pieces, { description: "Pieces by state; they add up to the quantity" }),
      piecesRefunded: integer({ optional: true, description: "Shipped pieces that are refunded already" }),
    }),
  ),
  returns: {
    ...returns,
    items: object("OrderReturn", {
      ...returns.items.props,
      state: oneOf([...RETURN_STATES, "cancelled"], {
        optional: true,
        description:
          "Of a return that the buyer requested: `requested` until it is decided, `cancelled` if it was cancelled before " +
          "anything came. Absent if staff made it",
      }),
      received: { ...movedItemsRule, description: "What has come of it" },
      awaited: { ...movedItemsRule, description: "Pieces that are still expected; none once the return is cancelled" },
      receivedAt: string({
        optional: true,
        description: "When the last pieces arrived; absent while some are expected",
      }),
      label: object(
        "ReturnLabel",
        {
          state: oneOf(["pending", "bought", "voided"], { description: "pending: it is being bought" }),
          carrier: string({ optional: true }),
          trackingNumber: string({ optional: true }),
          url: string({ optional: true, description: "The label, for printing (PDF)" }),
        },
        { optional: true, description: "Prepaid label of an approved return; voided if the return was called off" },
      ),
      receipts: array(
        object("ReturnReceipt", {
          items: movedItemsRule,
          receivedAt: string(),
          refunded: { ...amountRule, description: "0 if the fee is as much as was paid, or all is refunded already" },
          restockingFee: { ...amountRule, description: "Kept from the refund" },
          condition: { ...conditionRule, description: "State in which the pieces came back, if staff said so" },
          lines: array(object({ ...movedItemsRule.items.props, condition: conditionRule, restockingFee: amountRule }), {
            optional: true,
            description: "The pieces by condition and fee, if staff said these for each line",
          }),
        }),
        { description: "What arrived, each time" },
      ),
    }),
  },
  createdAt: date(),
  updatedAt: date(),
});

/** Further fields that an admin sees. */
export const adminFields = rules({
  version: integer({
    description: "Increases by one with every change; send it back to update only the version that you read",
  }),
  ...staffFields,
  ...notedFields,
  ...packedFields,
  shipments: {
    ...shipments,
    items: object("AdminShipment", {
      ...shipments.items.props,
      cancellableUntil: date({
        optional: true,
        description: "Until when it can be cancelled; absent once its pieces are delivered or come back",
      }),
    }),
  },
  cartId: string({ nullable: true }),
  sessionId: string({ nullable: true, description: "Checkout session at the payment provider" }),
  paymentIntentId: string({ nullable: true }),
  labelOffered: boolean({
    optional: true,
    description: "True if EasyPost sells labels for its parcels. Only in the answer of one order",
  }),
  cancellation: object(
    "OrderCancellation",
    {
      reason: oneOf(REFUND_REASONS),
      actor: string({
        description: "`user:<id>`, `key:<id>`, `link` (the buyer, by the link in an email), `admin` or `system`",
      }),
      at: date(),
    },
    { optional: true },
  ),
  refunds: array(
    object("AdminOrderRefund", {
      ...refundState,
      providerRefundId: string({ nullable: true }),
      reason: oneOf(REFUND_REASONS, {
        nullable: true,
        description: "null for a refund made in the provider's own dashboard",
      }),
      actor: string(),
      paidBy: paidByRule,
      returnId: string({ optional: true, description: "The return whose pieces it is for" }),
      condition: { ...conditionRule, description: "State in which the pieces came back" },
      createdAt: date(),
    }),
  ),
  disputeState: oneOf(DISPUTE_STATES, {
    optional: true,
    description:
      "open: a dispute holds money of the order; lost: the bank took it; inquiry: the bank is asking and holds none. Of " +
      "several, the first in this order counts. Absent if there is none, or all are closed",
  }),
  disputes: array(
    object("OrderDispute", {
      disputeId: string(),
      status: string({ description: "As the payment provider names it", example: "needs_response" }),
      amount: {
        ...amountRule,
        optional: true,
        description: "The disputed amount, or what the bank took of it; absent in older orders: the whole charge",
      },
      reason: string({ optional: true, description: "As the payment provider names it", example: "fraudulent" }),
      dueBy: date({ optional: true, description: "When the provider must have the evidence" }),
      url: string({
        optional: true,
        example: "https://dashboard.stripe.com/disputes/du_1PtLn2eZvKYlo2C",
        description: "Its page in the payment provider's dashboard. Only in the answer of one order",
      }),
      updatedAt: date(),
    }),
  ),
});

/** Fields that mails about an order need. */
export const mailedFields = {
  ...pickRules(orderFields, "orderId", "orderNumber", "status", "paymentStatus", "currency", "subtotal", "discount"),
  ...pickRules(orderFields, "shipping", "tax", "includedTax", "total", "refundDue", "disputedAmount", "addressMissing"),
  ...pickRules(orderFields, "shippingUnderpaid", "fulfilment", "pickupPlace", "language", "shippingMethod"),
  ...pickRules(orderFields, "shippingAddress", "contact", "items", "shipments", "returns", "returnDetails"),
  ...{ deliveryPromise: orderFields.deliveryPromise, disputes: adminFields.disputes },
};

export const orderRule = object("Order", orderFields);
export const linkedOrderRule = object("LinkedOrder", {
  ...orderFields,
  readOnly: boolean({
    optional: true,
    description: "True for a token of a look-up: without contact and street, and the order cannot be changed by it",
  }),
});
export const adminOrderRule = object("AdminOrder", { ...orderFields, ...adminFields });

export const orderLineFields = {
  ...pickRules(orderFields, "orderId", "orderNumber", "createdAt", "status", "paymentStatus", "currency"),
  ...orderFields.items.items.props,
};

export const cancelledOrderRule = object("CancelledOrder", { ...orderFields, refund: refundRule });
export const updatedOrderRule = object("UpdatedOrder", {
  ...orderFields,
  ...adminFields,
  refund: { ...refundRule, optional: true, description: "Present if the update was a cancellation" },
});
const refundedRule = object("OrderRefund", refundState);
export const refundedOrderRule = object("RefundedOrder", { ...orderFields, ...adminFields, refund: refundedRule });

export const orderListRule = object("OrderList", { orders: array(orderRule), pagination: paginationRule });
export const adminOrderListRule = object("AdminOrderList", {
  orders: array(adminOrderRule),
  pagination: paginationRule,
});
export const foundOrdersRule = object("FoundOrders", { orders: array(adminOrderRule), nextCursor: nextCursorRule });

export const orderExportRule = object("OrderExport", {
  orderId: orderIdRule,
  orderNumber: string(),
  createdAt: date(),
  ...pickPersonalRules(ownerFields),
});

/** Fields that by-session and by-payment show to anyone who has the id. */
export const orderLookupRule = object(
  "OrderLookup",
  pickRules(
    orderFields,
    ...(["orderId", "orderNumber", "status", "paymentStatus", "fulfilment", "deliveryPromise", "createdAt"] as const),
  ),
);

const counts = record(string(), integer());
const revenueFields = rules({ gross: amountRule, refunded: amountRule, disputed: amountRule, net: amountRule });

export const orderStatsRule = object("OrderStats", {
  totalOrders: integer({ description: "Orders created in the period, in any state" }),
  revenue: object("Revenue", revenueFields, {
    description:
      "Orders of the period that were paid in usd (paymentStatus paid, partially_refunded or refunded, " +
      "cancelled ones included): gross is the sum of their totals, refunded what has been refunded of them, " +
      "disputed what disputes hold or took of the rest, and net what is left",
  }),
  averageOrderValue: {
    ...amountRule,
    description: "revenue.gross divided by the number of orders in it, to the cent; 0 if there are none",
  },
  otherCurrencies: {
    ...counts,
    description: "Orders that were paid in a currency other than usd, by currency. No other figure includes them",
  },
  byStatus: { ...counts, description: "Count of every status" },
  byPaymentStatus: { ...counts, description: "Count of every payment status" },
  byDay: array(
    object("OrderDay", {
      date: string({ example: "2026-11-21" }),
      orders: integer(),
      ...revenueFields,
    }),
    { description: "Days of the shop that have an order, ascending. A refund counts on the day of its order" },
  ),
  topParts: array(
    object("TopPart", {
      productId: string(),
      partNumber: string(),
      name: string(),
      quantity: integer(),
      revenue: amountRule,
    }),
    {
      description: "Ten best sellers of paid orders, less cancelled and returned pieces, before tax and discounts",
    },
  ),
});
