import type { Stripe } from "stripe";
import { hasCode, notFound } from "../../mixins/errors.ts";
import { providerFailure } from "../../mixins/payment-provider/errors.ts";
import type { PaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";

/** Most saved cards that are listed. */
const MOST_CARDS = 500;

export interface SavedCard {
  id: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
}

/** Manages the cards that a customer has saved at the provider. Only the default card's id is stored here. */
export function createPaymentMethods(provider: PaymentProvider) {
  async function isOwn(providerCustomerId: string, id: string): Promise<boolean> {
    if (!/^\w+$/.test(id)) return false;
    try {
      await provider.request((stripe) => stripe.customers.retrievePaymentMethod(providerCustomerId, id), {
        what: "Payment method",
      });
      return true;
    } catch (error) {
      if (hasCode(error, "NOT_FOUND")) return false;
      throw error;
    }
  }

  return {
    async list(providerCustomerId: string): Promise<SavedCard[]> {
      const methods = await provider.request(
        (stripe) =>
          stripe.customers
            .listPaymentMethods(providerCustomerId, { type: "card", limit: 100 })
            .autoPagingToArray({ limit: MOST_CARDS }),
        { what: "Customer" },
      );
      return methods.flatMap(toSavedCard);
    },

    /** @returns whether it was the customer's */
    async detach(providerCustomerId: string, id: string): Promise<boolean> {
      if (!(await isOwn(providerCustomerId, id))) return false;
      try {
        await provider.request((stripe) => stripe.paymentMethods.detach(id), { what: "Payment method" });
        return true;
      } catch (error) {
        // The provider refuses a card that was detached meanwhile.
        if (providerFailure(error) === "refused" && !(await isOwn(providerCustomerId, id))) return false;
        throw error;
      }
    },

    /** @throws NOT_FOUND when it is not the customer's */
    async makeDefault(providerCustomerId: string, id: string): Promise<void> {
      if (!(await isOwn(providerCustomerId, id))) throw notFound("Payment method");
      await provider.request((stripe) =>
        stripe.customers.update(providerCustomerId, { invoice_settings: { default_payment_method: id } }),
      );
    },

    /** Begins saving a card, also for payments without the customer. */
    async beginSaving(providerCustomerId: string): Promise<{ setupIntentId: string; clientSecret: string }> {
      const intent = await provider.request((stripe) =>
        stripe.setupIntents.create({
          customer: providerCustomerId,
          automatic_payment_methods: { enabled: true, allow_redirects: "never" },
          usage: "off_session",
        }),
      );
      return { setupIntentId: intent.id, clientSecret: intent.client_secret! };
    },
  };
}

function toSavedCard({ id, card }: Stripe.PaymentMethod): SavedCard[] {
  return card ? [{ id, brand: card.brand, last4: card.last4, expMonth: card.exp_month, expYear: card.exp_year }] : [];
}
