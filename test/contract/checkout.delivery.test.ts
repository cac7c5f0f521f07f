import type { OrderDocument } from "../../services/order/collections.ts";
import { describe, expect, it } from "@jest/globals";
import { TASKS, type TaskDocument } from "../../packages/durable/src/tasks/task.ts";
import { ATTEMPTS, type Attempt } from "../../mixins/payment-provider/attempts.ts";
import { call, outbox } from "../../services/contracts.ts";
import { CHECKOUTS, type Checkout } from "../../services/payment/collections.ts";
import { AUSTIN as ADDRESS } from "../support/addresses.ts";
import { eventually } from "../support/eventually.ts";
import { pageForms, submit } from "./payment-sandbox.support.ts";
import { item, newCartId, NOBODY, user, type Shop } from "./payment.shop.ts";
import { useShop } from "./payment.use-shop.ts";

const AUSTIN = { ...ADDRESS, name: "Ada Lovelace", phone: "+1 555 0100" };
/** What the hosted page has in its form. */
const ENTERED = {
  name: "Jenny Rosen",
  street: "354 Oyster Point Blvd",
  city: "South San Francisco",
  state: "CA",
  postalCode: "94080",
  country: "US",
  phone: "+12015550123",
};

describe("Where a paid order goes, with the provider's tax", () => {
  const shop = useShop({
    services: ["order", "customer", "user"],
    env: { STRIPE_AUTOMATIC_TAX: "on" },
  });

  const atProvider = (sessionId: string) =>
    shop.stripe.checkout.sessions.retrieve(sessionId, { expand: ["payment_intent"] });
  async function orderOf({ sessionId }: { sessionId: string }) {
    await shop.deliver(await shop.event("checkout.session.completed", sessionId));
    return (await shop.orders()).find((order) => order.paymentKey === sessionId)!;
  }
  /** What the tax consists of is read after the order is made. */
  async function withTaxes(made: Promise<OrderDocument>): Promise<OrderDocument> {
    const { _id } = await made;
    return eventually(async () => {
      const order = (await shop.orders()).find((one) => one._id === _id);
      return order?.taxes?.[0]?.name === "Tax" ? undefined : order;
    });
  }
  async function paid(...[params, caller]: Parameters<Shop["checkout"]>) {
    const session = await shop.checkout(params, caller);
    await shop.pay(session);
    return orderOf(session);
  }

  it.each([{}, { shippingAddress: { city: "Austin", country: "US" } }])(
    "is what was entered on the page, and so is the tax, where the request says %j",
    async (params) => {
      const order = await withTaxes(paid(params));
      expect(order).toMatchObject({
        shippingAddress: ENTERED,
        contact: { email: "shopper@example.com", name: "Jenny Rosen", phone: ENTERED.phone },
        tax: 73,
        taxes: [{ name: "Sales Tax, CA", amount: 73 }],
      });
    },
  );

  it.each(["guest", "user_ada"])("is the request's whole address, and so is the tax of %s", async (userId) => {
    const ada = user("user_ada");
    await call(shop.as(ada), "customer.create", { email: "ada@example.com", name: "Ada" });
    const session = await shop.checkout({ shippingAddress: AUSTIN }, userId === "guest" ? NOBODY : ada);
    expect(await atProvider(session.sessionId)).toMatchObject({
      shipping_address_collection: null,
      total_details: { amount_tax: 63 },
    });
    await shop.pay(session);
    expect(await withTaxes(orderOf(session))).toMatchObject({
      userId,
      shippingAddress: AUSTIN,
      taxes: [{ name: "Sales Tax, TX", amount: 63 }],
    });
    expect((await atProvider(session.sessionId)).payment_intent).toMatchObject({
      shipping: { name: "Ada Lovelace", address: { city: "Austin", postal_code: "78701" } },
    });
  });

  /** An erasure waits for what is still to be shipped, or on its way. */
  const deliver = async (orderId: string): Promise<void> => {
    await call(shop.as({ admin: true }), "order.adminShip", { orderId });
    await call(shop.as({ admin: true }), "order.adminUpdate", { orderId, status: "delivered" });
  };

  it.each(["order.erased", "order.updated"] as const)(
    "is erased with a guest from all that was asked and is kept, and at the provider (%s)",
    async (channel) => {
      const cartId = newCartId();
      await call(shop.broker, "cart.saveForCheckout", { cartId, items: [item("bns-1")] });
      const asked = { cartId, shippingAddress: AUSTIN };
      await call(shop.broker, "payment.createPaymentIntent", { ...asked, amount: 1_000 });
      const session = await shop.checkout({ ...asked, metadata: { note: "for Ada" } });
      const { customer } = await atProvider(session.sessionId);
      await shop.pay(session);
      const { _id: orderId, orderNumber, contact } = await orderOf(session);
      const kept = async () =>
        JSON.stringify([
          await shop.documents.collection<Checkout>(CHECKOUTS).find({ "purchase.cartId": cartId }),
          (await shop.documents.collection<Attempt>(ATTEMPTS).find({})).filter(({ _id }) => _id.includes(cartId)),
        ]);
      expect(await kept()).toMatch(/Ada/);
      await shop.fault({ match: "DELETE /v1/customers", status: 500 });
      if (channel === "order.erased") {
        await deliver(orderId);
        await call(shop.as({ admin: true }), "order.guestErase", { orderNumber, email: contact!.email! });
      } else {
        // As a release without order.erased left it in the outbox.
        const states = { status: "pending", paymentStatus: "paid" } as const;
        const change = { orderId, version: 2, actor: "system", from: states, to: states, changed: ["contact"] };
        await shop.documents.atomically([outbox("order.updated", change)]);
        shop.channels.wake();
      }
      await eventually(async () => !/Ada|Austin/.test(await kept()));
      const tasks = shop.documents.collection<TaskDocument>(TASKS);
      const tried = { _id: `payment.erasure:${session.sessionId}`, attempts: { $gt: 0 } };
      const deletion = await eventually(async () => (await tasks.findOne(tried)) ?? undefined);
      expect(deletion.enqueued).toBe(1);
      await shop.noFaults();
      await eventually(async () => (await shop.stripe.customers.retrieve(customer as string)).deleted === true);
      expect(await shop.checkout(asked)).toMatchObject({ sessionId: session.sessionId, status: "complete" });
    },
  );

  const customers = async () => (await shop.stripe.customers.list({ limit: 100 })).data.length;

  it.each([
    ["a guest", undefined, true],
    ["a user", "user_dora", true],
    ["a user whose checkout was not stored", "user_dora", false],
  ])(
    "is kept by the provider's customer of who has none here no longer than they can pay: %s",
    async (_who, customerId, isStored) => {
      const { sessionId } = await shop.checkout({ shippingAddress: AUSTIN, customerId }, user("user_dora"));
      if (!isStored) await shop.documents.collection(CHECKOUTS).deleteOne({ _id: sessionId });
      const { customer } = await shop.stripe.checkout.sessions.expire(sessionId);
      await shop.deliver(await shop.event("checkout.session.expired", sessionId));
      expect((await shop.stripe.customers.retrieve(customer as string)).deleted).toBe(true);
    },
  );

  it("is erased with a user who has no customer here, at once here and at the provider when that is back", async () => {
    const fay = user("user_fay");
    const ofFay = { customerId: fay.user!.sub, shippingAddress: AUSTIN };
    const open = (cartId?: string) => shop.checkout({ ...ofFay, cartId }, fay);
    const sessions = [await open(), await open(newCartId()), await open()];
    for (const paid of [sessions[0]!, sessions[2]!]) {
      await shop.pay(paid);
      const { _id: orderId } = await orderOf(paid);
      await deliver(orderId);
    }
    // As after half a year.
    await shop.documents.collection(CHECKOUTS).deleteOne({ _id: sessions[2]!.sessionId });
    const made = await Promise.all(sessions.map(async ({ sessionId }) => (await atProvider(sessionId)).customer));
    await shop.fault({ match: "DELETE /v1/customers", status: 500 });
    await shop.documents.atomically([outbox("user.deleted", { userId: fay.user!.sub })]);
    shop.channels.wake();
    const kept = { _id: { $in: sessions.map(({ sessionId }) => sessionId) } };
    const checkouts = shop.documents.collection<Checkout>(CHECKOUTS);
    await eventually(async () => !/Ada|Austin/.test(JSON.stringify(await checkouts.find(kept))));
    await shop.noFaults();
    for (const id of made)
      await eventually(async () => (await shop.stripe.customers.retrieve(id as string)).deleted === true);
  });

  it("stays with an erased user's customer whose deletion the provider refuses until an operator repeats it", async () => {
    const gus = user("user_gus");
    const { sessionId } = await shop.checkout({ customerId: gus.user!.sub, shippingAddress: AUSTIN }, gus);
    const { customer } = await atProvider(sessionId);
    await shop.fault({ match: "DELETE /v1/customers", status: 403 });
    await shop.documents.atomically([outbox("user.deleted", { userId: gus.user!.sub })]);
    shop.channels.wake();
    const [dead] = await eventually(async () => {
      const given = await shop.tasks.list({ kind: "payment.erasure", state: "dead", limit: 10 });
      return given.length > 0 && given;
    });
    expect(dead).toMatchObject({ key: sessionId, reason: "The payment provider refused the request" });
    await shop.noFaults();
    await shop.tasks.retry(dead!.id);
    await eventually(async () => (await shop.stripe.customers.retrieve(customer as string)).deleted === true);
  });

  it("makes one customer of many submissions of a cart, and none of a session that is refused", async () => {
    const before = await customers();
    const cartId = newCartId();
    const submissions = Array.from({ length: 10 }, () => shop.checkout({ cartId, shippingAddress: AUSTIN }));
    await Promise.all(submissions);
    expect(await customers()).toBe(before + 1);
    const refused = { ...AUSTIN, state: "ZZ" };
    await expect(shop.checkout({ shippingAddress: refused })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    expect(await customers()).toBe(before + 1);
  });

  it.each(["ZZ", "Nowhere"])("is refused where the provider finds no tax for it: %s", async (state) => {
    const cartId = newCartId();
    const before = await customers();
    const checkout = (address: object) => shop.checkout({ cartId, shippingAddress: { ...AUSTIN, ...address } });
    await expect(checkout({ state })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      data: [{ field: "shippingAddress" }],
    });
    expect(await customers()).toBe(before);
    await expect(checkout({})).resolves.toMatchObject({ status: "open" });
  });

  it("is asked for of nobody who fetches the order", async () => {
    const session = await shop.checkout({ fulfilment: "pickup", language: "de" });
    expect(await atProvider(session.sessionId)).toMatchObject({ shipping_address_collection: null });
    await shop.pay(session);
    const order = await orderOf(session);
    expect(order).toMatchObject({ fulfilment: "pickup", language: "de", contact: { email: "shopper@example.com" } });
    expect(order.shippingAddress).toBeUndefined();
  });

  it("has one tax while the provider does not say what it consists of", async () => {
    const session = await shop.checkout();
    await shop.pay(session);
    await shop.fault({ match: "GET /v1/checkout/sessions", status: 500 });
    const order = orderOf(session);
    expect(await order).toMatchObject({ tax: 73, taxes: [{ name: "Tax", amount: 73 }], version: 1 });
    await shop.noFaults();
    // The parts come when the provider is back, and make no new version: the amounts are the same.
    expect(await withTaxes(order)).toMatchObject({ taxes: [{ name: "Sales Tax, CA", amount: 73 }], version: 1 });
  });

  it("has a note if the provider refuses to say what its tax consists of", async () => {
    const session = await shop.checkout();
    await shop.pay(session);
    await shop.fault({ match: "GET /v1/checkout/sessions", status: 403 });
    const { _id } = await orderOf(session);
    const order = await eventually(async () => {
      const found = (await shop.orders()).find((one) => one._id === _id);
      return found?.notes && found;
    });
    expect(order).toMatchObject({
      taxes: [{ name: "Tax", amount: 73 }],
      notes: [{ actor: "system", text: expect.stringContaining("did not say what the tax consists of") }],
    });
  });

  it("is refused on the page outside of SHIP_TO, or without what the page asks for", async () => {
    const { sessionId } = await shop.checkout();
    const [form] = await pageForms(await atProvider(sessionId));
    const refused = await submit(form!, { country: "FR" });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("does not deliver")]);
    expect((await submit(form!, { phone: "" })).status).toBe(400);
  });

  it("stays text on the page and in the order, with HTML in it", async () => {
    const name = `<img src=x onerror="alert(1)">`;
    const session = await shop.checkout();
    const [form] = await pageForms(await atProvider(session.sessionId));
    const shown = await (await submit(form!, { name, line1: name, email: "nobody" })).text();
    expect(shown).toContain("&lt;img src=x");
    expect(shown).not.toContain("<img");
    await submit(form!, { name, line1: name });
    expect(await orderOf(session)).toMatchObject({ shippingAddress: { name, street: name }, contact: { name } });
  });

  describe("of a payment intent", () => {
    async function paidIntent(params: object = {}, caller = user("user_ada")) {
      const cartId = newCartId();
      await call(shop.broker, "cart.saveForCheckout", { cartId, items: [item("bns-1")] });
      const { paymentIntentId } = await call(shop.as(caller), "payment.createPaymentIntent", {
        cartId,
        amount: 1_000,
        ...params,
      });
      const confirm = (params: object = {}) => shop.confirm(paymentIntentId, params);
      const order = async () => {
        await shop.deliver(await shop.event("payment_intent.succeeded", paymentIntentId));
        return (await shop.orders()).find(({ paymentKey }) => paymentKey === paymentIntentId)!;
      };
      return { confirm, order };
    }

    it("is the request's, with its contact", async () => {
      const contact = { email: "ada@example.com", name: "Ada", phone: "+1 555 0199" };
      const { confirm, order } = await paidIntent({ shippingAddress: AUSTIN, contact });
      expect(await confirm()).toMatchObject({ shipping: { name: "Ada Lovelace", phone: AUSTIN.phone } });
      expect(await order()).toMatchObject({ shippingAddress: AUSTIN, contact: { email: "ada@example.com" } });
    });

    it("is what the store's own form says, else nothing, of a user whom the provider knows", async () => {
      const caller = user("user_bea");
      await call(shop.as(caller), "customer.create", { email: "bea@example.com", name: "Bea" });
      const entered = await paidIntent({ customerId: "user_bea" }, caller);
      await entered.confirm({ shipping: { name: "Bea", address: { line1: "2 Side St", country: "US" } } });
      expect(await entered.order()).toMatchObject({
        shippingAddress: { name: "Bea", street: "2 Side St", country: "US" },
        contact: { email: "bea@example.com", name: "Bea" },
      });
      const bare = await paidIntent({ customerId: "user_bea", fulfilment: "pickup" }, caller);
      await bare.confirm();
      const order = await bare.order();
      expect([order.fulfilment, order.shippingAddress, order.contact?.email]).toEqual([
        "pickup",
        undefined,
        "bea@example.com",
      ]);
    });

    it("is the profile's of a signed-in user whom the provider does not know", async () => {
      const caller = user("user_cleo");
      await call(shop.as(caller), "user.updateMe", { name: "Cleo", phone: "+1 555 0142" });
      const { confirm, order } = await paidIntent({ customerId: "user_cleo", fulfilment: "pickup" }, caller);
      await confirm();
      expect((await order()).contact).toEqual({ name: "Cleo", phone: "+1 555 0142" });
    });
  });
});
