import { expect, test } from "@jest/globals";
import type { Order, OrderItem } from "@partline/client";
import { lineStateOf, mayCancel, stateOf } from "../../web/shop/order/order-state.ts";
import { en } from "../../web/shop/texts/en.ts";

const quantities = { open: 1, backordered: 1, shipped: 1, cancelled: 0, returned: 0 };
const item = { quantity: 3, quantities, backorderDays: 5 } as unknown as OrderItem;

test.each([
  ["pending", "paid", en.order_pending, "1 in preparation, 1 on backorder, 1 shipped, expected 5 days after the order"],
  ["pending", "refunded", en.orderRefunded, "1 shipped, 2 not supplied"],
  ["processing", "refunded", en.orderRefunded, "1 shipped, 2 not supplied"],
])("an order that is %s and %s says what still comes", (status, paymentStatus, state, line) => {
  const order = { status, paymentStatus, fulfilment: "ship" } as Order;
  expect([stateOf(order, en), lineStateOf(item, order, en, "en")]).toEqual([state, line]);
  expect(mayCancel(order)).toBe(paymentStatus === "paid");
});

test.each([
  ["pending", 110, en.orderDisputed],
  ["shipped", 110, en.order_shipped],
  ["cancelled", 110, en.orderCancelledDisputed],
  ["cancelled", undefined, en.order_cancelled],
])("an order that is %s, of which the bank has %s, promises nothing that the bank has", (status, has, state) => {
  const order = { status, paymentStatus: "paid", fulfilment: "ship", disputedAmount: has } as Order;
  expect(stateOf(order, en)).toBe(state);
});
