import { describe, expect, it, test } from "@jest/globals";
import fc from "fast-check";
import { applyChange, createMessage } from "../../services/order/repository.ts";
import { ship, update } from "../../services/order/changes.ts";
import type { OrderDocument } from "../../services/order/collections.ts";
import { findDisputePages, findDisputeState, sumDisputed, sumUndisputed } from "../../services/order/disputes.ts";
import { applyPaymentChange, type PaymentChange } from "../../services/order/payment-change.ts";
import { begin, requestRefund, settleRefund } from "../../services/order/refunds/decisions.ts";
import { computeRefundable, refundDue } from "../../services/order/refunds/ledger.ts";
import { paidOrder } from "./order.support.ts";

const now = new Date("2026-11-21T11:00:00Z");
const facts = { actor: "payment-provider", now, newRefundId: "ref_new" };
const byStaff = { reason: "requested_by_customer", actor: "admin", force: false } as const;
const OPEN = "needs_response";

type Message = Partial<PaymentChange> & { status: string };

const tell = (order: OrderDocument, ...messages: Message[]): OrderDocument =>
  messages.reduce(
    (before, message) =>
      applyPaymentChange(before, { kind: "dispute", disputeId: "du_1", ...message }, facts)?.order ?? before,
    order,
  );

describe("What disputes have of an order's money", () => {
  it.each([
    [OPEN, 4_000, "open"],
    ["under_review", 4_000, "open"],
    ["appeal_under_review", 4_000, "open"],
    ["a_new_status", 4_000, "open"],
    ["lost", 4_000, "lost"],
    ["won", 0, undefined],
    ["prevented", 0, undefined],
    ["warning_needs_response", 0, "inquiry"],
    ["warning_under_review", 0, "inquiry"],
    ["warning_closed", 0, undefined],
  ])("%s: %d", (status, disputed, state) => {
    const order = tell(paidOrder(), { status, amount: 4_000 });
    expect([sumDisputed(order), findDisputeState(order)]).toEqual([disputed, state]);
    expect([sumUndisputed(order), computeRefundable(order)]).toEqual([10_000 - disputed, 10_000 - disputed]);
  });

  it("is the whole charge of one without an amount, or with one in another currency", () => {
    const old = { disputeId: "du_1", status: "lost", updatedAt: now.toISOString() };
    expect(sumDisputed(paidOrder({ disputes: [old] }))).toBe(10_000);
    expect(sumDisputed(tell(paidOrder(), { status: OPEN, amount: 90, currency: "eur" }))).toBe(10_000);
  });

  it("is at most what was not refunded before, also of several", () => {
    const refunded = paidOrder({ refundedAmount: 3_000, chargeRefunded: 3_000, paymentStatus: "partially_refunded" });
    const second = { disputeId: "du_2", status: "lost", amount: 10_000 };
    const twice = tell(refunded, { status: OPEN, amount: 6_000 }, second);
    expect([sumDisputed(twice), sumUndisputed(twice)]).toEqual([7_000, 0]);
    expect(sumUndisputed(tell(twice, { disputeId: "du_2", status: "won" }))).toBe(1_000);
  });

  it("is the same however late, often and in any order the messages come", () => {
    const histories = [
      [OPEN, "under_review", "won"],
      [OPEN, "lost"],
      ["warning_needs_response", OPEN, "lost", "won"],
      ["warning_needs_response", "warning_closed"],
    ];
    const all = fc.constantFrom(...histories).chain((statuses) =>
      fc.record({
        statuses: fc.constant(statuses),
        shuffled: fc.shuffledSubarray(statuses, { minLength: statuses.length }),
        repeated: fc.array(fc.constantFrom(...statuses)),
      }),
    );
    const tellAll = (statuses: string[]) => tell(paidOrder(), ...statuses.map((status) => ({ status, amount: 2_500 })));
    fc.assert(
      fc.property(all, ({ statuses, shuffled, repeated }) => {
        const [inOrder, order] = [tellAll(statuses), tellAll([...shuffled, ...repeated])];
        expect(sumDisputed(order)).toBe(sumDisputed(inOrder));
        expect(findDisputeState(order)).toBe(findDisputeState(inOrder));
      }),
    );
  });

  it("adds up over the events: their changes make the order's disputedAmount", () => {
    const messages: Message[] = [
      { status: OPEN, amount: 2_500 },
      { disputeId: "du_2", status: OPEN, amount: 9_000 },
      { kind: "refunded", refundedTotal: 5_000, status: "" },
      { status: "won" },
    ];
    let [order, sum] = [paidOrder(), 0];
    for (const message of messages) {
      const change = applyPaymentChange(order, { kind: "dispute", disputeId: "du_1", ...message }, facts)!;
      const after = applyChange(order, change, now);
      const { payload } = createMessage(order, after, change.actor, change.event!);
      sum += "disputedAmount" in payload ? (payload.disputedAmount ?? 0) : 0;
      expect(sum).toBe(after.disputedAmount ?? 0);
      order = after;
    }
    expect(sum).toBe(5_000);
  });
});

