import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { OrderDocument } from "../../services/order/collections.ts";
import {
  begin,
  concludeCancellation,
  requestRefund,
  settleRefund,
  type RefundRequest,
} from "../../services/order/refunds/decisions.ts";
import { applyPaymentChange } from "../../services/order/payment-change.ts";
import type { RefundOutcome } from "../../services/order/refunds/ledger.ts";
import { refundRequest, toStanding } from "../../services/order/refunds/provider.ts";
import { paidOrder } from "./order.support.ts";

const now = new Date("2026-11-21T11:00:00Z");
const taken = { status: "succeeded", providerRefundId: "re_1" } as const;

function reserved(order: OrderDocument, wanted: Partial<RefundRequest>, refundId = "ref_1") {
  return requestRefund(order, { reason: "other", actor: "admin", ...wanted }, refundId, now).change.order;
}
const answered = (order: OrderDocument, refundId: string, outcome: RefundOutcome) =>
  settleRefund(order, refundId, outcome, "ref_due", now);
const refusal = (order: OrderDocument, wanted: Partial<RefundRequest>) => {
  try {
    reserved(order, wanted);
  } catch (error) {
    return error as { code: string; message: string; data: unknown };
  }
  throw new Error("It was not refused");
};

describe("A refund at the provider", () => {
  it("stays as it is when the provider speaks of another try under our id", () => {
    const order = answered(reserved(paidOrder(), { amount: 5 }), "ref_1", taken)!.order;
    const facts = { actor: "payment-provider", now, newRefundId: "ref_2" };
    const told = { kind: "refund", providerRefundId: "re_0", refundId: "ref_1", amount: 5, status: "failed" } as const;
    const { refunds, refundedAmount } = applyPaymentChange(order, told, facts)!.order;
    expect([refunds[0], refundedAmount]).toEqual([order.refunds[0], 5]);
  });

  it("is named by our id, with the reasons that the provider knows", () => {
    const requested = (reason: "duplicate" | "other") =>
      refundRequest(reserved(paidOrder(), { amount: 5, reason }), "pi_1", "ref_1");
    expect(requested("duplicate")).toEqual({
      payment_intent: "pi_1",
      amount: 5,
      reason: "duplicate",
      metadata: { refundId: "ref_1", orderId: "ord_1" },
    });
    expect(requested("other")).toMatchObject({ metadata: { reason: "other" } });
    expect(
      ["succeeded", "pending", "requires_action", "failed", "canceled"].map(
        (status) => toStanding({ id: "re_1", status }).status,
      ),
    ).toEqual(["succeeded", "pending", "pending", "failed", "failed"]);
  });
});

