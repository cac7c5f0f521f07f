import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import {
  ORDER_STATUSES,
  PAYMENT_STATUSES,
  type OrderStatus,
  type PaymentStatus,
} from "../../services/shared/placed-order.ts";
import { applyChange, createMessage } from "../../services/order/repository.ts";
import type { Change } from "../../services/order/order-change.ts";
import type { CancelRequest, OrderDocument } from "../../services/order/collections.ts";
import { applyPaymentChange, type PaymentChange } from "../../services/order/payment-change.ts";
import { refundDue, type RefundAnswer, type RefundOutcome } from "../../services/order/refunds/ledger.ts";
import { begin, requestRefund, settleRefund } from "../../services/order/refunds/decisions.ts";
import { isStep, paymentStatusAfter } from "../../services/order/transitions.ts";
import { update as updated } from "../../services/order/changes.ts";
import { cancellationRefund } from "../../services/order/views.ts";
import { paidOrder } from "./order.support.ts";

const now = new Date("2026-11-21T11:00:00Z");
const byCustomer = { reason: "requested_by_customer", actor: "user:user_1", force: false } as const;
const update = (order: OrderDocument, patch: Parameters<typeof updated>[1], actor: string) =>
  updated(order, patch, actor, { now, shipmentId: "shp_1" });
const facts = { actor: "payment-provider", now, newRefundId: "ref_new" };
const tell = (order: OrderDocument, change: PaymentChange): Change | undefined =>
  applyPaymentChange(order, change, facts);

describe("Order status", () => {
  const steps: [OrderStatus, OrderStatus][] = [
    ["pending", "processing"],
    ["processing", "shipped"],
    ["shipped", "delivered"],
  ];
  const all = ORDER_STATUSES.flatMap((from) => ORDER_STATUSES.map((to) => [from, to] as [OrderStatus, OrderStatus]));

  it.each(all)("from %s to %s", (from, to) => {
    const allowed = steps.some(([one, next]) => one === from && next === to);
    if (from === to) expect(isStep(from, to)).toBe(false);
    else if (allowed) expect(isStep(from, to)).toBe(true);
    else
      expect(() => isStep(from, to)).toThrow(
        expect.objectContaining({ code: "INVALID_TRANSITION", data: { from, to } }),
      );
  });

  it("is set with the other fields of a patch, and what is so already changes nothing", () => {
    const patch = { status: "processing" as const, trackingNumber: "1Z", carrier: "ups" };
    const change = update(paidOrder(), patch, "admin")!;
    expect(change.order).toMatchObject(patch);
    expect(change.event).toEqual({ channel: "order.updated", changed: ["status", "carrier", "trackingNumber"] });
    expect(update(change.order, patch, "admin")).toBeUndefined();
  });

  it("becomes shipped only from processing, and only when the payment was taken and not refunded in full", () => {
    const statuses = fc.constantFrom(...ORDER_STATUSES);
    fc.assert(
      fc.property(statuses, fc.constantFrom(...PAYMENT_STATUSES), (status, paymentStatus) => {
        const ship = () => update(paidOrder({ status, paymentStatus }), { status: "shipped" }, "admin");
        if (status === "shipped") expect(ship()).toBeUndefined();
        else if (status === "processing" && (paymentStatus === "paid" || paymentStatus === "partially_refunded"))
          expect(ship()!.order.status).toBe("shipped");
        else expect(ship).toThrow(expect.objectContaining({ code: "INVALID_TRANSITION" }));
      }),
    );
  });

  const patched = (status: OrderStatus, paymentStatus: PaymentStatus, to: OrderStatus) =>
    update(paidOrder({ status, paymentStatus }), { status: to }, "admin");

  it.each(["pending", "failed"] as const)(
    "names the payment when that is %s, and lets an order of it be processed and delivered",
    (paymentStatus) => {
      expect(() => patched("processing", paymentStatus, "shipped")).toThrow(
        `An order whose payment is ${paymentStatus} cannot be shipped`,
      );
      expect(patched("pending", paymentStatus, "processing")!.order.status).toBe("processing");
      expect(patched("shipped", paymentStatus, "delivered")!.order.status).toBe("delivered");
    },
  );

  it.each([
    ["pending", "processing"],
    ["processing", "shipped"],
  ] as const)("of an order that is refunded in full does not go from %s to %s", (from, to) => {
    expect(() => patched(from, "refunded", to)).toThrow(
      expect.objectContaining({
        code: "INVALID_TRANSITION",
        message: `An order that is refunded in full cannot become ${to}; it can be cancelled`,
        data: { paymentStatus: "refunded" },
      }),
    );
    expect(patched("shipped", "refunded", "delivered")!.order.status).toBe("delivered");
  });

  it("is refused on a stale version, and while the order is being cancelled", () => {
    expect(() => update(paidOrder({ version: 3 }), { status: "processing", version: 2 }, "admin")).toThrow(
      expect.objectContaining({ code: "VERSION_CONFLICT" }),
    );
    const cancelling = begin(paidOrder({ status: "processing" }), byCustomer, "ref_1", now).order;
    expect(() => update(cancelling, { status: "shipped" }, "admin")).toThrow(
      expect.objectContaining({ code: "INVALID_TRANSITION" }),
    );
    expect(update(cancelling, { trackingNumber: "1Z" }, "admin")).toBeDefined();
  });
});

