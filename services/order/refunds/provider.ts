import type { Stripe } from "stripe";
import { hasCode, PartlineError } from "../../../mixins/errors.ts";
import type { Attempt, Attempts } from "../../../mixins/payment-provider/attempts.ts";
import { providerCode, providerError } from "../../../mixins/payment-provider/errors.ts";
import type { PaymentProvider } from "../../../mixins/payment-provider/payment-provider.ts";
import type { OrderDocument } from "../collections.ts";
import { createDisputedError } from "../disputes.ts";
import { findRefund, NOT_TAKEN, REFUND_STATUSES, type RefundAnswer, type RefundOutcome } from "./ledger.ts";

/** Outcome of a request for a refund, with the reason of a failure. */
export interface RefundAttempt {
  outcome: RefundAnswer;
  error?: unknown;
}

type Request = Stripe.RefundCreateParams & { payment_intent: string; metadata: { refundId: string } };
type Standing = RefundOutcome & { providerRefundId: string };

export interface AtProvider {
  provider: Pick<PaymentProvider, "request">;
  attempts: Attempts;
}

/** Makes refunds at the provider, each at most once by our refundId, also after a time-out or a crash. */
export function createProviderRefunds({ provider, attempts }: AtProvider) {
  async function refund(request: Request): Promise<Standing> {
    const subject = `refund:${request.metadata.refundId}`;
    const last = await attempts.find<Request>(subject);
    if (last?.resultId !== undefined) {
      const { resultId } = last;
      const standing = toStanding(await provider.request((stripe) => stripe.refunds.retrieve(resultId)));
      if (standing.status !== "failed") return standing;
    } else if (last?.state === "running") {
      return (await send(last)) ?? refund(request);
    }
    // A failed request may have been done all the same.
    const existing = last ? await findAtProvider(request) : null;
    const attempt = await attempts.begin(subject, last, { request });
    if (existing) {
      await attempts.settle(attempt, existing.providerRefundId);
      return existing;
    }
    return (await send(attempt)) ?? refund(request);
  }

  function send(attempt: Attempt<Request>): Promise<Standing | null> {
    return attempts.send(attempt, async (idempotencyKey) => {
      const standing = toStanding(
        await provider.request((stripe) => stripe.refunds.create(attempt.request, { idempotencyKey })),
      );
      await attempts.settle(attempt, standing.providerRefundId);
      return standing;
    });
  }

  /** Finds a refund with our refundId that did not fail. */
  async function findAtProvider({ payment_intent, metadata }: Request): Promise<Standing | null> {
    return provider.request(async (stripe) => {
      for await (const refund of stripe.refunds.list({ payment_intent, limit: 100 })) {
        const candidate = refund.metadata?.refundId === metadata.refundId ? toStanding(refund) : undefined;
        if (candidate && candidate.status !== "failed") return candidate;
      }
      return null;
    });
  }

  /**
   * Requests a refund that the order has reserved; safe to repeat.
   * @throws if the outcome is unknown (the store is down, for example): it must be requested again
   */
  return async function attemptRefund(order: OrderDocument, refundId: string): Promise<RefundAttempt> {
    const { paymentIntentId } = order;
    if (!paymentIntentId) {
      const error = new PartlineError("PROVIDER_ERROR", "The payment provider does not know the order's payment");
      return { outcome: NOT_TAKEN, error };
    }
    try {
      const outcome = await refund(refundRequest(order, paymentIntentId, refundId));
      return outcome.status === "failed" ? { outcome, error: refundFailed() } : { outcome };
    } catch (error) {
      if (!hasCode(error, "PROVIDER_ERROR")) throw error;
      if (providerCode(error) === "charge_already_refunded") return { outcome: "already refunded" };
      if (providerCode(error) === "charge_disputed")
        return {
          outcome: "disputed",
          error: createDisputedError(order, "The payment is disputed: its money is not the shop's"),
        };
      return { outcome: NOT_TAKEN, error };
    }
  };
}

/** The reasons that the provider knows; another is sent as metadata. */
const PROVIDER_REASONS = ["duplicate", "fraudulent", "requested_by_customer"] as const;

export function refundRequest(order: OrderDocument, payment_intent: string, refundId: string): Request {
  const { amount, reason } = findRefund(order, refundId)!;
  const providerReason = PROVIDER_REASONS.find((name) => name === reason);
  const metadata = { refundId, orderId: order._id };
  return providerReason
    ? { payment_intent, amount, metadata, reason: providerReason }
    : { payment_intent, amount, metadata: { ...metadata, reason: reason ?? "other" } };
}

/** @throws PROVIDER_ERROR for a status that the provider's API does not document */
export function toStanding({ id, status }: Pick<Stripe.Refund, "id" | "status">): Standing {
  const knownStatus = REFUND_STATUSES.get(status ?? "");
  if (!knownStatus) throw providerError("failed");
  return { status: knownStatus, providerRefundId: id };
}

export function refundFailed(): PartlineError {
  return new PartlineError("PROVIDER_ERROR", "The payment provider could not make the refund");
}
