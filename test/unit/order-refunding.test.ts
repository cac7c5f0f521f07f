import { describe, expect, it } from "@jest/globals";
import type { OrderDocument } from "../../services/order/collections.ts";
import { begin } from "../../services/order/cancellation.ts";
import { request, settled, type RefundRequest } from "../../services/order/refunding.ts";
import type { RefundOutcome } from "../../services/order/refund-ledger.ts";
import { paidOrder } from "./order.support.ts";

const now = new Date("2026-11-21T11:00:00Z");
const taken = { status: "succeeded", providerRefundId: "re_1" } as const;

function reserved(order: OrderDocument, wanted: Partial<RefundRequest>, refundId = "ref_1") {
  return request(order, { reason: "other", actor: "admin", ...wanted }, refundId, now).change.order;
}
const answered = (order: OrderDocument, refundId: string, outcome: RefundOutcome) => settled(order, refundId, outcome, "ref_due", now);
const refusal = (order: OrderDocument, wanted: Partial<RefundRequest>) => {
  try {
    reserved(order, wanted);
  } catch (error) {
    return error as { code: string; message: string; data: unknown };
  }
  throw new Error("It was not refused");
};

describe("A refund request", () => {
  it("takes an amount, items at the order's price, or all that is left", () => {
    expect(reserved(paidOrder(), { amount: 1_234 }).refunds).toMatchObject([{ amount: 1_234 }]);
    expect(reserved(paidOrder(), { items: [{ partNumber: "A", quantity: 1 }, { partNumber: "B", quantity: 1 }] }).refunds).toMatchObject([{ amount: 6_000 }]);
    expect(reserved(paidOrder({ chargeRefunded: 4_000, refundedAmount: 4_000 }), {}).refunds).toMatchObject([{ amount: 6_000 }]);
  });

  it("is capped by what is left, those on their way included, and names the field", () => {
    const order = reserved(paidOrder(), { amount: 6_000 });
    expect(refusal(order, { amount: 4_001 })).toMatchObject({ code: "VALIDATION_FAILED", data: [{ field: "amount" }] });
    expect(refusal(order, { amount: 4_001 }).message).toBe("The 'amount' field comes to 40.01, and 40.00 is left to refund.");
    expect(refusal(order, { items: [{ partNumber: "A", quantity: 2 }, { partNumber: "B", quantity: 1 }] })).toMatchObject({ data: [{ field: "items" }] });
  });

  it("counts the quantities of items that are refunded already, and forgets those that failed", () => {
    const items = [{ partNumber: "A", quantity: 2 }];
    const once = reserved(paidOrder(), { items });
    expect(refusal(once, { items })).toMatchObject({ code: "VALIDATION_FAILED", data: [{ field: "items[0].quantity" }] });
    const failed = answered(once, "ref_1", { status: "failed", providerRefundId: "re_1" })!.order;
    expect(reserved(failed, { items }, "ref_2").refunds.at(-1)).toMatchObject({ refundId: "ref_2", amount: 4_000 });
  });

  it("takes a product that stands on two lines from both, at their prices", () => {
    const order = paidOrder({
      items: [
        { productId: "x", partNumber: "A", name: "Part A", quantity: 1, price: 1_000 },
        { productId: "x", partNumber: "A", name: "Part A", quantity: 2, price: 3_000 },
      ],
    });
    expect(reserved(order, { items: [{ partNumber: "A", quantity: 2 }] }).refunds).toMatchObject([{ amount: 4_000 }]);
    expect(refusal(order, { items: [{ partNumber: "A", quantity: 3 }, { productId: "x", quantity: 1 }] })).toMatchObject({ data: [{ field: "items[1].quantity" }] });
  });

  describe("of a part number that stands for products of two vendors", () => {
    const order = paidOrder({
      items: [
        { productId: "grp-dup1", partNumber: "DUP-1", name: "One vendor's", quantity: 1, price: 100 },
        { productId: "lan-dup1", partNumber: "DUP-1", name: "Another's", quantity: 2, price: 4_000 },
      ],
    });

    it("is refused, and says what tells them apart", () => {
      expect(refusal(order, { items: [{ partNumber: "DUP-1", quantity: 1 }] })).toMatchObject({
        code: "VALIDATION_FAILED",
        message: "The 'items[0].partNumber' field names 2 products of the order; 'productId' tells them apart: grp-dup1, lan-dup1.",
        data: [{ field: "items[0].partNumber" }],
      });
    });

    it("pays the product that is named, and counts what is left of each by itself", () => {
      const once = reserved(order, { items: [{ productId: "lan-dup1", quantity: 1 }] });
      expect(once.refunds).toMatchObject([{ amount: 4_000 }]);
      const twice = reserved(once, { items: [{ productId: "lan-dup1", partNumber: "DUP-1", quantity: 1 }, { productId: "grp-dup1", quantity: 1 }] }, "ref_2");
      expect(twice.refunds.at(-1)).toMatchObject({ amount: 4_100 });
      expect(refusal(twice, { items: [{ productId: "grp-dup1", quantity: 1 }] })).toMatchObject({ data: [{ field: "items[0].quantity" }] });
      expect(refusal(once, { items: [{ productId: "lan-dup1", quantity: 2 }] })).toMatchObject({ data: [{ field: "items[0].quantity" }] });
    });
  });

  it.each([
    ["items that the order does not have", paidOrder(), { items: [{ partNumber: "Z", quantity: 1 }] }, "VALIDATION_FAILED"],
    ["a product that the order does not have", paidOrder(), { items: [{ productId: "bns-z", quantity: 1 }] }, "VALIDATION_FAILED"],
    ["a product under another's part number", paidOrder(), { items: [{ productId: "bns-a", partNumber: "B", quantity: 1 }] }, "VALIDATION_FAILED"],
    ["an item that is not named", paidOrder(), { items: [{ quantity: 1 }] }, "VALIDATION_FAILED"],
    ["amount and items together", paidOrder(), { amount: 1, items: [{ partNumber: "A", quantity: 1 }] }, "VALIDATION_FAILED"],
    ["an order that is not paid", paidOrder({ paymentStatus: "pending" }), { amount: 1 }, "INVALID_TRANSITION"],
    ["an order whose payment failed", paidOrder({ paymentStatus: "failed" }), {}, "INVALID_TRANSITION"],
    ["the rest when nothing is left", paidOrder({ paymentStatus: "refunded", refundedAmount: 10_000 }), {}, "INVALID_TRANSITION"],
    ["an order that is being cancelled", begin(paidOrder(), { reason: "other", actor: "admin", force: false }, "ref_0", now).order, {}, "INVALID_TRANSITION"],
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
