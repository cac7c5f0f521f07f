import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { OrderDocument } from "../../services/order/collections.ts";
import { applyPaymentChange, type PaymentChange } from "../../services/order/payment-change.ts";
import { NOT_TAKEN, computeRefundable, refundDue } from "../../services/order/refunds/ledger.ts";
import { begin, requestRefund, settleRefund } from "../../services/order/refunds/decisions.ts";
import { cancellationRefund } from "../../services/order/views.ts";
import { paidOrder } from "./order.support.ts";

const now = new Date("2026-11-21T11:00:00Z");
const TOTAL = 10_000;

interface ProviderRefund {
  providerRefundId: string;
  refundId?: string;
  amount: number;
  status: "succeeded" | "failed";
}

/** The provider as it is, with every message that it ever sent. */
class Provider {
  readonly refunds: ProviderRefund[] = [];
  readonly messages: PaymentChange[] = [];

  get refunded(): number {
    return this.refunds.reduce((sum, { status, amount }) => sum + (status === "failed" ? 0 : amount), 0);
  }

  take(amount: number, refundId?: string): ProviderRefund | undefined {
    const known = this.refunds.find(
      (refund) => refundId !== undefined && refund.refundId === refundId && refund.status !== "failed",
    );
    if (known) return known;
    if (this.refunded + amount > TOTAL) return undefined;
    const providerRefundId = `re_${this.refunds.length}`;
    const refund: ProviderRefund = { providerRefundId, refundId, amount, status: "succeeded" };
    this.refunds.push(refund);
    this.tell(refund);
    return refund;
  }

  fail(index: number): void {
    const refund = this.refunds[index % Math.max(1, this.refunds.length)];
    if (!refund || refund.status === "failed") return;
    refund.status = "failed";
    this.tell(refund);
  }

  tell(refund: ProviderRefund): void {
    this.messages.push({ kind: "refund", ...refund }, { kind: "refunded", refundedTotal: this.refunded });
  }
}

type Step =
  | { kind: "refund"; amount: number; answer: "taken" | "lost" | "refused" | "lost after it was done" }
  | { kind: "console refund"; amount: number }
  | { kind: "failure"; index: number }
  | { kind: "message"; index: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant("refund" as const),
      amount: fc.integer({ min: 1, max: 6_000 }),
      answer: fc.constantFrom("taken" as const, "lost" as const, "refused" as const, "lost after it was done" as const),
    }),
    fc.record({ kind: fc.constant("console refund" as const), amount: fc.integer({ min: 1, max: 6_000 }) }),
    fc.record({ kind: fc.constant("failure" as const), index: fc.nat(20) }),
    fc.record({ kind: fc.constant("message" as const), index: fc.nat(100) }),
  ),
  { maxLength: 25 },
);

describe("The refund ledger, for any reports of the provider in any order", () => {
  it("never refunds more than the total, and ends at the provider's figure", () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const provider = new Provider();
        let order = paidOrder();
        let ids = 0;
        const tell = (change: PaymentChange | undefined): void => {
          if (!change) return;
          const facts = { actor: "payment-provider", now, newRefundId: `unused_${ids++}` };
          order = applyPaymentChange(order, change, facts)?.order ?? order;
        };
        for (const step of sequence) {
          if (step.kind === "console refund") provider.take(step.amount);
          if (step.kind === "failure") provider.fail(step.index);
          if (step.kind === "message") tell(provider.messages[step.index % Math.max(1, provider.messages.length)]);
          if (step.kind === "refund") order = refund(order, provider, step, `ref_${ids++}`);
          expect(order.refundedAmount).toBeLessThanOrEqual(TOTAL);
          expect(computeRefundable(order)).toBeGreaterThanOrEqual(0);
          expect(computeRefundable(order) + order.refundedAmount).toBeLessThanOrEqual(TOTAL);
        }
        for (const message of provider.messages) tell(message);
        expect(order.refundedAmount).toBe(provider.refunded);
        const expected =
          provider.refunded === 0 ? "paid" : provider.refunded === TOTAL ? "refunded" : "partially_refunded";
        expect(order.paymentStatus).toBe(expected);
        for (const message of provider.messages) {
          const before = order.refundedAmount;
          tell(message);
          expect(order.refundedAmount).toBe(before);
        }
      }),
      { numRuns: 500 },
    );
  });
});

type Answer = "taken" | "lost" | "lost after it was done";
type LaterStep = { kind: "attempt"; answer: Answer } | Exclude<Step, { kind: "refund" }>;

