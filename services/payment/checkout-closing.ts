import { hasCode } from "../../mixins/errors.ts";
import { providerFailure } from "../../mixins/payment-provider/errors.ts";
import type { PaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";
import type { CheckoutRecords, PaymentRecords } from "./records.ts";
import { isPaidWith } from "./checkout-rules.ts";
import type { Checkout } from "./collections.ts";

export type CheckoutClosing = ReturnType<typeof createCheckoutClosing>;

/** `open`: it can be paid; `paid`: it is, or the money is on its way; `closed`: neither. */
type Standing = "open" | "paid" | "closed";

/** Makes checkouts unpayable at the provider. */
export function createCheckoutClosing(provider: PaymentProvider, records: CheckoutRecords, payments: PaymentRecords) {
  async function standing({ _id, kind }: Pick<Checkout, "_id" | "kind">): Promise<Standing> {
    const named = { what: "Checkout", id: _id };
    try {
      if (kind === "session") {
        const { status } = await provider.request((stripe) => stripe.checkout.sessions.retrieve(_id), named);
        return status === "complete" ? "paid" : status === "expired" ? "closed" : "open";
      }
      const { status } = await provider.request((stripe) => stripe.paymentIntents.retrieve(_id), named);
      return status === "succeeded" || status === "processing" ? "paid" : status === "canceled" ? "closed" : "open";
    } catch (error) {
      if (hasCode(error, "NOT_FOUND")) return "closed";
      throw error;
    }
  }

  async function closeAtProvider(checkout: Checkout): Promise<Exclude<Standing, "open">> {
    const { _id, kind } = checkout;
    try {
      await provider.request(async (stripe) => {
        if (kind === "session") await stripe.checkout.sessions.expire(_id);
        else await stripe.paymentIntents.cancel(_id);
      });
      return "closed";
    } catch (error) {
      if (providerFailure(error) !== "refused") throw error;
      const stands = await standing(checkout);
      if (stands === "open") throw error;
      return stands;
    }
  }

  /** @returns `paid` if its payment is there or on its way: its own webhook does the rest. @throws PROVIDER_ERROR */
  async function close(checkout: Checkout): Promise<Exclude<Standing, "open">> {
    const stands = await closeAtProvider(checkout);
    if (stands === "closed") await records.mark(checkout._id, "expired");
    return stands;
  }

  return {
    standing,
    close,

    /**
     * Returns whether another checkout paid for the cart. Call it once the checkout is stored, where `closeOthers`
     * finds it: of two payments at the same moment, one then sees the other.
     */
    async isPaidByOther(checkout: Checkout): Promise<boolean> {
      const { cartId } = checkout.purchase;
      if (cartId === null) return false;
      for (const paid of await records.findPaid(cartId)) {
        const payment = paid._id === checkout._id ? null : await payments.find(paid._id);
        if (payment && isPaidWith(checkout, paid, payment.createdAt)) return true;
      }
      return false;
    },

    /** Closes the other open checkouts of a cart that `paymentKey` has paid. */
    async closeOthers(cartId: string, paymentKey: string): Promise<void> {
      const payment = await payments.find(paymentKey);
      const paid = await records.find(paymentKey);
      // After a delayed payment has failed, the cart may be paid by another checkout.
      if (!payment || paid?.status === "failed") return;
      for (const checkout of await records.findOpen(cartId)) {
        if (checkout._id !== paymentKey && isPaidWith(checkout, paid, payment.createdAt)) await close(checkout);
      }
    },
  };
}
