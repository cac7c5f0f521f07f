import { isCharged, type OrderStatus, type PaymentStatus } from "../../broker/contract/placed-order.ts";
import { PartlineError } from "../../mixins/errors.ts";
import type { Cents } from "../../mixins/money.ts";

/**
 * Cancelled is reached by the cancel action alone. Source: section 3 of the commerce specification, "Orders" of the
 * design.
 */
const NEXT_STATUS: Partial<Record<OrderStatus, OrderStatus>> = {
  pending: "processing",
  processing: "shipped",
  shipped: "delivered",
};

/**
 * Whether `to` is a step from `from`; the same status is none and changes nothing.
 * @throws INVALID_TRANSITION
 */
export function isStep(from: OrderStatus, to: OrderStatus): boolean {
  if (from === to) return false;
  if (NEXT_STATUS[from] === to) return true;
  throw new PartlineError("INVALID_TRANSITION", `An order that is ${from} cannot become ${to}`, { from, to });
}

/**
 * Goods leave only for money that was taken and kept: a delayed payment may still fail, and an order that is refunded
 * in full is not even taken into work. What is shipped already may be delivered.
 * @throws INVALID_TRANSITION
 */
export function assertPaidFor(to: OrderStatus, paymentStatus: PaymentStatus): void {
  if (paymentStatus === "refunded" && (to === "processing" || to === "shipped")) {
    throw new PartlineError(
      "INVALID_TRANSITION",
      `An order that is refunded in full cannot become ${to}; it can be cancelled`,
      { paymentStatus },
    );
  }
  if (to === "shipped" && !isCharged(paymentStatus)) {
    throw new PartlineError("INVALID_TRANSITION", `An order whose payment is ${paymentStatus} cannot be shipped`, {
      paymentStatus,
    });
  }
}

/** @throws ORDER_NOT_CANCELLABLE once the order is shipped */
export function assertCancellable(status: OrderStatus): void {
  if (status === "pending" || status === "processing") return;
  throw new PartlineError("ORDER_NOT_CANCELLABLE", `An order that is ${status} cannot be cancelled`, { status });
}

/** What paymentStatus is when this much of the total is refunded; without a refund, a payment stays what it is. */
export function paymentStatusAfter(current: PaymentStatus, refunded: Cents, total: Cents): PaymentStatus {
  if (refunded > 0) return refunded >= total ? "refunded" : "partially_refunded";
  return current === "refunded" || current === "partially_refunded" ? "paid" : current;
}