describe("A refund request", () => {
  it("takes an amount, items at what was paid for them, or all that is left", () => {
    expect(reserved(paidOrder(), { amount: 1_234 }).refunds).toMatchObject([{ amount: 1_234 }]);
    // 60.00 of 80.00, and as much of 5.00 tax.
    expect(
      reserved(paidOrder(), {
        items: [
          { partNumber: "A", quantity: 1 },
          { partNumber: "B", quantity: 1 },
        ],
      }).refunds,
    ).toMatchObject([{ amount: 6_375 }]);
    expect(reserved(paidOrder({ chargeRefunded: 4_000, refundedAmount: 4_000 }), {}).refunds).toMatchObject([
      { amount: 6_000 },
    ]);
  });

  it("is capped by what is left, those on their way included, and names the field", () => {
    const order = reserved(paidOrder(), { amount: 6_000 });
    expect(refusal(order, { amount: 4_001 })).toMatchObject({ code: "VALIDATION_FAILED", data: [{ field: "amount" }] });
    expect(refusal(order, { amount: 4_001 }).message).toBe(
      "The 'amount' field is 40.01, but only 40.00 is left to refund.",
    );
    expect(
      refusal(order, {
        items: [
          { partNumber: "A", quantity: 2 },
          { partNumber: "B", quantity: 1 },
        ],
      }),
    ).toMatchObject({ data: [{ field: "items" }] });
  });

  it("counts the quantities of items that are refunded already, and forgets those that failed", () => {
    const items = [{ partNumber: "A", quantity: 2 }];
    const once = reserved(paidOrder(), { items });
    expect(refusal(once, { items })).toMatchObject({
      code: "VALIDATION_FAILED",
      data: [{ field: "items[0].quantity" }],
    });
    const failed = answered(once, "ref_1", { status: "failed", providerRefundId: "re_1" })!.order;
    expect(reserved(failed, { items }, "ref_2").refunds.at(-1)).toMatchObject({ refundId: "ref_2", amount: 4_250 });
  });

  it("takes a product that stands on two lines from both, at their prices", () => {
    const order = paidOrder({
      total: 8_500,
      items: [
        { productId: "x", partNumber: "A", name: "Part A", quantity: 1, price: 1_000 },
        { productId: "x", partNumber: "A", name: "Part A", quantity: 2, price: 3_000 },
      ],
    });
    expect(reserved(order, { items: [{ partNumber: "A", quantity: 2 }] }).refunds).toMatchObject([{ amount: 4_000 }]);
    expect(
      refusal(order, {
        items: [
          { partNumber: "A", quantity: 3 },
          { productId: "x", quantity: 1 },
        ],
      }),
    ).toMatchObject({ data: [{ field: "items[1].quantity" }] });
  });

  it("pays items less their share of a discount, and all of them one by one no cent more or less than was paid", () => {
    // 2 x 50.00 with ten per cent off: 45.00 were paid for each.
    const half = paidOrder({
      items: [{ productId: "a", partNumber: "A", name: "A", quantity: 2, price: 5_000 }],
      subtotal: 10_000,
      discount: 1_000,
      tax: 0,
      shipping: 0,
      total: 9_000,
    });
    expect(reserved(half, { items: [{ productId: "a", quantity: 1 }] }).refunds).toMatchObject([{ amount: 4_500 }]);

    const line = fc.record({ quantity: fc.integer({ min: 1, max: 4 }), price: fc.integer({ min: 100, max: 99_999 }) });
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 4 }),
        fc.nat(5_000),
        fc.nat(5_000),
        fc.nat(50),
        (lines, tax, shipping, percent) => {
          const items = lines.map((one, index) => ({
            ...one,
            productId: `p${index}`,
            partNumber: `P${index}`,
            name: "Part",
          }));
          const subtotal = lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0);
          const discount = Math.floor((subtotal * percent) / 100);
          let order = paidOrder({
            items,
            subtotal,
            tax,
            shipping,
            discount,
            total: subtotal + tax + shipping - discount,
          });
          for (const [index, productId] of items
            .flatMap((item) => Array.from({ length: item.quantity }, () => item.productId))
            .entries()) {
            const requested = reserved(order, { items: [{ productId, quantity: 1 }] }, `ref_${index}`);
            order = answered(requested, `ref_${index}`, {
              status: "succeeded",
              providerRefundId: `re_${index}`,
            })!.order;
          }
          expect(order.refundedAmount).toBe(subtotal + tax - discount);
        },
      ),
    );
    const given = paidOrder({ discount: 8_000, tax: 0, total: 1_500 });
    expect(refusal(given, { items: [{ partNumber: "B", quantity: 1 }] })).toMatchObject({
      code: "INVALID_TRANSITION",
      message: "Nothing was paid for these items",
    });
  });

  describe("after one that was answered as not made", () => {
    const [itemA, sameA, itemB] = [
      [{ partNumber: "A", quantity: 2 }],
      [
        { productId: "bns-a", quantity: 1 },
        { productId: "bns-a", quantity: 1 },
      ],
      [{ partNumber: "B", quantity: 1 }],
    ];
    const refused = answered(reserved(paidOrder(), { items: itemA }), "ref_1", {
      status: "failed",
      providerRefundId: null,
    })!.order;
    const through = answered(refused, "ref_1", taken)!.order;

    it("is the same again for the same items, whether it went through by now or not", () => {
      for (const items of [itemA, sameA]) {
        expect(reserved(refused, { items }, "ref_2").refunds).toMatchObject([
          { refundId: "ref_1", amount: 4_250, status: "requested" },
        ]);
        expect(reserved(through, { items }, "ref_2").refunds).toMatchObject([
          { refundId: "ref_1", status: "succeeded" },
        ]);
      }
    });

    it("is the same again where it is due because its order was cancelled meanwhile", () => {
      const asked = reserved(paidOrder(), { items: itemB });
      const cancelling = begin(asked, { reason: "other", actor: "admin", force: false }, "ref_2", now).order;
      const cancelled = concludeCancellation(
        cancelling,
        "ref_2",
        { status: "succeeded", providerRefundId: "re_2" },
        "ref_3",
        now,
      )!.order;
      const due = answered(cancelled, "ref_1", { status: "failed", providerRefundId: null })!.order;
      expect(due.refunds.map(({ refundId, amount, status }) => [refundId, amount, status])).toEqual([
        ["ref_2", 5_750, "succeeded"],
        ["ref_1", 4_250, "requested"],
      ]);
    });

    it("is another one for other items, or for none, of the same amount", () => {
      for (const wanted of [{ items: itemB }, { amount: 4_250 }]) {
        expect(reserved(refused, wanted, "ref_2").refunds.map(({ refundId, amount }) => [refundId, amount])).toEqual([
          ["ref_1", 4_250],
          ["ref_2", 4_250],
        ]);
        expect(reserved(through, wanted, "ref_2").refunds.at(-1)).toMatchObject({
          refundId: "ref_2",
          status: "requested",
        });
      }
    });
  });

  describe("of a part number that stands for products of two vendors", () => {
    const order = paidOrder({
      total: 9_600,
      items: [
        { productId: "grp-dup1", partNumber: "DUP-1", name: "One vendor's", quantity: 1, price: 100 },
        { productId: "lan-dup1", partNumber: "DUP-1", name: "Another's", quantity: 2, price: 4_000 },
      ],
    });

    it("is refused, and the error says how to name one", () => {
      expect(refusal(order, { items: [{ partNumber: "DUP-1", quantity: 1 }] })).toMatchObject({
        code: "VALIDATION_FAILED",
        message:
          "The 'items[0].partNumber' field names 2 products of the order; name one by 'productId': grp-dup1, lan-dup1.",
        data: [{ field: "items[0].partNumber" }],
      });
    });

    it("pays the product that is named, and counts what is left of each by itself", () => {
      const once = reserved(order, { items: [{ productId: "lan-dup1", quantity: 1 }] });
      expect(once.refunds).toMatchObject([{ amount: 4_000 }]);
      const twice = reserved(
        once,
        {
          items: [
            { productId: "lan-dup1", partNumber: "DUP-1", quantity: 1 },
            { productId: "grp-dup1", quantity: 1 },
          ],
        },
        "ref_2",
      );
      expect(twice.refunds.at(-1)).toMatchObject({ amount: 4_100 });
      expect(refusal(twice, { items: [{ productId: "grp-dup1", quantity: 1 }] })).toMatchObject({
        data: [{ field: "items[0].quantity" }],
      });
      expect(refusal(once, { items: [{ productId: "lan-dup1", quantity: 2 }] })).toMatchObject({
        data: [{ field: "items[0].quantity" }],
      });
    });
  });

  it.each([
    [
      "items that the order does not have",
      paidOrder(),
      { items: [{ partNumber: "Z", quantity: 1 }] },
      "VALIDATION_FAILED",
    ],
    [
      "a product that the order does not have",
      paidOrder(),
      { items: [{ productId: "bns-z", quantity: 1 }] },
      "VALIDATION_FAILED",
    ],
    [
      "a product under another's part number",
      paidOrder(),
      { items: [{ productId: "bns-a", partNumber: "B", quantity: 1 }] },
      "VALIDATION_FAILED",
    ],
    ["an item that is not named", paidOrder(), { items: [{ quantity: 1 }] }, "VALIDATION_FAILED"],
    [
      "amount and items together",
      paidOrder(),
      { amount: 1, items: [{ partNumber: "A", quantity: 1 }] },
      "VALIDATION_FAILED",
    ],
    ["an order that is not paid", paidOrder({ paymentStatus: "pending" }), { amount: 1 }, "INVALID_TRANSITION"],
    ["an order whose payment failed", paidOrder({ paymentStatus: "failed" }), {}, "INVALID_TRANSITION"],
    [
      "the rest when nothing is left",
      paidOrder({ paymentStatus: "refunded", refundedAmount: 10_000 }),
      {},
      "INVALID_TRANSITION",
    ],
    [
      "an order that is being cancelled",
      begin(paidOrder(), { reason: "other", actor: "admin", force: false }, "ref_0", now).order,
      {},
      "INVALID_TRANSITION",
    ],
  ])("refuses %s", (_what, order, wanted, code) => {
    expect(refusal(order, wanted)).toMatchObject({ code });
  });

  it("moves the payment status as it is settled, and gives the amount back when it fails after all", () => {
    const order = answered(reserved(paidOrder(), { amount: 4_000 }), "ref_1", taken)!.order;
    expect(order).toMatchObject({ paymentStatus: "partially_refunded", refundedAmount: 4_000 });
    const all = answered(reserved(order, {}, "ref_2"), "ref_2", { status: "pending", providerRefundId: "re_2" })!.order;
    expect(all).toMatchObject({ paymentStatus: "refunded", refundedAmount: 10_000 });
    const back = answered(all, "ref_2", { status: "failed", providerRefundId: "re_2" })!;
    expect(back.order).toMatchObject({ paymentStatus: "partially_refunded", refundedAmount: 4_000 });
    expect(back).toMatchObject({ actor: "payment-provider", event: { channel: "order.refunded", refundId: "ref_2" } });
  });
});
