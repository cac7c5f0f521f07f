import { hasCode, ifFound, notFound, validationFailed } from "../../mixins/errors.ts";
import { KeyedQueue } from "@partline/toolkit";
import { isKeyInUse, keptByOther, providerCode, providerFailure } from "../../mixins/payment-provider/errors.ts";
import type { PaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";
import { ALIVE, type CustomerRecord, type Customers, type ErasedRecord } from "./customers.ts";

/** The provider forgets an idempotency key after 24 hours. Source: its documentation, idempotent requests. */
const KEY_LIFETIME_MS = 23 * 60 * 60 * 1000;

const MOST_NAMESAKES = 1_000;

/** Makes exactly one customer at the payment provider for each of ours. */
export function createProviderCustomers(provider: PaymentProvider, { records, find }: Customers) {
  const queue = new KeyedQueue();

  /** Finds a customer that an earlier attempt made whose answer was lost. */
  async function findCreated(_id: string, email: string): Promise<string | undefined> {
    const namesakes = await provider.request((stripe) =>
      stripe.customers.list({ email, limit: 100 }).autoPagingToArray({ limit: MOST_NAMESAKES }),
    );
    return namesakes.find((candidate) => candidate.metadata.customerId === _id)?.id;
  }

  async function createAtProvider(customer: CustomerRecord): Promise<string> {
    const { _id, userId, email, name, phone, attempt, providerCustomerId: gone } = customer;
    const idempotencyKey = ["customer", _id, attempt, ...(gone === undefined ? [] : [gone])].join("-");
    const params = { email, name: name ?? undefined, phone: phone ?? undefined, metadata: { customerId: _id, userId } };
    try {
      const created = await provider.request((stripe) => stripe.customers.create(params, { idempotencyKey }));
      return created.id;
    } catch (error) {
      const failure = providerFailure(error);
      if (failure === "failed") await records.updateOne({ _id, attempt }, { $inc: { attempt: 1 } });
      // So that the user can correct what was refused.
      if (failure === "refused") await records.deleteOne({ _id, attempt, providerCustomerId: { $exists: false } });
      const concurrentId = isKeyInUse(error)
        ? await keptByOther(async () => findIdExcept(gone, await find(_id)))
        : undefined;
      if (concurrentId !== undefined) return concurrentId;
      if (providerCode(error) === "email_invalid") {
        throw validationFailed({ field: "email", message: "The 'email' field must be a valid e-mail address." });
      }
      throw error;
    }
  }

  async function remove(providerCustomerId: string): Promise<void> {
    await ifFound(provider.request((stripe) => stripe.customers.del(providerCustomerId), { what: "Customer" }));
  }

  /** Returns the customer's id at the provider, and makes it if there is none but the one that is `gone`. */
  async function resolveId(customer: CustomerRecord, gone?: string): Promise<string> {
    const existingId = findIdExcept(gone, customer);
    if (existingId !== undefined) return existingId;
    const keyIsKnown =
      gone === undefined && customer.attempt === 0 && Date.now() - customer.createdAt.getTime() < KEY_LIFETIME_MS;
    const id =
      (keyIsKnown ? undefined : await findCreated(customer._id, customer.email)) ?? (await createAtProvider(customer));
    const asGiven = {
      _id: customer._id,
      providerCustomerId: customer.providerCustomerId ?? { $exists: false },
      ...ALIVE,
    };
    // With an id that is gone, its cards are.
    const update = { $set: { providerCustomerId: id, defaultPaymentMethodId: null } };
    if ((await records.updateOne(asGiven, update)).matched > 0) return id;
    const settled = findIdExcept(gone, await find(customer._id));
    if (settled !== undefined) return settled;
    await remove(id);
    throw notFound("Customer");
  }

  /** Returns the id of a customer that the provider has: `knownId`, or a new one if that is gone. */
  async function ensureLiving(customerId: string, knownId: string): Promise<string> {
    const providerCustomer = await ifFound(
      provider.request((stripe) => stripe.customers.retrieve(knownId), { what: "Customer" }),
    );
    if (providerCustomer && !providerCustomer.deleted) return knownId;
    return queue.run(customerId, async () => {
      const customer = await find(customerId);
      if (!customer) throw notFound("Customer");
      return resolveId(customer, knownId);
    });
  }

  async function getId(customer: CustomerRecord): Promise<string> {
    if (customer.providerCustomerId !== undefined) return customer.providerCustomerId;
    return queue.run(customer._id, async () => resolveId((await find(customer._id)) ?? customer));
  }

  return {
    /**
     * Returns the provider's id of a customer, made by the first call. The idempotency key gives concurrent callers the
     * same one; once the key may be forgotten, or after a fault, the provider is searched first.
     * @throws PROVIDER_ERROR; VALIDATION_FAILED (the e-mail address); NOT_FOUND if the user is erased meanwhile
     */
    getId,

    ensureLiving,

    /** Does work with the provider's customer, and repeats it with a new one if the provider has lost that. */
    async withCustomer<T>(customer: CustomerRecord, work: (providerCustomerId: string) => Promise<T>): Promise<T> {
      const id = await getId(customer);
      try {
        return await work(id);
      } catch (error) {
        if (!hasCode(error, "NOT_FOUND") && providerCode(error) !== "resource_missing") throw error;
        const replacementId = await ensureLiving(customer._id, id);
        if (replacementId === id) throw error;
        return work(replacementId);
      }
    },

    /**
     * Removes a user's customer here, also while the provider is down, and then there; an address that alone finds the
     * provider's customer goes last. A repeat finishes what was interrupted.
     */
    async erase(userId: string): Promise<void> {
      const customer: ErasedRecord | null = await records.findOne({ userId });
      if (!customer) return;
      const { _id, erasedAt, email } = customer;
      let { providerCustomerId } = customer;
      if (erasedAt === undefined) {
        const $set = { erasedAt: new Date(), defaultPaymentMethodId: null };
        const data = ["name", "phone", ...(providerCustomerId === undefined ? [] : ["email"])];
        await records.updateOne({ _id }, { $set, $unset: Object.fromEntries(data.map((field) => [field, true])) });
      }
      if (providerCustomerId === undefined && email !== undefined) {
        providerCustomerId = await findCreated(_id, email);
        const update = providerCustomerId === undefined ? {} : { $set: { providerCustomerId } };
        await records.updateOne({ _id }, { $unset: { email: true }, ...update });
      }
      if (providerCustomerId !== undefined) await remove(providerCustomerId);
      await records.deleteOne({ _id });
    },
  };
}

function findIdExcept(gone: string | undefined, customer: CustomerRecord | null): string | undefined {
  return customer?.providerCustomerId === gone ? undefined : customer?.providerCustomerId;
}

const MOST_CARDS = 500;

/** Manages the cards that a customer has saved at the provider. Only the default card's id is stored here. */
export function createPaymentMethods(provider: PaymentProvider) {
  const methodName = { what: "Payment method" };

  async function isOwn(customer: string, id: string): Promise<boolean> {
    if (!/^\w+$/.test(id)) return false;
    const request = provider.request((stripe) => stripe.customers.retrievePaymentMethod(customer, id), methodName);
    return (await ifFound(request)) !== undefined;
  }

  return {
    async list(providerCustomerId: string, { defaultPaymentMethodId }: CustomerRecord) {
      const methods = await provider.request(
        (stripe) =>
          stripe.customers
            .listPaymentMethods(providerCustomerId, { type: "card", limit: 100 })
            .autoPagingToArray({ limit: MOST_CARDS }),
        { what: "Customer" },
      );
      return methods.flatMap(({ id, card }) => {
        if (!card) return [];
        const { brand, last4, exp_month: expMonth, exp_year: expYear } = card;
        return [{ id, brand, last4, expMonth, expYear, isDefault: id === defaultPaymentMethodId }];
      });
    },

    async detach(providerCustomerId: string, id: string): Promise<boolean> {
      if (!(await isOwn(providerCustomerId, id))) return false;
      try {
        await provider.request((stripe) => stripe.paymentMethods.detach(id), methodName);
        return true;
      } catch (error) {
        // The provider refuses a card that was detached meanwhile.
        if (providerFailure(error) === "refused" && !(await isOwn(providerCustomerId, id))) return false;
        throw error;
      }
    },

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
