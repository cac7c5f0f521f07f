import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { ORDER_STATUSES, PAYMENT_STATUSES } from "../../services/shared/placed-order.ts";
import type { CustomError } from "@partline/api-contracts";
import { buildCreatedFilter, isoMomentRule } from "../../broker/contract/period.ts";
import { OrderStats } from "../../services/order/stats.ts";
import { paidOrder } from "./order.support.ts";

describe("A period", () => {
  it("includes its first and its last date, and ends before a given time", () => {
    expect(buildCreatedFilter({ from: "2026-11-01", to: "2026-11-30" })).toEqual({
      $gte: new Date("2026-11-01T00:00:00Z"),
      $lt: new Date("2026-12-01T00:00:00Z"),
    });
    expect(buildCreatedFilter({ to: "2026-11-21T08:00:00+02:00" })).toEqual({ $lt: new Date("2026-11-21T06:00:00Z") });
    expect(buildCreatedFilter({ from: "2026-11-21T08:00:00" })).toEqual({ $gte: new Date("2026-11-21T08:00:00Z") });
    expect(buildCreatedFilter({})).toBeUndefined();
  });

  it.each([
    ["2026-11-30", "2026-11-01"],
    ["2026-11-21T08:00", "2026-11-21T08:00"],
  ])("from %s to %s is refused, naming from", (from, to) => {
    const refusal = { code: "VALIDATION_FAILED", data: [{ field: "from", message: expect.any(String) }] };
    expect(() => buildCreatedFilter({ from, to })).toThrow(expect.objectContaining(refusal));
  });

  it("ends with the last moment that a store keeps", () => {
    expect(buildCreatedFilter({ to: "9999-12-31" })).toEqual({ $lt: new Date("9999-12-31T23:59:59.999Z") });
  });

  it.each([
    ["2026-11-21", true],
    ["2026-11-21T08:30Z", true],
    ["2026-11-21T08:30:15.123Z", true],
    ["2026-11-21T08:30", true],
    ["2028-02-29", true],
    ["2026-02-30", false],
    ["2026-11-21T25:30", false],
    ["2026-13-01", false],
    ["yesterday", false],
    ["2026", false],
    ["1763683200", false],
    ["0001-01-01T00:00:00+01:00", false],
    ["9999-12-31T23:59:59-01:00", false],
  ])("%s is a moment: %s", (value, valid) => {
    const errors: CustomError[] = [];
    isoMomentRule.custom(value, errors, {}, "from");
    expect(errors).toHaveLength(valid ? 0 : 1);
    if (!valid) expect(errors[0]!.message).toContain("'from'");
  });
});

describe("Statistics", () => {
  it("count each figure over the orders that it is defined over", () => {
    const stats = new OrderStats();
    stats.add(paidOrder());
    const shipped = { status: "shipped", paymentStatus: "partially_refunded", refundedAmount: 2_500 } as const;
    stats.add(paidOrder({ ...shipped, createdAt: new Date("2026-11-20T23:00:00Z") }));
    stats.add(paidOrder({ status: "cancelled", paymentStatus: "refunded", refundedAmount: 10_000 }));
    stats.add(paidOrder({ paymentStatus: "pending" }));
    stats.add(paidOrder({ paymentStatus: "failed", createdAt: new Date("2026-11-22T00:00:00Z") }));
    expect(stats.result()).toEqual({
      totalOrders: 5,
      revenue: { gross: 300, refunded: 125, disputed: 0, net: 175 },
      averageOrderValue: 100,
      otherCurrencies: {},
      byStatus: { pending: 3, processing: 0, shipped: 1, delivered: 0, cancelled: 1 },
      byPaymentStatus: { pending: 1, paid: 1, failed: 1, refunded: 1, partially_refunded: 1 },
      byDay: [
        { date: "2026-11-20", orders: 1, gross: 100, refunded: 25, disputed: 0, net: 75 },
        { date: "2026-11-21", orders: 3, gross: 200, refunded: 100, disputed: 0, net: 100 },
        { date: "2026-11-22", orders: 1, gross: 0, refunded: 0, disputed: 0, net: 0 },
      ],
      topParts: [
        { productId: "bns-a", partNumber: "A", name: "Part A", quantity: 4, revenue: 80 },
        { productId: "bns-b", partNumber: "B", name: "Part B", quantity: 2, revenue: 80 },
      ],
    });
  });

  it("never add money of another currency to the sums, and say how many orders are left out", () => {
    const order = fc.record({
      currency: fc.constantFrom("usd", "eur", "jpy"),
      paymentStatus: fc.constantFrom(...PAYMENT_STATUSES),
      status: fc.constantFrom(...ORDER_STATUSES),
      total: fc.integer({ min: 1, max: 1_000_000 }),
    });
    fc.assert(
      fc.property(fc.array(order, { maxLength: 20 }), (orders) => {
        const statsOfAll = new OrderStats();
        const statsOfUsd = new OrderStats();
        for (const fields of orders) statsOfAll.add(paidOrder(fields));
        const inUsd = orders.filter(({ currency }) => currency === "usd");
        for (const fields of inUsd) statsOfUsd.add(paidOrder(fields));
        const { otherCurrencies, totalOrders, ...sums } = statsOfAll.result();
        const { revenue, averageOrderValue, topParts } = statsOfUsd.result();
        expect(sums).toMatchObject({ revenue, averageOrderValue, topParts });
        expect(totalOrders).toBe(orders.length);
        const charged = orders.filter(
          ({ currency, paymentStatus }) => currency !== "usd" && !["pending", "failed"].includes(paymentStatus),
        );
        expect(Object.values(otherCurrencies).reduce((sum, count) => sum + count, 0)).toBe(charged.length);
      }),
    );
  });

  it("of nothing are zero", () => {
    const zero = { totalOrders: 0, averageOrderValue: 0, byDay: [], topParts: [], revenue: { gross: 0 } };
    expect(new OrderStats().result()).toMatchObject(zero);
  });
});
