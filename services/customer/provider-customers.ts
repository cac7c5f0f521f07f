import { hasCode, notFound, validationFailed } from "../../mixins/errors.ts";
import { providerCode, providerFailure } from "../../mixins/payment-provider/errors.ts";
import { isKeyInUse, keptByOther } from "../../mixins/payment-provider/key-in-use.ts";
import { KeyedQueue } from "../../mixins/keyed-queue.ts";
import type { PaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";
import type { CustomerRecord } from "./collections.ts";
import type { Customers } from "./customers.ts";

/** The provider forgets an idempotency key after 24 hours. Source: the provider's documentation, idempotent requests. */
const KEY_LIFETIME_MS = 23 * 60 * 60 * 1000;

/** More customers than this with one e-mail address are not looked through. */
const MOST_NAMESAKES = 1_000;

/** The customers at the payment provider: exactly one for each of ours. */
export function providerCustomers(provider: PaymentProvider, customers: Customers) {
  const queue = new KeyedQueue();

  /** A customer that an earlier attempt made without our hearing of it. */
  async function findMade({ _id, email }: CustomerRecord): Promise<string | undefined> {
    const namesakes = await provider.request((stripe) =>
      stripe.customers.list({ email, limit: 100 }).autoPagingToArray({ limit: MOST_NAMESAKES }));
    return namesakes.find((made) => made.metadata.customerId === _id)?.id;
  }

  async function make(customer: CustomerRecord): Promise<string> {
    const { _id, userId, email, name, phone, attempt } = customer;
    const params = { email, name, phone: phone ?? undefined, metadata: { customerId: _id, userId } };
    try {
      const made = await provider.request((stripe) =>
        stripe.customers.create(params, { idempotencyKey: `customer-${_id}-${attempt}` }));
      return made.id;
    } catch (error) {
      const failure = providerFailure(error);
      if (failure === "failed") await customers.nextAttempt(customer);
      if (failure === "refused") await customers.withdraw(customer);
      const others = isKeyInUse(error) ? await keptByOther(async () => (await customers.find(_id))?.providerCustomerId) : undefined;
      if (others !== undefined) return others;
      if (providerCode(error) === "email_invalid") {
        throw validationFailed({ field: "email", message: "The 'email' field must be a valid e-mail address." });
      }
      throw error;
    }
  }

  async function remove(providerCustomerId: string): Promise<void> {
    try {
      await provider.request((stripe) => stripe.customers.del(providerCustomerId), { what: "Customer" });
    } catch (error) {
      if (!hasCode(error, "NOT_FOUND")) throw error;
    }
  }

  async function settle(customer: CustomerRecord): Promise<string> {
    if (customer.providerCustomerId !== undefined) return customer.providerCustomerId;
    const keyIsKnown = customer.attempt === 0 && Date.now() - customer.createdAt.getTime() < KEY_LIFETIME_MS;
    const id = (keyIsKnown ? undefined : await findMade(customer)) ?? (await make(customer));
    if (await customers.setProviderId(customer._id, id)) return id;
    const settled = await customers.find(customer._id);
    if (settled?.providerCustomerId !== undefined) return settled.providerCustomerId;
    await remove(id);
    throw notFound("Customer");
  }

  return {
    /**
     * The provider's id of a customer. Whoever comes first makes it there, also after a crash in the middle: the
     * idempotency key makes callers at the same moment get the same one, and once the key may be forgotten, or the
     * attempt has ended in a fault, the provider is asked whether it was made.
     * @throws PROVIDER_ERROR; VALIDATION_FAILED for an e-mail address that the provider refuses; NOT_FOUND when the user
     * is erased meanwhile
     */
    async idOf(customer: CustomerRecord): Promise<string> {
      if (customer.providerCustomerId !== undefined) return customer.providerCustomerId;
      return queue.run(customer._id, async () => settle((await customers.find(customer._id)) ?? customer));
    },

    /**
     * Removes a user's customer here and at the provider: personal data here first, even while the provider is away.
     * Harmless to repeat, which finishes what was interrupted.
     */
    async erase(userId: string): Promise<void> {
      const customer = await customers.findForErasure(userId);
      if (!customer) return;
      const begun = customer.erasedAt !== undefined;
      const providerCustomerId = customer.providerCustomerId ?? (begun ? undefined : await findMade(customer));
      if (!begun) await customers.beginErasure({ ...customer, providerCustomerId });
      if (providerCustomerId !== undefined) await remove(providerCustomerId);
      await customers.endErasure(customer._id);
    },
  };
}
