import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type Stripe from "stripe";
import { ulid } from "ulid";
import { DocumentStoreError, type DocumentStore } from "../../mixins/document-store/port.ts";
import { openDocumentStore } from "../../mixins/document-store/open.ts";
import cartService from "../../services/cart/cart.service.ts";
import { call } from "../../services/contracts.ts";
import { eventually } from "../support/eventually.ts";
import { testSettings } from "../support/test-settings.ts";
import { item, newCartId, signed, SHOP_MODES, startShop, user, type Shop } from "./payment.shop.ts";

describe.each(SHOP_MODES)("The provider's webhooks (%s)", (mode) => {
  let shop: Shop;
  let cartId: string;

  beforeAll(async () => {
    shop = await startShop({ mode });
  });
  beforeEach(() => {
    cartId = newCartId();
  });
  afterEach(() => shop.noFaults());
  afterAll(() => shop.stop());

  const ordersOf = async (sessionId: string) => (await shop.orders()).filter((order) => order.paymentKey === sessionId);
  const cartItems = async () => (await call(shop.broker, "cart.access", { cartId })).cart?.items.length;
  const orderOf = async (sessionId: string) => (await call(shop.broker, "order.findByPayment", { paymentKey: sessionId })).order;
  const eventOf = async ({ id }: Stripe.Event) => (await shop.webhookEvents()).find(({ _id }) => _id === id);

  async function paidSession(form: "card" | "delayed" = "card") {
    await call(shop.broker, "cart.saveForCheckout", { cartId, items: [item("bns-1", { quantity: 2 })] });
    const shippingRate = { provider: "ups", serviceType: "ground", cost: 5 };
    const session = await shop.checkout({ cartId, items: [item("bns-1", { quantity: 2 })], shippingRate, shippingAddress: { city: "London" } });
    await shop.pay(session, form);
    return { ...session, completed: await shop.event("checkout.session.completed", session.sessionId) };
  }

  /** Exactly one of everything, whatever was delivered. */
  async function expectCompletedOnce(sessionId: string) {
    const orders = await ordersOf(sessionId);
    expect(orders).toHaveLength(1);
    const orderId = orders[0]!._id;
    expect((await shop.payments()).filter((payment) => payment._id === sessionId || payment.orderId === orderId)).toHaveLength(1);
    expect(await cartItems()).toBe(0);
    await eventually(() => shop.published.some(({ payload }) => payload.orderId === orderId));
    expect(shop.published.filter(({ payload }) => payload.orderId === orderId)).toMatchObject([{ event_id: `order.created:${orderId}` }]);
  }

  it("makes the order, the payment record and the event, and empties the cart, before it acknowledges", async () => {
    const { sessionId, completed } = await paidSession();
    expect(await shop.deliver(completed)).toEqual({ received: true });
    await expectCompletedOnce(sessionId);

    const [order] = await ordersOf(sessionId);
    const paymentIntentId = (completed.data.object as Stripe.Checkout.Session).payment_intent as string;
    const amounts = { subtotal: 2_000, tax: 0, shipping: 500, total: 2_500, currency: "usd" };
    expect(order).toMatchObject({ userId: "guest", status: "pending", paymentStatus: "paid", shippingAddress: { city: "London" }, ...amounts });
    expect(shop.published.find(({ payload }) => payload.orderId === order!._id)).toMatchObject({
      v: 1,
      payload: {
        orderNumber: expect.stringMatching(/^ORD-\d{8}-\d{6}$/), userId: "guest", sessionId, paymentIntentId, cartId, paymentStatus: "paid",
        items: [{ partNumber: "BNS-1", productId: "bns-1", quantity: 2, price: 1_000 }], ...amounts,
      },
    });
    expect((await shop.payments()).find(({ _id }) => _id === sessionId)).toMatchObject({ paymentIntentId, amount: 2_500, orderId: order!._id });
    expect(JSON.stringify(await eventOf(completed))).not.toMatch(/London|4242|example\.com/);
  });

  it("has one effect for many deliveries, one after another and at the same moment", async () => {
    const { sessionId, completed } = await paidSession();
    await Promise.all(Array.from({ length: 10 }, () => shop.deliver(completed)));
    await shop.deliver(completed);
    await expectCompletedOnce(sessionId);
  });

  it("has one effect for the same session under different event ids", async () => {
    const { sessionId, completed } = await paidSession();
    const others = Array.from({ length: 8 }, () => shop.asAnotherEvent(completed));
    await Promise.all([completed, ...others].map((event) => shop.deliver(event)));
    await shop.deliver(shop.asAnotherEvent(completed));
    await expectCompletedOnce(sessionId);
  });

  it("leaves alone what was put into the cart after the order", async () => {
    const { completed } = await paidSession();
    await shop.deliver(completed);
    await call(shop.broker, "cart.remove", { cartId });
    await call(shop.broker, "cart.saveForCheckout", { cartId, items: [item("bns-2", { unitPrice: 2.5 })] });
    await shop.deliver(shop.asAnotherEvent(completed));
    expect(await cartItems()).toBe(1);
  });

  it("gives the order to the customer", async () => {
    const session = await shop.checkout({ customerId: "user_ada" }, user("user_ada"));
    await shop.pay(session);
    await shop.deliver(await shop.event("checkout.session.completed", session.sessionId));
    expect(await orderOf(session.sessionId)).toMatchObject({ userId: "user_ada" });
  });

  describe("signatures", () => {
    it.each([
      ["forged", async () => ({ secret: "whsec_of_somebody_else" })],
      ["stale", async () => ({ timestamp: Math.floor(Date.now() / 1000) - 301 })],
      // A second more than the tolerance may pass until it is looked at.
      ["future", async () => ({ timestamp: Math.floor(Date.now() / 1000) + 320 })],
    ])("refuses a %s one", async (_name, options) => {
      const { sessionId, completed } = await paidSession();
      await expect(shop.deliver(completed, await options())).rejects.toMatchObject({ code: "INVALID_SIGNATURE" });
      expect(await ordersOf(sessionId)).toEqual([]);
    });

    it.each([-290, 290])("takes one that is %d s from our clock", async (seconds) => {
      const { completed } = await paidSession();
      await expect(shop.deliver(completed, { timestamp: Math.floor(Date.now() / 1000) + seconds })).resolves.toEqual({ received: true });
    });

    it("refuses a missing one, and a changed text", async () => {
      await expect(call(shop.broker, "payment.receiveWebhook", { body: "{}", headers: {} })).rejects.toMatchObject({ code: "INVALID_SIGNATURE" });
      const good = signed({ id: "evt_1", type: "charge.refunded" }, { secret: shop.settings.payment.webhookSecret });
      const changed = call(shop.broker, "payment.receiveWebhook", { ...good, body: good.body.replace("evt_1", "evt_2") });
      await expect(changed).rejects.toMatchObject({ code: "INVALID_SIGNATURE" });
    });
  });

  it("acknowledges and drops what nothing depends on", async () => {
    const event = { id: `evt_${ulid()}`, object: "event", type: "product.created", data: { object: { id: "prod_1" } } };
    expect(await shop.deliver(event)).toEqual({ received: true });
    expect((await shop.webhookEvents()).map(({ _id }) => _id)).not.toContain(event.id);
  });

  describe("delayed payment methods", () => {
    it("makes a pending order, which the money's arrival pays", async () => {
      const { sessionId, completed } = await paidSession("delayed");
      await shop.deliver(completed);
      expect(await orderOf(sessionId)).toMatchObject({ status: "pending", paymentStatus: "pending" });
      await shop.control(`/checkout/sessions/${sessionId}/settle`, { outcome: "succeeded" });
      await shop.deliver(await shop.event("checkout.session.async_payment_succeeded", sessionId));
      expect(await orderOf(sessionId)).toMatchObject({ paymentStatus: "paid" });
      await expectCompletedOnce(sessionId);
    });

    it.each([["succeeded", "paid"], ["failed", "failed"]])("gets to the same end when %s comes first", async (outcome, paymentStatus) => {
      const { sessionId, completed } = await paidSession("delayed");
      await shop.control(`/checkout/sessions/${sessionId}/settle`, { outcome });
      const settled = await shop.event(`checkout.session.async_payment_${outcome}`, sessionId);
      await Promise.all([shop.deliver(settled), shop.deliver(completed)]);
      await shop.deliver(shop.asAnotherEvent(completed));
      expect(await orderOf(sessionId)).toMatchObject({ paymentStatus });
      await expectCompletedOnce(sessionId);
    });

    it("frees the cart when the money does not come", async () => {
      const { sessionId, completed } = await paidSession("delayed");
      await shop.deliver(completed);
      expect(await shop.checkout({ cartId })).toMatchObject({ sessionId });
      await shop.control(`/checkout/sessions/${sessionId}/settle`, { outcome: "failed" });
      await shop.deliver(await shop.event("checkout.session.async_payment_failed", sessionId));
      expect((await shop.checkout({ cartId })).sessionId).not.toBe(sessionId);
    });
  });

  describe("what happens to a payment later", () => {
    it("marks the order refunded, by the provider's cumulative figure", async () => {
      const { sessionId, completed } = await paidSession();
      await shop.deliver(completed);
      const payment_intent = (completed.data.object as Stripe.Checkout.Session).payment_intent as string;
      await shop.stripe.refunds.create({ payment_intent, amount: 1_000 });
      const first = await shop.event("charge.refunded");
      await shop.deliver(first);
      expect(await orderOf(sessionId)).toMatchObject({ paymentStatus: "partially_refunded" });
      await shop.stripe.refunds.create({ payment_intent });
      await shop.deliver(await shop.event("charge.refunded"));
      await shop.deliver(shop.asAnotherEvent(first));
      expect(await orderOf(sessionId)).toMatchObject({ paymentStatus: "refunded" });
    });

    it("keeps what comes before the order, and applies it to the order", async () => {
      const { sessionId, completed } = await paidSession();
      const payment_intent = (completed.data.object as Stripe.Checkout.Session).payment_intent as string;
      await shop.stripe.refunds.create({ payment_intent, amount: 700 });
      await shop.control("/disputes", { payment_intent });
      const early = [await shop.event("charge.refunded"), await shop.event("charge.dispute.created")];
      for (const event of early) expect(await shop.deliver(event)).toEqual({ received: true });
      expect(await eventOf(early[0]!)).toMatchObject({ state: "waiting" });

      await shop.deliver(completed);
      expect(await orderOf(sessionId)).toMatchObject({ paymentStatus: "partially_refunded" });
      expect((await ordersOf(sessionId))[0]).toMatchObject({ disputes: [{ status: expect.any(String) }] });
      for (const event of early) expect(await eventOf(event)).toMatchObject({ state: "done" });
    });

    it("lets a declined card be followed by another one", async () => {
      const session = await shop.checkout({ cartId });
      await shop.pay(session, "declined");
      await shop.deliver(await shop.event("payment_intent.payment_failed"));
      expect(await orderOf(session.sessionId)).toBeNull();
      await shop.pay(session);
      await shop.deliver(await shop.event("checkout.session.completed", session.sessionId));
      await shop.deliver(shop.asAnotherEvent(await shop.event("payment_intent.payment_failed")));
      expect(await orderOf(session.sessionId)).toMatchObject({ paymentStatus: "paid" });
    });
  });

  it("never makes a second order of the payment intent of a session", async () => {
    const { sessionId, completed } = await paidSession();
    const succeeded = await shop.event("payment_intent.succeeded", (completed.data.object as Stripe.Checkout.Session).payment_intent as string);
    await Promise.all([shop.deliver(succeeded), shop.deliver(completed), shop.deliver(shop.asAnotherEvent(succeeded))]);
    await expectCompletedOnce(sessionId);
    expect(await eventOf(succeeded)).toMatchObject({ state: "dropped" });
  });

  it("asks the provider for a session that is not in the store", async () => {
    const session = await shop.stripe.checkout.sessions.create({
      mode: "payment", success_url: "http://shop.test/", client_reference_id: cartId,
      line_items: [{ quantity: 3, price_data: { currency: "usd", unit_amount: 700, product_data: { name: "Blade", metadata: { productId: "bns-9", partNumber: "9-9" } } } }],
    });
    await shop.pay({ sessionId: session.id });
    await shop.deliver(await shop.event("checkout.session.completed", session.id));
    expect(await ordersOf(session.id)).toMatchObject([
      { userId: "guest", total: 2_100, items: [{ productId: "bns-9", partNumber: "9-9", name: "Blade", quantity: 3, price: 700 }] },
    ]);
  });

  it("drops a session that neither the store nor the provider knows", async () => {
    const { completed } = await paidSession();
    const unknown = shop.asAnotherEvent(completed);
    const data = { object: { ...completed.data.object, id: "cs_test_unknown" } };
    expect(await shop.deliver({ ...unknown, data })).toEqual({ received: true });
    expect(await ordersOf("cs_test_unknown")).toEqual([]);
    expect(await eventOf(unknown)).toMatchObject({ state: "dropped" });
  });

  it("makes the order of a session whose webhook was lost, when asked", async () => {
    const { sessionId } = await paidSession();
    const { sessions } = await call(shop.broker, "payment.completedSessions", { since: new Date(Date.now() - 60_000) });
    expect(sessions).toContainEqual({ sessionId });
    const answers = await Promise.all([1, 2, 3].map(() => call(shop.broker, "payment.completeSession", { sessionId })));
    expect(new Set(answers.map(({ orderId }) => orderId)).size).toBe(1);
    expect(await call(shop.broker, "payment.completeSession", { sessionId })).toMatchObject({ created: false });
    await shop.deliver(await shop.event("checkout.session.completed", sessionId));
    await expectCompletedOnce(sessionId);
    const open = await shop.checkout();
    await expect(call(shop.broker, "payment.completeSession", { sessionId: open.sessionId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("A webhook while something is away", () => {
  it("is stored, answered 503, and completed by the sweep when the other service is back", async () => {
    const shop = await startShop();
    try {
      const cartId = newCartId();
      await call(shop.broker, "cart.saveForCheckout", { cartId, items: [item("bns-1")] });
      const session = await shop.checkout({ cartId });
      await shop.pay(session);
      const completed = await shop.event("checkout.session.completed", session.sessionId);
      await shop.broker.destroyService("cart");
      await expect(shop.deliver(completed)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
      expect(await shop.webhookEvents()).toMatchObject([{ _id: completed.id, state: "pending", progress: { steps: 3 } }]);
      expect(await shop.orders()).toHaveLength(1);

      shop.broker.createService(cartService(shop.broker));
      await eventually(async () => (await shop.webhookEvents())[0]?.state === "done", 20_000);
      expect((await call(shop.broker, "cart.access", { cartId })).cart?.items).toEqual([]);
      expect(await shop.orders()).toHaveLength(1);
    } finally {
      await shop.stop();
    }
  }, 40_000);

  it("is not acknowledged while the store is away, and goes through afterwards", async () => {
    const { store, away } = await unreliableStore();
    const shop = await startShop({ documents: store });
    try {
      const session = await shop.checkout();
      await shop.pay(session);
      const completed = await shop.event("checkout.session.completed", session.sessionId);
      away(true);
      await expect(shop.deliver(completed)).rejects.toMatchObject({ code: "UNAVAILABLE" });
      away(false);
      expect(await shop.webhookEvents()).toEqual([]);
      expect(await shop.deliver(completed)).toEqual({ received: true });
      expect(await shop.orders()).toHaveLength(1);
    } finally {
      await shop.stop();
      await store.close();
    }
  });
});

/** The embedded store, whose writes fail while it is away. */
async function unreliableStore(): Promise<{ store: DocumentStore; away(gone: boolean): void }> {
  const real = await openDocumentStore({ dataDir: testSettings().dataDir });
  let gone = false;
  const guarded = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(object, name) {
        const value: unknown = Reflect.get(object, name, object);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (name === "collection") return guarded(value.apply(object, args) as object);
          if (gone && name !== "close") return Promise.reject(new DocumentStoreError("UNAVAILABLE", "The store is away"));
          return value.apply(object, args) as unknown;
        };
      },
    });
  return { store: guarded(real), away: (state) => void (gone = state) };
}
