import { hasCode, PartlineError } from "../../mixins/errors.ts";
import type { Cents } from "../../mixins/money.ts";
import { providerCode } from "../../mixins/payment-provider/errors.ts";
import type { OrderDocument } from "./collections.ts";
import { findRefund, NOT_TAKEN, type FailedRefund, type RefundOutcome } from "./refund-ledger.ts";
import type { RefundReason } from "./resources.ts";

/** The call of payment.refund; safe to repeat with the same refundId. */
export type RefundAtProvider = (refund: {
  refundId: string;
  orderId: string;
  paymentIntentId: string;
  amount: Cents;
  reason: RefundReason;
}) => Promise<{ providerRefundId: string; status: "succeeded" | "pending" | "failed"; amount: Cents }>;

export type Attempt =
  | { went: "through"; outcome: RefundOutcome | "already refunded" }
  | { went: "wrong"; outcome: FailedRefund; error: unknown };

/**
 * Asks the provider for a refund that the order has reserved.
 * @throws when nobody can tell what became of it (a time-out between our services, say); then it has to be asked again
 */
export async function attemptRefund(
  order: OrderDocument,
  refundId: string,
  refundAtProvider: RefundAtProvider,
): Promise<Attempt> {
  const refund = findRefund(order, refundId);
  if (!refund) throw new Error(`Order ${order._id} has no refund ${refundId}`);
  const { paymentIntentId } = order;
  if (!paymentIntentId) {
    return {
      went: "wrong",
      outcome: NOT_TAKEN,
      error: new PartlineError("PROVIDER_ERROR", "The order's payment is not known at the payment provider"),
    };
  }
  try {
    const { status, providerRefundId } = await refundAtProvider({
      refundId,
      orderId: order._id,
      paymentIntentId,
      amount: refund.amount,
      reason: refund.reason ?? "other",
    });
    if (status === "failed") return { went: "wrong", outcome: { status, providerRefundId }, error: refundFailed() };
    return { went: "through", outcome: { status, providerRefundId } };
  } catch (error) {
    if (!hasCode(error, "PROVIDER_ERROR")) throw error;
    if (providerCode(error) === "charge_already_refunded") return { went: "through", outcome: "already refunded" };
    return { went: "wrong", outcome: NOT_TAKEN, error };
  }
}

export function refundFailed(): PartlineError {
  return new PartlineError("PROVIDER_ERROR", "The payment provider could not make the refund");
}
