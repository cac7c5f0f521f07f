import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { OrderDocument } from "../../services/order/collections.ts";
import { begin, requestRefund, settleRefund, type RefundRequest } from "../../services/order/refunds/decisions.ts";
import { applyPaymentChange } from "../../services/order/payment-change.ts";
import type { RefundOutcome } from "../../services/order/refunds/ledger.ts";
import { refundRequest, toStanding } from "../../services/order/refunds/provider.ts";
import { paidOrder } from "./order.support.ts";

const now = new Date("2026-11-21T11:00:00Z");
const taken = { status: "succeeded", providerRefundId: "re_1" } as const;
const notTaken = { status: "failed", providerRefundId: null } as const;
/** Items by part number, so many of each. */
const partsOf = (quantities: Record<string, number>) =>
  Object.entries(quantities).map(([partNumber, quantity]) => ({ partNumber, quantity }));
const product = (productId: string, quantity = 1) => ({ productId, quantity });

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
  it("is capped by what is left, those on their way included, and names the field", () => {
    const order = reserved(paidOrder(), { amount: 6_000 });
    expect(refusal(order, { amount: 4_001 })).toMatchObject({ code: "VALIDATION_FAILED", data: [{ field: "amount" }] });
    expect(refusal(order, { amount: 4_001 }).message).toBe(
      "The 'amount' field is 40.01, but only 40.00 is left to refund.",
    );
    expect(refusal(order, { items: partsOf({ A: 2, B: 1 }) })).toMatchObject({ data: [{ field: "items" }] });
  });

  it("takes a product that stands on two lines from both, at their prices", () => {
    const order = paidOrder({
      total: 8_500,
      items: [
        { productId: "x", partNumber: "A", name: "Part A", quantity: 1, price: 1_000 },
        { productId: "x", partNumber: "A", name: "Part A", quantity: 2, price: 3_000 },
      ],
    });
    expect(reserved(order, { items: partsOf({ A: 2 }) }).refunds).toMatchObject([{ amount: 4_000 }]);
    expect(refusal(order, { items: [...partsOf({ A: 3 }), product("x")] })).toMatchObject({
      data: [{ field: "items[1].quantity" }],
    });
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
    expect(reserved(half, { items: [product("a")] }).refunds).toMatchObject([{ amount: 4_500 }]);

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
            status: "shipped",
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
            const requested = reserved(order, { items: [product(productId)] }, `ref_${index}`);
            order = answered(requested, `ref_${index}`, { ...taken, providerRefundId: `re_${index}` })!.order;
          }
          expect(order.refundedAmount).toBe(subtotal + tax - discount);
        },
      ),
    );
    const given = paidOrder({ discount: 8_000, tax: 0, total: 1_500 });
    expect(refusal(given, { items: partsOf({ B: 1 }) })).toMatchObject({
      code: "INVALID_TRANSITION",
      message: "Nothing was paid for these items",
    });
  });

  describe("after one that was answered as not made", () => {
    const itemA = partsOf({ A: 2 });
    const sameA = [product("bns-a"), product("bns-a")];
    const itemB = partsOf({ B: 1 });
    const refused = answered(reserved(paidOrder(), { items: itemA }), "ref_1", notTaken)!.order;
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
      const goneThrough = { ...taken, providerRefundId: "re_2" };
      const cancelled = settleRefund(cancelling, "ref_2", goneThrough, "ref_3", now)!.order;
      const due = answered(cancelled, "ref_1", notTaken)!.order;
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
      expect(refusal(order, { items: partsOf({ "DUP-1": 1 }) })).toMatchObject({
        code: "VALIDATION_FAILED",
        message:
          "The 'items[0].partNumber' field names 2 products of the order; name one by 'productId': grp-dup1, lan-dup1.",
        data: [{ field: "items[0].partNumber" }],
      });
    });

    it("pays the product that is named, and counts what is left of each by itself", () => {
      const once = reserved(order, { items: [product("lan-dup1")] });
      expect(once.refunds).toMatchObject([{ amount: 4_000 }]);
      const both = [{ ...product("lan-dup1"), partNumber: "DUP-1" }, product("grp-dup1")];
      const twice = reserved(once, { items: both }, "ref_2");
      expect(twice.refunds.at(-1)).toMatchObject({ amount: 4_100 });
      const tooMany = { data: [{ field: "items[0].quantity" }] };
      expect(refusal(twice, { items: [product("grp-dup1")] })).toMatchObject(tooMany);
      expect(refusal(once, { items: [product("lan-dup1", 2)] })).toMatchObject(tooMany);
    });
  });

  it.each([
    ["items that the order does not have", { items: partsOf({ Z: 1 }) }],
    ["a product that the order does not have", { items: [product("bns-z")] }],
    ["a product under another's part number", { items: [{ ...product("bns-a"), partNumber: "B" }] }],
    ["an item that is not named", { items: [{ quantity: 1 }] }],
    ["amount and items together", { amount: 1, items: partsOf({ A: 1 }) }],
  ])("refuses %s", (_what, wanted) => {
    expect(refusal(paidOrder(), wanted)).toMatchObject({ code: "VALIDATION_FAILED" });
  });

  it.each([
    ["is not paid", paidOrder({ paymentStatus: "pending" })],
    ["has a payment that failed", paidOrder({ paymentStatus: "failed" })],
    ["has nothing left", paidOrder({ paymentStatus: "refunded", refundedAmount: 10_000 })],
    ["is being cancelled", begin(paidOrder(), { reason: "other", actor: "admin", force: false }, "ref_0", now).order],
  ])("refuses the rest of an order that %s", (_what, order) => {
    expect(refusal(order, {})).toMatchObject({ code: "INVALID_TRANSITION" });
  });
});
