import type { Stripe } from "stripe";
import type { Params, Result } from "../../broker/contract/define.ts";
import { providerError } from "../../mixins/payment-provider/errors.ts";
import type { PaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";
import type { AttemptFor, Attempts } from "./attempts.ts";
import type { paymentContract } from "./contract.ts";
import type { KeyedRequests } from "./keyed-requests.ts";

type RefundAction = (typeof paymentContract)["actions"]["refund"];
type RefundParams = Params<RefundAction>;
export type RefundState = Result<RefundAction>;

interface Deps {
  provider: PaymentProvider;
  attempts: Attempts;
  keyed: KeyedRequests;
}

/** Refunds at the provider, each at most once by our refundId. */
export function refunds({ provider, attempts, keyed }: Deps) {
  async function refund(params: RefundParams): Promise<RefundState> {
    const subject = `refund:${params.refundId}`;
    const last = await attempts.find<Stripe.RefundCreateParams>(subject);
    if (last?.resultId !== undefined) {
      const standing = await read(last.resultId);
      if (standing.status !== "failed") return standing;
    } else if (last?.state === "running") {
      return (await send(last)) ?? refund(params);
    }
    // A request that failed may have been done all the same.
    const found = last ? await findAtProvider(params) : null;
    const attempt = await attempts.begin(subject, last, { request: refundRequest(params) });
    if (found) {
      await attempts.settle(attempt, found.providerRefundId, []);
      return found;
    }
    return (await send(attempt)) ?? refund(params);
  }

  function send(attempt: AttemptFor<Stripe.RefundCreateParams>): Promise<RefundState | null> {
    return keyed.send(attempt, async (idempotencyKey) => {
      const state = stateOf(
        await provider.request((stripe) => stripe.refunds.create(attempt.request, { idempotencyKey })),
      );
      await attempts.settle(attempt, state.providerRefundId, []);
      return state;
    });
  }

  async function read(providerRefundId: string): Promise<RefundState> {
    return stateOf(await provider.request((stripe) => stripe.refunds.retrieve(providerRefundId)));
  }

  /** A refund that carries our refundId and did not fail. */
  async function findAtProvider({ paymentIntentId, refundId }: RefundParams): Promise<RefundState | null> {
    const known = await provider.request(async (stripe) => {
      for await (const refund of stripe.refunds.list({ payment_intent: paymentIntentId, limit: 100 })) {
        if (refund.metadata?.refundId === refundId && stateOf(refund).status !== "failed") return refund;
      }
      return null;
    });
    return known && stateOf(known);
  }

  return { refund };
}

/** The provider knows three reasons; any other goes as metadata. */
export function refundRequest({
  refundId,
  orderId,
  paymentIntentId,
  amount,
  reason,
}: RefundParams): Stripe.RefundCreateParams {
  return {
    payment_intent: paymentIntentId,
    amount,
    metadata: { refundId, orderId, ...(reason === "other" ? { reason } : {}) },
    ...(reason === "other" ? {} : { reason }),
  };
}

/** @throws PROVIDER_ERROR for a status that the provider's API does not document */
export function stateOf({ id, status, amount }: Pick<Stripe.Refund, "id" | "status" | "amount">): RefundState {
  switch (status) {
    case "succeeded":
      return { providerRefundId: id, status: "succeeded", amount };
    case "pending":
    case "requires_action":
      return { providerRefundId: id, status: "pending", amount };
    case "failed":
    case "canceled":
      return { providerRefundId: id, status: "failed", amount };
    default:
      throw providerError("failed");
  }
}