describe("Payment status", () => {
  it("follows the refunded amount, and a payment that was not made is not refunded", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PAYMENT_STATUSES),
        fc.nat(10_000),
        fc.integer({ min: 1, max: 10_000 }),
        (current, refunded, total) => {
          const after = paymentStatusAfter(current, refunded, total);
          if (refunded >= total) expect(after).toBe("refunded");
          else if (refunded > 0) expect(after).toBe("partially_refunded");
          else expect(after).toBe(current === "pending" || current === "failed" ? current : "paid");
        },
      ),
    );
  });

  it.each([
    ["pending", "paid", "paid"],
    ["pending", "failed", "failed"],
    ["failed", "paid", "paid"],
    ["paid", "failed", undefined],
    ["paid", "paid", undefined],
    ["failed", "failed", undefined],
    ["refunded", "paid", undefined],
  ] as const)("%s, after the report %s, becomes %s", (current, kind, expected) => {
    const change = tell(paidOrder({ paymentStatus: current }), { kind });
    expect(change?.order.paymentStatus).toBe(expected);
    if (expected) expect(change?.event).toEqual({ channel: "order.updated", changed: ["paymentStatus"] });
  });

  it("keeps the payment intent that an order did not know, without a change that anybody sees", () => {
    const change = applyPaymentChange(
      paidOrder({ paymentIntentId: undefined }),
      { kind: "paid" },
      { ...facts, paymentIntentId: "pi_9" },
    )!;
    expect(change).toMatchObject({ order: { paymentIntentId: "pi_9" } });
    expect(change.event).toBeUndefined();
  });

  it("needs the fields of its kind", () => {
    for (const change of [
      { kind: "refunded" },
      { kind: "refund", status: "failed" },
      { kind: "dispute", disputeId: "dp_1" },
    ] as PaymentChange[]) {
      expect(() => tell(paidOrder(), change)).toThrow(expect.objectContaining({ code: "VALIDATION_FAILED" }));
    }
  });
});

describe("A dispute", () => {
  it("flags the order, and is not opened again once closed", () => {
    const open = tell(paidOrder(), { kind: "dispute", disputeId: "dp_1", status: "needs_response" })!.order;
    expect(open.disputes).toMatchObject([{ disputeId: "dp_1", status: "needs_response" }]);
    expect(tell(open, { kind: "dispute", disputeId: "dp_1", status: "needs_response" })).toBeUndefined();
    const won = tell(open, { kind: "dispute", disputeId: "dp_1", status: "won" })!.order;
    expect(won.disputes).toMatchObject([{ status: "won" }]);
    expect(tell(won, { kind: "dispute", disputeId: "dp_1", status: "under_review" })).toBeUndefined();
  });
});

