import { hasCode, notFound, validationFailed } from "../../mixins/errors.ts";
import { providerCode, providerFailure } from "../../mixins/payment-provider/errors.ts";
import { isKeyInUse, keptByOther } from "../../mixins/payment-provider/key-in-use.ts";
import { KeyedQueue } from "../../mixins/keyed-queue.ts";
import type { PaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";
import type { CustomerRecord } from "./collections.ts";
import type { Customers, PersonalData } from "./customers.ts";

/**
 * The provider forgets an idempotency key after 24 hours. Source: the provider's documentation, idempotent requests.
 */
const KEY_LIFETIME_MS = 23 * 60 * 60 * 1000;

/** More customers than this with one e-mail address are not looked through. */
const MOST_NAMESAKES = 1_000;

/** The customers at the payment provider: exactly one for each of ours. */
export function createProviderCustomers(provider: PaymentProvider, customers: Customers) {
  const queue = new KeyedQueue();

  /** A customer that an earlier attempt made without our hearing of it. */
  async function findMade(_id: string, email: PersonalData["email"]): Promise<string | undefined> {
    const namesakes = await provider.request((stripe) =>
      stripe.customers.list({ email, limit: 100 }).autoPagingToArray({ limit: MOST_NAMESAKES }),
    );
    return namesakes.find((made) => made.metadata.customerId === _id)?.id;
  }

  async function make(customer: CustomerRecord): Promise<string> {
    const { _id, userId, email, name, phone, attempt, providerCustomerId: gone } = customer;
    const idempotencyKey = ["customer", _id, attempt, ...(gone === undefined ? [] : [gone])].join("-");
    const params = { email, name, phone: phone ?? undefined, metadata: { customerId: _id, userId } };
    try {
      const made = await provider.request((stripe) => stripe.customers.create(params, { idempotencyKey }));
      return made.id;
    } catch (error) {
      const failure = providerFailure(error);
      if (failure === "failed") await customers.nextAttempt(customer);
      if (failure === "refused") await customers.withdraw(customer);
      const others = isKeyInUse(error)
        ? await keptByOther(async () => knownBut(gone, await customers.find(_id)))
        : undefined;
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

  /** What is known of the customer at the provider, but for one that is `gone`, in whose place it is made anew. */
  async function settle(customer: CustomerRecord, gone?: string): Promise<string> {
    const known = knownBut(gone, customer);
    if (known !== undefined) return known;
    const keyIsKnown =
      gone === undefined && customer.attempt === 0 && Date.now() - customer.createdAt.getTime() < KEY_LIFETIME_MS;
    const id = (keyIsKnown ? undefined : await findMade(customer._id, customer.email)) ?? (await make(customer));
    if (await customers.setProviderId(customer, id)) return id;
    const settled = knownBut(gone, await customers.find(customer._id));
    if (settled !== undefined) return settled;
    await remove(id);
    throw notFound("Customer");
  }

  /** Also for one of another account of the provider's. */
  async function isGone(providerCustomerId: string): Promise<boolean> {
    try {
      const found = await provider.request((stripe) => stripe.customers.retrieve(providerCustomerId), {
        what: "Customer",
      });
      return found.deleted === true;
    } catch (error) {
      if (hasCode(error, "NOT_FOUND")) return true;
      throw error;
    }
  }

  /** The id of a customer that the provider has, as far as it knows `known`: one that is gone is made anew. */
  async function living(customerId: string, known: string): Promise<string> {
    if (!(await isGone(known))) return known;
    return queue.run(customerId, async () => {
      const customer = await customers.find(customerId);
      if (!customer) throw notFound("Customer");
      return settle(customer, known);
    });
  }

  async function idOf(customer: CustomerRecord): Promise<string> {
    if (customer.providerCustomerId !== undefined) return customer.providerCustomerId;
    return queue.run(customer._id, async () => settle((await customers.find(customer._id)) ?? customer));
  }

  return {
    /**
     * The provider's id of a customer. Whoever comes first makes it there, also after a crash in the middle: the
     * idempotency key makes callers at the same moment get the same one, and once the key may be forgotten, or the
     * attempt has ended in a fault, the provider is asked whether it was made.
     * @throws PROVIDER_ERROR; VALIDATION_FAILED for an e-mail address that the provider refuses; NOT_FOUND when the
     * user is erased meanwhile
     */
    idOf,

    living,

    /**
     * Does what needs the provider's customer; once more with a new one when the provider does not have that any more.
     */
    async withCustomer<T>(customer: CustomerRecord, work: (providerCustomerId: string) => Promise<T>): Promise<T> {
      const id = await idOf(customer);
      try {
        return await work(id);
      } catch (error) {
        if (!hasCode(error, "NOT_FOUND") && providerCode(error) !== "resource_missing") throw error;
        const other = await living(customer._id, id);
        if (other === id) throw error;
        return work(other);
      }
    },

    /**
     * Removes a user's customer here and at the provider: here first, even while the provider is away, but for the
     * address by which it finds a customer whose id is not known. Harmless to repeat, which finishes what was
     * interrupted.
     */
    async erase(userId: string): Promise<void> {
      const customer = await customers.findForErasure(userId);
      if (!customer) return;
      if (customer.erasedAt === undefined) await customers.beginErasure(customer);
      const { email } = customer;
      let { providerCustomerId } = customer;
      if (providerCustomerId === undefined && email !== undefined) {
        providerCustomerId = await findMade(customer._id, email);
        await customers.eraseAddress(customer._id, providerCustomerId);
      }
      if (providerCustomerId !== undefined) await remove(providerCustomerId);
      await customers.endErasure(customer._id);
    },
  };
}

function knownBut(gone: string | undefined, customer: CustomerRecord | null): string | undefined {
  return customer?.providerCustomerId === gone ? undefined : customer?.providerCustomerId;
}
