import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import Stripe from "stripe";
import { ulid } from "ulid";
import { DELIVERIES, type DeliveryRow } from "../../packages/durable/src/channels/deliveries.ts";
import type { Caller } from "../../broker/contract/context.ts";
import { startPaymentSandbox } from "../../packages/sandbox/src/payment/server.ts";
import { CUSTOMERS, type CustomerRecord } from "../../services/customer/customers.ts";
import { call, outbox } from "../../services/contracts.ts";
import { eventually } from "../support/eventually.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { createFaults } from "../support/sandbox-faults.ts";

const user = (sub: string = `user_${ulid()}`, admin = false): Caller => ({
  user: { sub, role: admin ? "admin" : "customer", aud: "a", azp: "z" },
  admin,
});
const person = () => ({ email: `${ulid().toLowerCase()}@example.com`, name: "Ada Lovelace", phone: "+1 555 0100" });

describe("The customer service", () => {
  let sandbox: Awaited<ReturnType<typeof startPaymentSandbox>>;
  let stripe: Stripe;
  let test: TestBroker;

  beforeAll(async () => {
    const { payment } = testSettings();
    sandbox = await startPaymentSandbox({
      host: "127.0.0.1",
      port: 0,
      secretKey: payment.secretKey,
      webhookSecret: payment.webhookSecret,
      webhookUrls: [],
    });
    stripe = new Stripe(payment.secretKey, { protocol: "http", host: "127.0.0.1", port: sandbox.port });
    // Two nodes share no queue in memory: what they do at the same moment meets at the provider and in the store.
    test = await startTestBroker({
      services: ["customer", "customer"],
      transport: "fake",
      settings: testSettings({ STRIPE_API_BASE: sandbox.url }),
    });
  });
  afterEach(() => allWell());
  afterAll(async () => {
    await test.stop();
    await sandbox.close();
  });

  const as = (caller: Caller) => test.as(caller);
  const records = () => test.documents.collection<CustomerRecord>(CUSTOMERS);
  const atProvider = async (email: string) => (await stripe.customers.list({ email })).data;
  const { set: fault, allWell } = createFaults(() => sandbox);
  async function customerWithCard(caller: Caller) {
    const customer = await call(as(caller), "customer.create", person());
    const { providerCustomerId } = await call(test.broker, "customer.providerId", { userId: caller.user!.sub });
    const card = await stripe.paymentMethods.attach("pm_card_visa", { customer: providerCustomerId! });
    return { id: customer.customerId, pmId: card.id, providerCustomerId: providerCustomerId! };
  }

  describe("creating", () => {
    it("makes a customer here and at the provider, and answers the same one again", async () => {
      const ada = user();
      const details = person();
      const customer = await call(as(ada), "customer.create", details);
      expect(customer).toEqual({
        customerId: expect.stringMatching(/^cust_/),
        userId: ada.user!.sub,
        ...details,
        defaultPaymentMethodId: null,
        createdAt: expect.any(Date),
      });
      const sentBack = JSON.parse(JSON.stringify(customer)) as object;
      for (const again of [{ email: "other@example.com", name: "Other" }, sentBack])
        expect(await call(as(ada), "customer.create", again)).toEqual(customer);
      // A checkout calls the user's id `customerId`.
      for (const id of [customer.customerId, customer.userId])
        expect(await call(as(ada), "customer.get", { id })).toEqual(customer);
      const foreign = call(as(ada), "customer.create", { userId: "user_other" });
      await expect(foreign).rejects.toMatchObject({ code: "FORBIDDEN" });
      expect(await atProvider(details.email)).toMatchObject([
        { name: details.name, metadata: { customerId: customer.customerId } },
      ]);
    });

    it("makes one customer of many calls at the same moment", async () => {
      const ada = user();
      const details = person();
      const answers = await Promise.all(Array.from({ length: 10 }, () => call(as(ada), "customer.create", details)));
      expect(new Set(answers.map(({ customerId }) => customerId)).size).toBe(1);
      expect(await atProvider(details.email)).toHaveLength(1);
    });

    it("makes one customer although the provider's answer was lost", async () => {
      const ada = user();
      const details = person();
      await fault({ match: "POST /v1/customers", status: 500, afterWork: true, times: 1 });
      const customer = await call(as(ada), "customer.create", details);
      expect(await atProvider(details.email)).toMatchObject([{ metadata: { customerId: customer.customerId } }]);
    });

    it("tries again under a new key after a fault, which the provider would repeat to the old one", async () => {
      const ada = user();
      const details = person();
      await fault({ match: "POST /v1/customers", status: 500, times: 2 });
      await expect(call(as(ada), "customer.create", details)).rejects.toMatchObject({ code: "PROVIDER_ERROR" });
      expect(await atProvider(details.email)).toEqual([]);
      expect(await call(test.broker, "customer.providerId", { userId: ada.user!.sub })).toMatchObject({
        providerCustomerId: null,
      });
      const customer = await call(as(ada), "customer.create", details);
      expect(await atProvider(details.email)).toMatchObject([{ metadata: { customerId: customer.customerId } }]);
    });

    it("finishes what a crash long ago has left, without a second customer", async () => {
      const ada = user();
      const { email, name } = person();
      const made = await stripe.customers.create({ email, name, metadata: { customerId: "cust_crashed" } });
      await stripe.customers.create({ email, name: "A namesake" });
      await records().insertOne({
        _id: "cust_crashed",
        userId: ada.user!.sub,
        email,
        name,
        phone: null,
        attempt: 0,
        defaultPaymentMethodId: null,
        createdAt: new Date(Date.now() - 3 * 24 * 60 * 60 * 1000),
      });
      expect(await call(as(ada), "customer.create", { email, name })).toMatchObject({ customerId: "cust_crashed" });
      expect(await call(test.broker, "customer.providerId", { userId: ada.user!.sub })).toMatchObject({
        providerCustomerId: made.id,
      });
      await records().deleteOne({ _id: "cust_crashed" });
    });

    it("lets the user correct an address that the provider refuses", async () => {
      const ada = user();
      await expect(call(as(ada), "customer.create", { email: "ada@example.c", name: "Ada" })).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
      });
      const details = person();
      expect(await call(as(ada), "customer.create", details)).toMatchObject({ email: details.email });
    });
  });

  it("keeps a customer to its user and to admins", async () => {
    const ada = user();
    const { id, pmId } = await customerWithCard(ada);
    for (const [action, params] of [
      ["customer.get", { id }],
      ["customer.createSetupIntent", { id }],
      ["customer.listPaymentMethods", { id }],
      ["customer.removePaymentMethod", { id, pmId }],
      ["customer.setDefaultPaymentMethod", { id, paymentMethodId: pmId }],
    ] as const) {
      await expect(as(user()).call(action, params)).rejects.toMatchObject({ code: "FORBIDDEN" });
      await expect(as(ada).call(action, { ...params, id: "cust_none" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    expect(await call(as(user("root", true)), "customer.get", { id })).toMatchObject({ customerId: id });
  });

  it("begins saving a card, which is then listed", async () => {
    const ada = user();
    const { customerId: id } = await call(as(ada), "customer.create", person());
    expect(await call(as(ada), "customer.listPaymentMethods", { id })).toEqual([]);
    const { setupIntentId, clientSecret } = await call(as(ada), "customer.createSetupIntent", { id });
    expect(clientSecret).toContain(setupIntentId);
    await stripe.setupIntents.confirm(setupIntentId, { payment_method: "pm_card_mastercard" });
    expect(await call(as(ada), "customer.listPaymentMethods", { id })).toEqual([
      {
        id: expect.stringMatching(/^pm_/),
        brand: "mastercard",
        last4: "4444",
        expMonth: 12,
        expYear: expect.any(Number),
        isDefault: false,
      },
    ]);
  });

  it("creates a customer again that the provider no longer has, and one of many calls at the same moment", async () => {
    const ada = user();
    const details = person();
    const { customerId: id } = await call(as(ada), "customer.create", details);
    const lost = async () => stripe.customers.del((await atProvider(details.email))[0]!.id);
    await lost();
    await Promise.all(Array.from({ length: 6 }, () => call(as(ada), "customer.createSetupIntent", { id })));
    expect(await atProvider(details.email)).toMatchObject([{ name: details.name, metadata: { customerId: id } }]);
    await lost();
    expect(await call(as(ada), "customer.listPaymentMethods", { id })).toEqual([]);
    expect(await atProvider(details.email)).toHaveLength(1);
  });

  describe("saved cards", () => {
    it("have one default, which goes when its card goes", async () => {
      const ada = user();
      const { id, pmId, providerCustomerId } = await customerWithCard(ada);
      expect(await call(as(ada), "customer.setDefaultPaymentMethod", { id, paymentMethodId: pmId })).toMatchObject({
        defaultPaymentMethodId: pmId,
      });
      expect(await call(as(ada), "customer.listPaymentMethods", { id })).toMatchObject([{ id: pmId, isDefault: true }]);
      expect(await stripe.customers.retrieve(providerCustomerId)).toMatchObject({
        invoice_settings: { default_payment_method: pmId },
      });
      expect(await call(as(ada), "customer.removePaymentMethod", { id, pmId })).toEqual({ deleted: true });
      expect(await call(as(ada), "customer.get", { id })).toMatchObject({ defaultPaymentMethodId: null });
      expect(await call(as(ada), "customer.listPaymentMethods", { id })).toEqual([]);
    });

    it("of another customer, or of nobody, are not found and stay", async () => {
      const [ada, bob] = [user(), user()];
      const [adas, bobs] = [await customerWithCard(ada), await customerWithCard(bob)];
      for (const pmId of [bobs.pmId, "pm_none", "pm_card_visa", "..", "%2e%2e", "a/b"]) {
        await expect(call(as(ada), "customer.removePaymentMethod", { id: adas.id, pmId })).rejects.toMatchObject({
          code: "NOT_FOUND",
        });
        await expect(
          call(as(ada), "customer.setDefaultPaymentMethod", { id: adas.id, paymentMethodId: pmId }),
        ).rejects.toMatchObject({ code: "NOT_FOUND" });
      }
      expect(await call(as(bob), "customer.listPaymentMethods", { id: bobs.id })).toHaveLength(1);
    });
  });

  describe("a user who was deleted", () => {
    const publish = async (userId: string) => {
      await test.documents.atomically([outbox("user.deleted", { userId })]);
      test.channels.wake();
    };

    it("leaves no customer, here or at the provider, however often the deletion is reported", async () => {
      const ada = user();
      const { id, providerCustomerId } = await customerWithCard(ada);
      await publish(ada.user!.sub);
      await publish(ada.user!.sub);
      await eventually(async () => (await records().count({ userId: ada.user!.sub })) === 0);
      expect(await stripe.customers.retrieve(providerCustomerId)).toMatchObject({ deleted: true });
      await expect(call(as(ada), "customer.get", { id })).rejects.toMatchObject({ code: "NOT_FOUND" });
    });

    it("is seen by nobody even while the provider is away that alone knows whether it has the customer", async () => {
      const ada = user();
      const details = person();
      // It is made, and neither that answer nor the one to the repeat comes.
      await fault({ match: "POST /v1/customers", status: 500, afterWork: true, times: 1 });
      await fault({ match: "POST /v1/customers", status: 500, times: 1 });
      await expect(call(as(ada), "customer.create", details)).rejects.toMatchObject({ code: "PROVIDER_ERROR" });
      await fault({ match: "GET /v1/customers", status: 500 });
      const [{ _id: id }] = (await records().find({ userId: ada.user!.sub })) as [CustomerRecord];
      await publish(ada.user!.sub);
      await eventually(async () => (await records().findOne({ _id: id }))?.erasedAt !== undefined);
      expect(await records().findOne({ _id: id })).not.toMatchObject({ name: details.name });
      await expect(call(as(ada), "customer.create", person())).rejects.toMatchObject({ code: "FORBIDDEN" });
      await allWell();
      await eventually(async () => (await records().count({ _id: id })) === 0);
      expect(await atProvider(details.email)).toEqual([]);
    });

    it("leaves no personal data here even while the provider is away, and none there once it is back", async () => {
      const ada = user();
      const { id, providerCustomerId } = await customerWithCard(ada);
      await fault({ match: "DELETE /v1/customers", status: 500 });
      await publish(ada.user!.sub);
      await eventually(async () => (await records().findOne({ _id: id }))?.erasedAt !== undefined);
      expect(Object.keys((await records().findOne({ _id: id }))!)).not.toEqual(expect.arrayContaining(["email"]));
      await expect(call(as(ada), "customer.get", { id })).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(call(as(ada), "customer.create", person())).rejects.toMatchObject({ code: "FORBIDDEN" });
      // As after an hour.
      const deliveries = test.documents.collection<DeliveryRow>(DELIVERIES);
      const ofErasure = { channel: "user.deleted", state: "pending" };
      const tried = async () => (await deliveries.findOne(ofErasure))?.attempts ?? 0;
      await deliveries.updateMany(ofErasure, { $set: { attempts: 60, dueAt: new Date(0) } });
      await eventually(async () => (await tried()) > 60);
      await eventually(async () => (await deliveries.findOne(ofErasure))!.dueAt > new Date(Date.now() + 20_000));
      await allWell();
      await deliveries.updateMany(ofErasure, { $set: { dueAt: new Date(0) } });
      await eventually(async () => (await records().count({ _id: id })) === 0);
      expect(await stripe.customers.retrieve(providerCustomerId)).toMatchObject({ deleted: true });
    });

    it("is a dead letter if the provider refuses its deletion, and is deleted when that is replayed", async () => {
      const ada = user();
      const { providerCustomerId } = await customerWithCard(ada);
      await fault({ match: "DELETE /v1/customers", status: 403 });
      await publish(ada.user!.sub);
      const [dead] = await eventually(async () => {
        const letters = await test.channels.deadLetters();
        return letters.length > 0 && letters;
      });
      expect(dead).toMatchObject({ group: "customer", reason: "The payment provider refused the request" });
      await allWell();
      await test.channels.replay(dead!.id);
      await eventually(async () => (await records().count({ userId: ada.user!.sub })) === 0);
      expect(await stripe.customers.retrieve(providerCustomerId)).toMatchObject({ deleted: true });
    });
  });

  it("is exported without cards if the provider has no such customer any more", async () => {
    const ada = user();
    const { id, providerCustomerId } = await customerWithCard(ada);
    const exported = () => call(test.broker, "customer.ofUser", { userId: ada.user!.sub });
    expect((await exported()).customer).toMatchObject({ paymentMethods: [{ last4: "4242" }] });
    await stripe.customers.del(providerCustomerId);
    expect((await exported()).customer).toMatchObject({ customerId: id, paymentMethods: [] });
  });
});