describe("Cancelling", () => {
  const taken = { status: "succeeded", providerRefundId: "re_1" } as const;
  const refused = { status: "failed", providerRefundId: null } as const;
  const returned = { status: "failed", providerRefundId: "re_1" } as const;
  const conclude = (order: OrderDocument, outcome: RefundAnswer) =>
    settleRefund(order, "ref_1", outcome, "ref_2", now)!;
  const begun = (fields: Partial<CancelRequest> = {}) =>
    begin(paidOrder(), { ...byCustomer, ...fields }, "ref_1", now).order;
  const report = (status: string): PaymentChange => ({
    kind: "refund",
    providerRefundId: "re_1",
    refundId: "ref_1",
    amount: 10_000,
    status,
  });
  const told = (order: OrderDocument, status: string) => tell(order, report(status))!.order;

  it.each(["shipped", "delivered", "cancelled"] as const)("is refused once the order is %s", (status) => {
    expect(() => begin(paidOrder({ status }), byCustomer, "ref_1", now)).toThrow(
      expect.objectContaining({ code: "ORDER_NOT_CANCELLABLE" }),
    );
  });

  it("refunds what is left, and nobody sees anything until the provider has answered", () => {
    const begun = begin(
      paidOrder({ chargeRefunded: 3_000, refundedAmount: 3_000, paymentStatus: "partially_refunded" }),
      byCustomer,
      "ref_1",
      now,
    );
    expect(begun.event).toBeUndefined();
    expect(begun.order).toMatchObject({
      status: "pending",
      refundedAmount: 3_000,
      refunds: [{ amount: 7_000, status: "requested" }],
    });
    const done = conclude(begun.order, taken);
    expect(done.order).toMatchObject({
      status: "cancelled",
      paymentStatus: "refunded",
      refundedAmount: 10_000,
      cancelling: undefined,
    });
    expect(createMessage(begun.order, done.order, done.actor, done.event!)).toMatchObject({
      channel: "order.cancelled",
      payload: {
        actor: "user:user_1",
        amount: 7_000,
        refundId: "ref_1",
        from: { status: "pending" },
        to: { status: "cancelled" },
      },
    });
  });

  it("by force keeps the refund due, under a new id when the provider has closed the old one", () => {
    const cancellation = { actor: "user:user_1", reason: "requested_by_customer" };
    expect(conclude(begun({ force: true }), refused).order).toMatchObject({
      status: "cancelled",
      resumeAt: new Date(now.getTime() + 5_000),
      cancellation: { refundId: "ref_1" },
      refunds: [{ refundId: "ref_1", status: "requested", ...cancellation }],
    });
    expect(conclude(begun({ force: true }), returned).order).toMatchObject({
      resumeAt: new Date(now.getTime() + 60_000),
      cancellation: { refundId: "ref_2" },
      refunds: [
        { refundId: "ref_1", status: "failed" },
        { refundId: "ref_2", status: "requested", ...cancellation },
      ],
    });
  });

  it("has no refund of its own when others have refunded all", () => {
    const { order, event } = conclude(begun(), "already refunded");
    expect(order).toMatchObject({ status: "cancelled", paymentStatus: "refunded", cancellation: { refundId: null } });
    expect(event).toMatchObject({ refundId: null });
  });

  describe("whose refund the provider fails later", () => {
    const cancelled = conclude(begun(), taken).order;

    it("has its money due again, by either order of the failures", () => {
      const change = tell(cancelled, report("failed"))!;
      expect(change).toMatchObject({
        actor: "payment-provider",
        event: { channel: "order.refunded", refundId: "ref_1" },
      });
      expect(change.order).toMatchObject({
        status: "cancelled",
        paymentStatus: "paid",
        refundedAmount: 0,
        cancellation: { refundId: "ref_new" },
        resumeAt: new Date(now.getTime() + 60_000),
        refunds: [
          { refundId: "ref_1", status: "failed" },
          { refundId: "ref_new", status: "requested", amount: 10_000, actor: "user:user_1", attempts: 1 },
        ],
      });
      expect(applyChange(cancelled, change, now)).toMatchObject({ refundDue: 10_000 });
      expect(tell(change.order, report("failed"))).toBeUndefined();
    });

    it("waits longer after each failure, to a day where refunds come back and to five minutes where they are refused", () => {
      const pauses = (outcome: (attempt: number) => RefundOutcome) => {
        let order = told(cancelled, "failed");
        return Array.from({ length: 30 }, (_, attempt) => {
          const { refundId } = order.refunds.find(({ status }) => status === "requested")!;
          order = settleRefund(order, refundId, outcome(attempt), `ref_due_${attempt}`, now)!.order;
          return (order.resumeAt!.getTime() - now.getTime()) / 1_000;
        });
      };
      const back = pauses((attempt) => ({ status: "failed", providerRefundId: `re_due_${attempt}` }));
      expect(back.slice(0, 3)).toEqual([120, 240, 480]);
      expect(Math.max(...back)).toBe(86_400);
      expect(Math.max(...pauses(() => refused))).toBe(300);
    });

    it("is done when the next refund goes through, or when others have refunded all meanwhile", () => {
      const due = told(cancelled, "failed");
      const paid = settleRefund(due, "ref_new", { status: "succeeded", providerRefundId: "re_2" }, "unused", now)!;
      expect(paid).toMatchObject({
        actor: "system",
        event: { channel: "order.refunded", refundId: "ref_new" },
        order: { paymentStatus: "refunded", refundedAmount: 10_000 },
      });
      expect(applyChange(due, paid, now)).toMatchObject({ refundDue: undefined, resumeAt: undefined });
      const { order } = settleRefund(due, "ref_new", "already refunded", "unused", now)!;
      expect(order).toMatchObject({ paymentStatus: "refunded" });
      expect([refundDue(order), cancellationRefund(order)]).toEqual([0, null]);
    });
  });
});

