import type { OrderDocument } from "../../services/order/collections.ts";

/** A paid order of 100.00: two of A at 20.00, one of B at 40.00, shipping 15.00, tax 5.00. */
export function paidOrder(fields: Partial<OrderDocument> = {}): OrderDocument {
  const at = new Date("2026-11-21T10:00:00Z");
  return {
    _id: "ord_1",
    orderNumber: "ORD-20261121-000001",
    paymentKey: "cs_1",
    sessionId: "cs_1",
    paymentIntentId: "pi_1",
    userId: "user_1",
    items: [
      { productId: "bns-a", partNumber: "A", name: "Part A", quantity: 2, price: 2_000 },
      { productId: "bns-b", partNumber: "B", name: "Part B", quantity: 1, price: 4_000 },
    ],
    subtotal: 8_000,
    tax: 500,
    shipping: 1_500,
    total: 10_000,
    currency: "usd",
    status: "pending",
    paymentStatus: "paid",
    paymentStatusAtCreation: "paid",
    refunds: [],
    chargeRefunded: 0,
    refundedAmount: 0,
    disputes: [],
    shippingAddress: {
      name: "Ada",
      street: "1 Main St",
      city: "Reno",
      state: "NV",
      postalCode: "89501",
      country: "US",
    },
    version: 1,
    revision: 1,
    createdAt: at,
    updatedAt: at,
    ...fields,
  };
}