describe("An order whose payment is disputed", () => {
  const disputed = tell(paidOrder(), { status: OPEN, amount: 10_000 });

  it("is shipped only by who says so; an inquiry holds nothing up", () => {
    const shipment = { ...facts, shipmentId: "shp_1" };
    expect(() => ship(disputed, {}, shipment)).toThrow(expect.objectContaining({ code: "PAYMENT_DISPUTED" }));
    expect(() => ship(tell(disputed, { status: "lost" }), {}, shipment)).toThrow("lost in a dispute");
    expect(ship(disputed, { override: { reason: "He paid in cash" } }, shipment).order).toMatchObject({
      status: "shipped",
      notes: [{ text: "Shipped despite a dispute: He paid in cash" }],
    });
    expect(() => update(disputed, { adminNote: "x", override: { reason: "He paid" } }, "user:1", shipment)).toThrow(
      "'override'",
    );
    for (const status of ["won", "warning_under_review"])
      expect(ship(tell(paidOrder(), { status }), {}, shipment).order.status).toBe("shipped");
  });

  it("has its pieces cancelled without a refund, which follows if the dispute is won", () => {
    const items = [{ productId: "bns-b", quantity: 1 }];
    const lines = { items, reason: "other", actor: "admin", cancels: true } as const;
    const { order } = requestRefund(disputed, lines, "ref_1", now).change;
    expect(order).toMatchObject({ refundedAmount: 0, refunds: [{ amount: 0, status: "succeeded" }] });
    expect(tell(order, { status: "lost" }).refunds).toHaveLength(1);
    // Its share of the total without shipping: 40 of 80 of 85.
    expect(tell(order, { status: "won" }).refunds.at(-1)).toMatchObject({ amount: 4_250, status: "requested" });
  });

  it("is refused a refund of the disputed money by a code that names it", () => {
    const order = tell(paidOrder(), { status: OPEN, amount: 4_000 });
    const refund = (amount: number) => () =>
      requestRefund(order, { amount, reason: "other", actor: "admin" }, "r", now);
    expect(refund(6_001)).toThrow(
      expect.objectContaining({ code: "PAYMENT_DISPUTED", data: { disputedAmount: "40.00" } }),
    );
    expect(refund(10_001)).toThrow(expect.objectContaining({ code: "VALIDATION_FAILED" }));
    expect(refund(6_000)().refundId).toBe("r");
  });
});

describe("A refund that the provider refuses because of a dispute", () => {
  it("ends: it is not due and not tried again, until the dispute is won", () => {
    const begun = begin(paidOrder(), byStaff, "ref_1", now).order;
    const { order } = settleRefund(begun, "ref_1", "disputed", "ref_2", now)!;
    expect(order).toMatchObject({ status: "cancelled", refunds: [{ status: "failed" }] });
    expect([refundDue(order), computeRefundable(order)]).toEqual([0, 0]);
    const lost = tell(order, { status: "lost", amount: 10_000 });
    expect([refundDue(lost), lost.refunds.length]).toEqual([0, 1]);
    expect(refundDue(tell(lost, { status: "won" }))).toBe(10_000);
  });

  it("is tried again with what a dispute leaves that was reported meanwhile, and ends if that is refused too", () => {
    const begun = tell(begin(paidOrder(), byStaff, "ref_1", now).order, { status: OPEN, amount: 4_000 });
    const { order } = settleRefund(begun, "ref_1", "disputed", "ref_2", now)!;
    expect(order).toMatchObject({ status: "cancelled", refunds: [{ amount: 10_000 }, { amount: 6_000 }] });
    expect(refundDue(order)).toBe(6_000);
    const refused = settleRefund(order, "ref_2", "disputed", "ref_3", now)!.order;
    expect([refundDue(refused), computeRefundable(refused), refused.refunds.length]).toEqual([0, 0, 2]);
  });

  it("of a retry too", () => {
    const due = { refundId: "ref_1", amount: 4_250, status: "requested", providerRefundId: null, attempts: 2 } as const;
    const retried = { ...due, reason: null, actor: "system", figureBefore: 0, createdAt: now.toISOString() };
    const { order } = settleRefund(paidOrder({ refunds: [retried] }), "ref_1", "disputed", "ref_2", now)!;
    expect([refundDue(order), order.refunds.length]).toEqual([0, 1]);
    expect(tell(order, { status: "won" }).refunds.at(-1)).toMatchObject({ amount: 4_250, status: "requested" });
  });
});

test.each([
  ["sk_live_1", "https://api.stripe.com", "https://dashboard.stripe.com/disputes/du_1"],
  ["rk_live_1", "https://api.stripe.com", "https://dashboard.stripe.com/disputes/du_1"],
  ["sk_test_1", "https://api.stripe.com", "https://dashboard.stripe.com/test/disputes/du_1"],
  ["sk_test_sandbox", "http://127.0.0.1:4000", undefined],
])("a dispute's page with the key %s at %s is %s", (secretKey, apiBase, page) => {
  expect(findDisputePages({ secretKey, apiBase })?.("du_1")).toBe(page);
});
