import type { ServiceBroker, ServiceSchema } from "moleculer";
import { assertIsUser, callerOf, userOf, type Caller } from "../../broker/contract/context.ts";
import { watchProvider } from "../../broker/metrics/providers.ts";
import { ifFound, notFound, PartlineError } from "../../mixins/errors.ts";
import { serviceRuntimeOf } from "../../broker/runtime.ts";
import { createPaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";
import { implement } from "../contracts.ts";
import { unlessRefused } from "../shared/unless-refused.ts";
import { type CustomerRecord, createCustomers, presentCustomer, createCustomerExport } from "./customers.ts";
import { customerContract } from "./contract.ts";
import { createPaymentMethods, createProviderCustomers } from "./provider-customers.ts";

export default function customerService(broker: ServiceBroker): ServiceSchema {
  const { settings, documents } = serviceRuntimeOf(broker);
  const provider = createPaymentProvider(settings.payment, watchProvider(broker, "payment"));
  const records = createCustomers(documents);
  const atProvider = createProviderCustomers(provider, records);
  const cards = createPaymentMethods(provider);
  const exported = createCustomerExport(documents);

  async function customerFor(caller: Caller, id: string): Promise<CustomerRecord> {
    const customer = await records.find(id);
    if (!customer) throw notFound("Customer");
    assertIsUser(caller, customer.userId, "This customer belongs to another user");
    return customer;
  }

  return implement(customerContract, {
    actions: {
      async create(ctx) {
        const { email, name, phone } = ctx.params;
        const customer = await records.findOrInsert(userOf(callerOf(ctx)).sub, { email, name, phone: phone ?? null });
        if (!customer) throw new PartlineError("FORBIDDEN", "This user was deleted");
        await atProvider.idOf(customer);
        return presentCustomer(customer);
      },
      get: async (ctx) => presentCustomer(await customerFor(callerOf(ctx), ctx.params.id)),

      async createSetupIntent(ctx) {
        const customer = await customerFor(callerOf(ctx), ctx.params.id);
        return atProvider.withCustomer(customer, (providerCustomerId) => cards.beginSaving(providerCustomerId));
      },
      async listPaymentMethods(ctx) {
        const customer = await customerFor(callerOf(ctx), ctx.params.id);
        return atProvider.withCustomer(customer, (providerCustomerId) => cards.list(providerCustomerId, customer));
      },
      async removePaymentMethod(ctx) {
        const customer = await customerFor(callerOf(ctx), ctx.params.id);
        const { pmId } = ctx.params;
        const detached = await cards.detach(await atProvider.idOf(customer), pmId);
        await records.clearDefaultPaymentMethod(customer._id, pmId);
        if (!detached) throw notFound("Payment method");
        return { deleted: true };
      },
      async setDefaultPaymentMethod(ctx) {
        const customer = await customerFor(callerOf(ctx), ctx.params.id);
        const { paymentMethodId } = ctx.params;
        await cards.makeDefault(await atProvider.idOf(customer), paymentMethodId);
        await records.setDefaultPaymentMethod(customer._id, paymentMethodId);
        return presentCustomer({ ...customer, defaultPaymentMethodId: paymentMethodId });
      },

      export: (ctx) => exported(ctx.params),
      async ofUser(ctx) {
        const customer = await records.findOfUser(ctx.params.userId);
        if (!customer) return { customer: null };
        const known = customer.providerCustomerId;
        // A customer that is deleted at the provider has none there.
        const paymentMethods = known === undefined ? [] : ((await ifFound(cards.list(known, customer))) ?? []);
        return { customer: { ...presentCustomer(customer), paymentMethods } };
      },
      async providerId(ctx) {
        const customer = await records.findOfUser(ctx.params.userId);
        if (!customer) return { providerCustomerId: null };
        const { providerCustomerId = null, email, name, phone } = customer;
        return { providerCustomerId, contact: { email, name, phone: phone ?? undefined } };
      },
      async livingProviderId(ctx) {
        const customer = await records.findOfUser(ctx.params.userId);
        const known = customer?.providerCustomerId;
        return { providerCustomerId: known === undefined ? null : await atProvider.living(customer!._id, known) };
      },
    },
    channels: {
      "user.deleted": {
        group: "customer",
        // The provider may be away for long, and has the person's data until then.
        maxRetries: Infinity,
        handler: (event) => unlessRefused(atProvider.erase(event.payload.userId)),
      },
    },
  });
}
