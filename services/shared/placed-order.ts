import { centsRule, contactRule, dayRule, shippingAddressRule } from "./commerce.ts";
import { array, boolean, integer, number, object, oneOf, record, string } from "@partline/api-contracts";

/** Source: specification, "States and transitions". */
export const ORDER_STATUSES = ["pending", "processing", "shipped", "delivered", "cancelled"] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const PAYMENT_STATUSES = ["pending", "paid", "failed", "refunded", "partially_refunded"] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** `pickup`: the buyer fetches the order. */
export const FULFILMENTS = ["ship", "pickup"] as const;

/** Returns whether the provider has taken money, perhaps refunded since. */
export function isCharged(status: PaymentStatus): boolean {
  return status === "paid" || status === "partially_refunded" || status === "refunded";
}

export const paymentStatusRule = oneOf(PAYMENT_STATUSES);

export const shippingMethodRule = object("ShippingMethod", {
  provider: string({ example: "ups" }),
  serviceType: string({ example: "ground" }),
  cost: { ...centsRule, min: 0 },
  estimatedDays: number({ optional: true, example: 3 }),
});

export const deliveryPromiseRule = object(
  "DeliveryPromise",
  {
    kind: oneOf(["arrives", "ships", "ready"], {
      description: "arrives at the buyer's; ships: leaves the shop; ready: can be picked up",
    }),
    day: dayRule,
    estimated: boolean({ optional: true, description: "True if it counts on pieces that are on backorder" }),
  },
  {
    optional: true,
    description:
      "The day that the buyer is shown before paying, at most a year ahead: `ready` of a pickup order, else `arrives` or " +
      "`ships`. Pieces on backorder whose day nobody knows are not among it. An order has it until the pieces are " +
      "there, a carrier names a day, or one is announced or pieces are on backorder that it did not count on",
  },
);

export const shippingPaidForRule = object(
  "ShippingPaidFor",
  {
    country: string({ example: "US" }),
    state: string({ optional: true, example: "TX" }),
    postalCode: string({ optional: true, example: "78701" }),
    weightGrams: integer({ min: 0, example: 2_000 }),
    hazmat: boolean({ optional: true }),
    oversize: boolean({ optional: true }),
  },
  {
    optional: true,
    personal: true,
    description: "The place and parcel that `shippingMethod` was priced for. Absent if it costs the same anywhere",
  },
);

/** Names of zones and an amount: no address. */
export const shippingUnderpaidRule = object(
  "ShippingUnderpaid",
  {
    amount: {
      ...centsRule,
      min: 0,
      optional: true,
      description: "What shipping there costs more than was paid. Absent if nothing ships there, or it is unknown",
    },
    paidFor: string({ example: "United States", description: "The zone that shipping was paid for" }),
    goesTo: string({
      example: "Alaska, Hawaii, territories and military mail",
      description: "The zone of the address",
    }),
  },
  {
    optional: true,
    description: "It is still to ship, to a place that costs more than what was paid for. Absent if not",
  },
);

/**
 * An order as other services know it, in cents: the payload of `order.created`, with all that somebody needs who packs
 * it. Version 2 added what is optional.
 */
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
      name: string({ optional: true, description: "The part's title" }),
      backordered: integer({ optional: true, description: "Pieces that were not in stock" }),
      deliveryPromise: deliveryPromiseRule,
    }),
  ),
  subtotal: centsRule,
  tax: centsRule,
  shipping: centsRule,
  total: centsRule,
  currency: string(),
  paymentStatus: paymentStatusRule,
  createdAt: string({ description: "When the order was made, ISO 8601" }),
  fulfilment: oneOf(FULFILMENTS, { optional: true }),
  pickupPlace: string({ optional: true, description: "Id of the pickup place that the buyer chose" }),
  shippingMethod: { ...shippingMethodRule, optional: true },
  deliveryPromise: deliveryPromiseRule,
  shippingAddress: { ...shippingAddressRule, optional: true },
  contact: { ...contactRule, optional: true },
  metadata: record(string(), string(), { optional: true, personal: true }),
  hold: string({ optional: true, description: "The hold on the stock of its checkout, which this order takes over" }),
  addressMissing: boolean({ optional: true, description: "It ships, and its address is not whole" }),
  shippingUnderpaid: shippingUnderpaidRule,
});