const laterSteps: fc.Arbitrary<LaterStep[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant("attempt" as const),
      answer: fc.constantFrom("taken" as const, "lost" as const, "lost after it was done" as const),
    }),
    fc.record({ kind: fc.constant("console refund" as const), amount: fc.integer({ min: 1, max: TOTAL }) }),
    fc.record({ kind: fc.constant("failure" as const), index: fc.nat(20) }),
    fc.record({ kind: fc.constant("message" as const), index: fc.nat(100) }),
  ),
  { maxLength: 25 },
);

/** The order hears of the console's refund before it hears that its own came back. */
const REFUNDED_AT_THE_CONSOLE_FIRST: LaterStep[] = [
  { kind: "failure", index: 0 },
  { kind: "console refund", amount: TOTAL },
  { kind: "message", index: 4 },
];

describe("A cancelled order", () => {
  it("never keeps money that is not due, and ends paid back in full, with any failures and refunds by anyone", () => {
    fc.assert(
      fc.property(laterSteps, (sequence) => {
        const provider = new Provider();
        let ids = 0;
        const newId = (): string => `ref_${ids++}`;
        let order = cancelledOrder(provider, newId());
        const tell = (change: PaymentChange | undefined): void => {
          const facts = { actor: "payment-provider", now, newRefundId: newId() };
          if (change) order = applyPaymentChange(order, change, facts)?.order ?? order;
        };
        for (const step of sequence) {
          if (step.kind === "console refund") provider.take(step.amount);
          if (step.kind === "failure") provider.fail(step.index);
          if (step.kind === "message") tell(provider.messages[step.index % provider.messages.length]);
          if (step.kind === "attempt") order = attempted(order, provider, step.answer, newId);
          expect(computeRefundable(order)).toBe(0);
        }
        for (let round = 0; round < 3 || refundDue(order) > 0; round++) {
          expect(round).toBeLessThan(10);
          for (const message of [...provider.messages]) tell(message);
          order = attempted(order, provider, "taken", newId);
        }
        expect(provider.refunded).toBe(TOTAL);
        expect(order).toMatchObject({ refundedAmount: TOTAL, paymentStatus: "refunded" });
        expect(cancellationRefund(order)?.status).not.toBe("failed");
      }),
      { numRuns: 500, examples: [[REFUNDED_AT_THE_CONSOLE_FIRST]] },
    );
  });
});

function cancelledOrder(provider: Provider, refundId: string): OrderDocument {
  const { order } = begin(paidOrder(), { reason: "other", actor: "user:user_1", force: false }, refundId, now);
  const { providerRefundId } = provider.take(TOTAL, refundId)!;
  return settleRefund(order, refundId, { status: "succeeded", providerRefundId }, "unused", now)!.order;
}

/** The background's attempt at all that is due. */
function attempted(order: OrderDocument, provider: Provider, answer: Answer, newId: () => string): OrderDocument {
  const due = order.refunds.filter(({ status }) => status === "requested");
  return due.reduce((current, { refundId, amount }) => {
    const isRefunded =
      provider.refunded === TOTAL &&
      !provider.refunds.some((one) => one.refundId === refundId && one.status !== "failed");
    const done = answer === "lost" ? undefined : provider.take(amount, refundId);
    const taken = done && { status: "succeeded" as const, providerRefundId: done.providerRefundId };
    const outcome = answer !== "taken" ? NOT_TAKEN : isRefunded ? "already refunded" : (taken ?? NOT_TAKEN);
    return settleRefund(current, refundId, outcome, newId(), now)?.order ?? current;
  }, order);
}

function refund(
  order: OrderDocument,
  provider: Provider,
  step: Extract<Step, { kind: "refund" }>,
  newRefundId: string,
): OrderDocument {
  if (step.amount > computeRefundable(order)) return order;
  const requested = requestRefund(order, { amount: step.amount, reason: "other", actor: "admin" }, newRefundId, now);
  const reserved = requested.change.order;
  const { refundId } = requested;
  const isDone = step.answer === "taken" || step.answer === "lost after it was done";
  const done = isDone ? provider.take(step.amount, refundId) : undefined;
  if (step.answer.startsWith("lost")) return reserved;
  const outcome = done ? { status: "succeeded" as const, providerRefundId: done.providerRefundId } : NOT_TAKEN;
  return settleRefund(reserved, refundId, outcome, `due_${newRefundId}`, now)?.order ?? reserved;
}
