import { centsRule } from "./common.ts";
import { array, integer, object, oneOf, string } from "./rules.ts";

/** Source: specification, "States and transitions". */
export const ORDER_STATUSES = ["pending", "processing", "shipped", "delivered", "cancelled"] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const PAYMENT_STATUSES = ["pending", "paid", "failed", "refunded", "partially_refunded"] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** `pickup`: the buyer fetches the order. */
export const FULFILMENTS = ["ship", "pickup"] as const;

/** Whether the provider has taken money, perhaps refunded since. */
export function isCharged(status: PaymentStatus): boolean {
  return status === "paid" || status === "partially_refunded" || status === "refunded";
}

export const paymentStatusRule = oneOf(PAYMENT_STATUSES);

/** An order as other services know it, in cents: the payload of `order.created`. */
export const placedOrderRule = object({
  orderId: string(),
  orderNumber: string(),
  userId: string({ description: "`guest` for an order without a user" }),
  sessionId: string({ nullable: true }),
  paymentIntentId: string({ nullable: true }),
  cartId: string({ nullable: true }),
  items: array(
    object({
      partNumber: string(),
      productId: string(),
      quantity: integer(),
      price: centsRule,
    }),
  ),
  subtotal: centsRule,
  tax: centsRule,
  shipping: centsRule,
  total: centsRule,
  currency: string(),
  paymentStatus: paymentStatusRule,
  createdAt: string({ description: "When the order was made, ISO 8601" }),
});
