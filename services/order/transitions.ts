import { type OrderStatus, type PaymentStatus, isCharged } from "../shared/placed-order.ts";
import { hasCode, PartlineError } from "../../mixins/errors.ts";
import { type Cents, formatAmount } from "@partline/parts-language";
import type { OrderDocument } from "./collections.ts";

/**
 * Statuses that may follow; only the cancel action cancels. Source: section 3 of the commerce specification, "Orders"
 * of the design.
 */
const NEXT_STATUS: Partial<Record<OrderStatus, OrderStatus>> = {
  pending: "processing",
  processing: "shipped",
  shipped: "delivered",
};

/** Returns whether `to` is the step after `from`; false for the same status. @throws INVALID_TRANSITION */
export function isStep(from: OrderStatus, to: OrderStatus): boolean {
  if (from === to) return false;
  if (NEXT_STATUS[from] === to) return true;
  throw new PartlineError("INVALID_TRANSITION", `An order that is ${from} cannot become ${to}`, { from, to });
}

/**
 * An order is shipped only once it is paid: a delayed payment may fail. A fully refunded order is not processed either.
 * @throws INVALID_TRANSITION
 */
export function assertPaidFor(to: OrderStatus, paymentStatus: PaymentStatus): void {
  const refused = (why: string) => new PartlineError("INVALID_TRANSITION", `An order ${why}`, { paymentStatus });
  if (paymentStatus === "refunded" && (to === "processing" || to === "shipped"))
    throw refused(`that is refunded in full cannot become ${to}; it can be cancelled`);
  if (to === "shipped" && !isCharged(paymentStatus))
    throw refused(`whose payment is ${paymentStatus} cannot be shipped`);
}

/** @throws ORDER_NOT_CANCELLABLE once the order is cancelled, or it or a part of it is shipped */
export function assertCancellable({ status, shipments, refundDue, currency }: OrderDocument): void {
  const isOpen = status === "pending" || status === "processing";
  if (isOpen && !shipments?.length) return;
  const what = isOpen ? "An order that is shipped in part" : `An order that is ${status}`;
  const message =
    status !== "cancelled"
      ? `${what} cannot be cancelled`
      : refundDue
        ? `The order is cancelled already. ${formatAmount(refundDue, currency)} is still to be refunded, and is tried again`
        : "The order is cancelled already";
  throw new PartlineError("ORDER_NOT_CANCELLABLE", message, { status });
}

export function paymentStatusAfter(current: PaymentStatus, refundedAmount: Cents, total: Cents): PaymentStatus {
  if (refundedAmount > 0) return refundedAmount >= total ? "refunded" : "partially_refunded";
  return current === "refunded" || current === "partially_refunded" ? "paid" : current;
}

/** Returns whether the order itself refuses a step: an outage, for example, says nothing of it. */
export function isRefusal(error: unknown): error is PartlineError {
  return hasCode(
    error,
    ...(["NOT_FOUND", "VALIDATION_FAILED", "INVALID_TRANSITION", "ADDRESS_MISSING"] as const),
    ...(["PAYMENT_DISPUTED", "VERSION_CONFLICT"] as const),
  );
}
