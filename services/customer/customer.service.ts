import type { ServiceBroker, ServiceSchema } from "moleculer";
import { assertIsUser, type CallContext, getCaller, requireUser } from "../../broker/contract/context.ts";
import { watchProvider } from "@partline/moleculer-kit";
import { ifFound, invalidField, notFound, PartlineError } from "../../mixins/errors.ts";
import { getServiceRuntime } from "../../broker/runtime.ts";
import { createPaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";
import { implement } from "../contracts.ts";
import { giveUpIfRefused } from "../shared/unless-refused.ts";
import { type CustomerRecord, createCustomers, presentCustomer } from "./customers.ts";
import { customerContract } from "./contract.ts";
import { createPaymentMethods, createProviderCustomers } from "./provider-customers.ts";

export default function customerService(broker: ServiceBroker): ServiceSchema {
  const { settings, documents } = getServiceRuntime(broker);
  const provider = createPaymentProvider(settings.payment, watchProvider(broker, "payment"));
  const customers = createCustomers(documents);
  const { records, find, findOfUser } = customers;
  const atProvider = createProviderCustomers(provider, customers);
  const cards = createPaymentMethods(provider);

  async function getCustomer(ctx: CallContext<{ id: string }>): Promise<CustomerRecord> {
    const customer = (await find(ctx.params.id)) ?? (await findOfUser(ctx.params.id));
    if (!customer) throw notFound("Customer");
    assertIsUser(getCaller(ctx), customer.userId, "This customer belongs to another user");
    return customer;
  }

  async function findWithCards(userId: string) {
    const customer = await findOfUser(userId);
    if (!customer) return { customer: null };
    const id = customer.providerCustomerId;
    // A customer that is deleted at the provider has none there.
    const methods = id === undefined ? null : await ifFound(cards.list(id, customer));
    return { customer: { ...presentCustomer(customer), paymentMethods: methods ?? [] } };
  }

  return implement(customerContract, {
    actions: {
      async create(ctx) {
        const { sub, email: tokenEmail } = requireUser(getCaller(ctx));
        const { userId = sub, email = tokenEmail, name = null, phone = null } = ctx.params;
        if (userId !== sub) throw new PartlineError("FORBIDDEN", "A customer is created by its own user");
        if (email === undefined) throw invalidField("email", "is required");
        const customer = await customers.findOrInsert(sub, { email, name, phone });
        if (!customer) throw new PartlineError("FORBIDDEN", "This user was deleted");
        await atProvider.getId(customer);
        return presentCustomer(customer);
      },
      get: async (ctx) => presentCustomer(await getCustomer(ctx)),

      async createSetupIntent(ctx) {
        const customer = await getCustomer(ctx);
        return atProvider.withCustomer(customer, (providerCustomerId) => cards.beginSaving(providerCustomerId));
      },
      async listPaymentMethods(ctx) {
        const customer = await getCustomer(ctx);
        return atProvider.withCustomer(customer, (providerCustomerId) => cards.list(providerCustomerId, customer));
      },
      async removePaymentMethod(ctx) {
        const customer = await getCustomer(ctx);
        const { pmId } = ctx.params;
        const detached = await cards.detach(await atProvider.getId(customer), pmId);
        const wasDefault = { _id: customer._id, defaultPaymentMethodId: pmId };
        await records.updateOne(wasDefault, { $set: { defaultPaymentMethodId: null } });
        if (!detached) throw notFound("Payment method");
        return { deleted: true };
      },
      async setDefaultPaymentMethod(ctx) {
        const customer = await getCustomer(ctx);
        const { paymentMethodId: defaultPaymentMethodId } = ctx.params;
        await cards.makeDefault(await atProvider.getId(customer), defaultPaymentMethodId);
        await records.updateOne({ _id: customer._id }, { $set: { defaultPaymentMethodId } });
        return presentCustomer({ ...customer, defaultPaymentMethodId });
      },

      export: (ctx) => customers.exportPage(ctx.params),
      mine: (ctx) => findWithCards(requireUser(getCaller(ctx)).sub),
      ofUser: (ctx) => findWithCards(ctx.params.userId),
      async providerId(ctx) {
        const customer = await findOfUser(ctx.params.userId);
        if (!customer) return { providerCustomerId: null };
        const { providerCustomerId = null, email, name, phone } = customer;
        const contact = { email, name: name ?? undefined, phone: phone ?? undefined };
        return { providerCustomerId, contact };
      },
      async livingProviderId(ctx) {
        const customer = await findOfUser(ctx.params.userId);
        const id = customer?.providerCustomerId;
        return { providerCustomerId: id === undefined ? null : await atProvider.ensureLiving(customer!._id, id) };
      },
    },
    channels: {
      "user.deleted": {
        group: "customer",
        // The provider may be away for long, and has the person's data until then.
        maxRetries: Infinity,
        handler: (event) => giveUpIfRefused(atProvider.erase(event.payload.userId)),
      },
    },
  });
}
