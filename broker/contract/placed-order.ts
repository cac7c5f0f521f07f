import { centsRule } from "./common.ts";
import { rule } from "./rules.ts";

/** Source: specification, "States and transitions". */
export const ORDER_STATUSES = ["pending", "processing", "shipped", "delivered", "cancelled"] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const PAYMENT_STATUSES = ["pending", "paid", "failed", "refunded", "partially_refunded"] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** Whether the provider has taken money, perhaps refunded since. */
export function isCharged(status: PaymentStatus): boolean {
  return status === "paid" || status === "partially_refunded" || status === "refunded";
}

export const paymentStatusRule = rule({ type: "enum", values: PAYMENT_STATUSES });

/** An order as other services know it, in cents: the payload of `order.created`. */
export const placedOrderRule = rule({
  type: "object",
  props: {
    orderId: { type: "string" },
    orderNumber: { type: "string" },
    userId: { type: "string", description: "`guest` for an order without a user" },
    sessionId: { type: "string", nullable: true },
    paymentIntentId: { type: "string", nullable: true },
    cartId: { type: "string", nullable: true },
    items: {
      type: "array",
      items: {
        type: "object",
        props: {
          partNumber: { type: "string" },
          productId: { type: "string" },
          quantity: { type: "number", integer: true },
          price: centsRule,
        },
      },
    },
    subtotal: centsRule,
    tax: centsRule,
    shipping: centsRule,
    total: centsRule,
    currency: { type: "string" },
    paymentStatus: paymentStatusRule,
    createdAt: { type: "string", description: "When the order was made, ISO 8601" },
  },
});