describe("Who made a refund", () => {
  const asked = requestRefund(paidOrder(), { amount: 4_000, reason: "duplicate", actor: "admin" }, "ref_1", now).change
    .order;

  it("is the one who asked for it, whether the provider's answer or its webhook comes first", () => {
    const answer = settleRefund(asked, "ref_1", { status: "succeeded", providerRefundId: "re_1" }, "unused", now)!;
    const webhook = tell(asked, {
      kind: "refund",
      providerRefundId: "re_1",
      refundId: "ref_1",
      amount: 4_000,
      status: "succeeded",
    })!;
    for (const { actor, event } of [answer, webhook]) {
      expect({ actor, event }).toEqual({
        actor: "admin",
        event: { channel: "order.refunded", reason: "duplicate", refundId: "ref_1" },
      });
    }
  });

  it("is the provider at its own console", () => {
    expect(
      tell(paidOrder(), { kind: "refund", providerRefundId: "re_9", amount: 4_000, status: "succeeded" }),
    ).toMatchObject({ actor: "payment-provider" });
    expect(tell(paidOrder(), { kind: "refunded", refundedTotal: 4_000 })).toMatchObject({ actor: "payment-provider" });
  });
});

describe("A change", () => {
  it("makes a version only when it has an event, and a revision always", () => {
    const before = paidOrder();
    const quiet = applyChange(before, { order: before, actor: "system" }, now);
    expect(quiet).toMatchObject({ version: 1, revision: 2, updatedAt: before.updatedAt });
    const seen = applyChange(
      quiet,
      { order: quiet, actor: "system", event: { channel: "order.updated", changed: [] } },
      now,
    );
    expect(seen).toMatchObject({ version: 2, revision: 3, updatedAt: now });
  });
});
