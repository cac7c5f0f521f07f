import { hasCode } from "../../mixins/errors.ts";
import { providerFailure } from "../../mixins/payment-provider/errors.ts";
import type { PaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";
import type { CheckoutRecords } from "./checkout-records.ts";
import type { Checkout } from "./collections.ts";

export type CheckoutClosing = ReturnType<typeof checkoutClosing>;

/** `closed`: it can be paid no more; `paid`: it is, or the money is on its way; `open`: it can be paid. */
type Standing = "open" | "paid" | "closed";

/** Makes checkouts unpayable at the provider. */
export function checkoutClosing(provider: PaymentProvider, records: CheckoutRecords) {
  async function standing({ _id, kind }: Checkout): Promise<Standing> {
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

  /** @returns false for one that is paid, or whose payment is on its way: its own webhook tells the rest. @throws PROVIDER_ERROR */
  async function close(checkout: Checkout): Promise<boolean> {
    const closed = (await closeAtProvider(checkout)) === "closed";
    if (closed) await records.mark(checkout._id, "expired");
    return closed;
  }

  return {
    standing,

    /**
     * Closes what a guest opened, so that the user who signed in since and now pays gets one of their own.
     * @returns whether it was a guest's; false also for one that is paid
     */
    async closeGuests(paymentKey: string, customerId: string | undefined): Promise<boolean> {
      if (customerId === undefined) return false;
      const checkout = await records.find(paymentKey);
      return checkout?.status === "open" && checkout.purchase.userId === "guest" && close(checkout);
    },

    /** What else was open for a cart when `paymentKey` was paid; what was opened since is another purchase. */
    async closeOthers(cartId: string, paymentKey: string, paidAt: Date): Promise<void> {
      for (const checkout of await records.findOpen(cartId, paidAt)) {
        if (checkout._id !== paymentKey) await close(checkout);
      }
    },
  };
}
