import { expect, test } from "@jest/globals";
import type { Order, OrderItem } from "@partline/client";
import { describeLineState, mayCancel, describeState } from "../src/shop/order/order-state.ts";
import { formatWeight } from "../src/shared/numbers.ts";
import { date } from "../src/shop/format.ts";
import { en } from "../src/shop/texts/en.ts";

const quantities = { open: 1, backordered: 1, shipped: 1, cancelled: 0, returned: 0 };
const item = { quantity: 3, quantities, backorderDays: 5 } as unknown as OrderItem;

test.each([
  [
    "pending",
    "paid",
    en.order_pending,
    "1 being prepared, 1 on backorder, 1 shipped, usually here within 5 days of the order",
  ],
  ["pending", "refunded", en.orderRefunded, "1 shipped, 2 not supplied"],
  ["processing", "refunded", en.orderRefunded, "1 shipped, 2 not supplied"],
])("an order that is %s and %s says what still comes", (status, paymentStatus, state, line) => {
  const order = { status, paymentStatus, fulfilment: "ship" } as Order;
  const shop = { texts: en, language: "en", timeZone: "America/Chicago" } as const;
  expect([describeState(order, en), describeLineState(item, order, shop)]).toEqual([state, line]);
  const unsupplied = { ...item, quantities: { ...quantities, open: 2, backordered: 0 }, elsewhere: 1 };
  const orderable = describeLineState({ ...unsupplied, uncounted: 1 }, order, shop);
  expect(orderable).toBe(
    line.replace(en.line_open, `$& (1 ${en.line_elsewhere})`).replace(en.line_backordered, en.line_uncounted),
  );
  // A day that was announced and is over says nothing any more.
  expect(describeLineState({ ...item, expectedAt: "2020-01-01" }, order, shop)).toBe(line.replace(/, usually.*/, ""));
  expect(mayCancel(order)).toBe(paymentStatus === "paid");
});

test.each([
  ["pending", "paid", 110, en.orderDisputed],
  ["shipped", "paid", 110, en.order_shipped],
  ["cancelled", "paid", 110, en.orderCancelledDisputed],
  ["cancelled", "paid", undefined, en.order_cancelled],
  ["cancelled", "refunded", undefined, en.orderCancelledRefunded],
])(
  "an order that is %s and %s, of which the bank has %s, promises no other money",
  (status, paymentStatus, has, state) => {
    const order = {
      status,
      paymentStatus,
      fulfilment: "ship",
      items: [],
      disputedAmount: has,
    } as unknown as Order;
    expect(describeState(order, en)).toBe(state);
  },
);

test("an order of which something was cancelled or came back does not say that all is on its way", () => {
  const orderOf = (shipped: number, returned: number): Order =>
    ({
      ...{ status: "shipped", paymentStatus: "partially_refunded", fulfilment: "ship" },
      items: [{ quantity: 2, quantities: { open: 0, backordered: 0, shipped, cancelled: 0, returned } }],
    }) as unknown as Order;
  expect(describeState(orderOf(2, 0), en)).toBe("All items have shipped.");
  expect(describeState(orderOf(1, 1), en)).toBe(en.orderRestShipped);
});

test("a date is the shop's day; one without a time is what it says", () => {
  const chicago = { language: "en", timeZone: "America/Chicago" } as const;
  expect(date("2026-11-21T05:30:00.000Z", chicago)).toBe("Nov 20, 2026");
  expect(date("2026-11-21", chicago)).toBe("Nov 21, 2026");
});

test("a weight is in pounds and kilograms", () => {
  expect([formatWeight(2_322, "en"), formatWeight(2_322, "de"), formatWeight(35, "es")]).toEqual([
    "5.12 lb (2.32 kg)",
    "2,32 kg",
    "0,035 kg",
  ]);
});
