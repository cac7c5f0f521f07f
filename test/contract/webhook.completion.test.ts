import { describe, expect, it } from "@jest/globals";
import { OWN_CARTS } from "../../services/cart/collections.ts";
import { call, outbox } from "../../services/contracts.ts";
import { CHECKOUTS, type Checkout } from "../../services/payment/collections.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import { eventually } from "../support/eventually.ts";
import { mortalStore } from "../support/mortal-store.ts";
import { testSettings } from "../support/test-settings.ts";
import { item, newCartId, startShop, user } from "./payment.shop.ts";
import { paymentIntentOf, useWebhookShop } from "./webhook.support.ts";

describe("Webhooks of completed payments", () => {
  const given = useWebhookShop();
  const { shop, ordersOf, cartItems, orderOf, eventOf, paidSession, expectCompletedOnce } = given;

  it("makes the order, the payment record and the event, and empties the cart, before it acknowledges", async () => {
    const { sessionId, completed } = await paidSession();
    expect(await shop.deliver(completed)).toEqual({ received: true });
    await expectCompletedOnce(sessionId);

    const [order] = await ordersOf(sessionId);
    const paymentIntentId = paymentIntentOf(completed);
    const amounts = { subtotal: 2_000, tax: 0, shipping: 500, total: 2_500, currency: "usd" };
    expect(order).toMatchObject({
      userId: "guest",
      status: "pending",
      paymentStatus: "paid",
      shippingAddress: { name: "Jenny Rosen", city: "South San Francisco", country: "US", phone: "+12015550123" },
      contact: { email: "shopper@example.com", name: "Jenny Rosen", phone: "+12015550123" },
      ...amounts,
    });
    expect(shop.published.find(({ payload }) => payload.orderId === order!._id)).toMatchObject({
      v: 2,
      payload: {
        actor: "payment-provider",
        orderNumber: expect.stringMatching(/^ORD-\d{8}-\d{6}$/),
        userId: "guest",
        sessionId,
        paymentIntentId,
        cartId: given.cartId,
        paymentStatus: "paid",
        items: [{ partNumber: "BNS-1", productId: "bns-1", quantity: 2, price: 1_000 }],
        ...amounts,
      },
    });
    expect((await shop.payments()).find(({ _id }) => _id === sessionId)).toMatchObject({
      paymentIntentId,
      amount: 2_500,
      orderId: order!._id,
    });
    expect(JSON.stringify(await eventOf(completed))).not.toMatch(/London|Oyster|4242|example\.com/);
  });

  it("has one effect for the same session under different event ids", async () => {
    const { sessionId, completed } = await paidSession();
    const otherEvents = Array.from({ length: 8 }, () => shop.asAnotherEvent(completed));
    await Promise.all([completed, ...otherEvents].map((event) => shop.deliver(event)));
    await shop.deliver(shop.asAnotherEvent(completed));
    await expectCompletedOnce(sessionId);
  });

  it("leaves alone what was put into the cart after the order", async () => {
    const { completed } = await paidSession();
    await shop.deliver(completed);
    await call(shop.broker, "cart.remove", { cartId: given.cartId });
    await call(shop.broker, "cart.saveForCheckout", {
      cartId: given.cartId,
      items: [item("bns-2", { unitPrice: 2.5 })],
    });
    await shop.deliver(shop.asAnotherEvent(completed));
    expect(await cartItems()).toBe(1);
  });

  it("leaves a cart that was saved again before the payment came", async () => {
    const { completed } = await paidSession();
    await call(shop.broker, "cart.remove", { cartId: given.cartId });
    await call(shop.broker, "cart.saveForCheckout", { cartId: given.cartId, items: [item("bns-3")] });
    await shop.deliver(completed);
    expect(await cartItems()).toBe(1);
  });

  it("leaves nothing of a user who was deleted before the payment came", async () => {
    const userId = `user_${given.cartId}`;
    const caller = user(userId);
    await call(shop.as(caller), "cart.sync", { items: [item("bns-1")] });
    const session = await shop.checkout({}, caller);
    await shop.pay(session);
    await shop.documents.atomically([outbox("user.deleted", { userId })]);
    shop.channels.wake();
    const findCheckout = () => shop.documents.collection<Checkout>(CHECKOUTS).findOne({ _id: session.sessionId });
    await eventually(async () => (await findCheckout())?.purchase.owner.userId === "deleted");
    await shop.deliver(await shop.event("checkout.session.completed", session.sessionId));
    expect(await ordersOf(session.sessionId)).toHaveLength(1);
    expect(JSON.stringify(await findCheckout())).not.toContain(userId);
    expect(await shop.documents.collection(OWN_CARTS).findOne({ _id: `user:${userId}` })).toBeNull();
  });

  it.each(["paid", "expired"])("keeps a deleted user's id no longer than it may be needed: %s", async (end) => {
    const userId = `user_${given.cartId}`;
    const session = await shop.checkout({ customerId: userId }, user(userId));
    const readStored = async () =>
      JSON.stringify(await shop.documents.collection<Checkout>(CHECKOUTS).findOne({ _id: session.sessionId }));
    await shop.documents.atomically([outbox("user.deleted", { userId })]);
    shop.channels.wake();
    await eventually(async () => /"owner":{"userId":"deleted"/.test(await readStored()));
    expect(await readStored()).toContain(userId);
    if (end === "paid") await shop.pay(session);
    else await shop.stripe.checkout.sessions.expire(session.sessionId);
    const type = end === "paid" ? "completed" : "expired";
    await shop.deliver(await shop.event(`checkout.session.${type}`, session.sessionId));
    expect(await readStored()).not.toContain(userId);
    expect(await ordersOf(session.sessionId)).toHaveLength(end === "paid" ? 1 : 0);
  });

  it("keeps the order of a payment in another currency", async () => {
    const { sessionId, completed } = await paidSession();
    const data = { object: { ...completed.data.object, currency: "eur" } };
    expect(await shop.deliver({ ...completed, data })).toEqual({ received: true });
    expect(await ordersOf(sessionId)).toMatchObject([{ currency: "eur", paymentStatus: "paid", total: 2_500 }]);
    await expectCompletedOnce(sessionId);
    const stats = await call(shop.as(user("user_boss", true)), "order.adminStats", {});
    expect(stats.otherCurrencies).toEqual({ eur: 1 });
  });

  it("never makes a second order of the payment intent of a session", async () => {
    const { sessionId, completed } = await paidSession();
    const succeeded = await shop.event("payment_intent.succeeded", paymentIntentOf(completed));
    await Promise.all([shop.deliver(succeeded), shop.deliver(completed), shop.deliver(shop.asAnotherEvent(succeeded))]);
    await expectCompletedOnce(sessionId);
    expect(await eventOf(succeeded)).toMatchObject({ state: "dropped" });
  });

  /** A paid session that our store does not know; the lines of `ours` name parts. */
  async function sessionAtProvider({
    ours,
    metadata,
  }: {
    ours: boolean;
    metadata: Record<string, string>;
  }): Promise<string> {
    const product_data = { name: "Blade", ...(ours ? { metadata: { productId: "bns-9", partNumber: "9-9" } } : {}) };
    const { id } = await shop.stripe.checkout.sessions.create({
      mode: "payment",
      success_url: "http://shop.test/",
      client_reference_id: given.cartId,
      metadata,
      payment_intent_data: { metadata },
      line_items: [{ quantity: 3, price_data: { currency: "usd", unit_amount: 700, product_data } }],
    });
    await shop.pay({ sessionId: id });
    return id;
  }

  it.each<[string, boolean, Record<string, string>]>([
    ["a payment link", false, {}],
    ["something that names a cart of ours", false, { cartId: "THE_CART" }],
    ["another application that names its users", false, { userId: "user_ada", cartId: "THE_CART" }],
    ["another shop's checkout", true, { userId: "guest", cartId: "THE_CART", shop: "https://other.example" }],
  ])("makes no order of %s on the same account, and leaves the cart alone", async (_what, ours, named) => {
    await call(shop.broker, "cart.saveForCheckout", { cartId: given.cartId, items: [item("bns-1")] });
    const metadata = { ...named, ...(named.cartId ? { cartId: given.cartId } : {}) };
    const sessionId = await sessionAtProvider({ ours, metadata });
    const { id: intent } = await shop.paidIntent(900, metadata);
    await shop.stripe.refunds.create({ payment_intent: intent });
    const events = await Promise.all(
      [
        ["checkout.session.completed", sessionId],
        ["payment_intent.succeeded", intent],
      ].map(([type, id]) => shop.event(type!, id)),
    );
    for (const event of [...events, await shop.event("charge.refunded")])
      expect(await shop.deliver(event)).toEqual({ received: true });
    for (const event of events) expect(await eventOf(event)).toMatchObject({ state: "dropped" });
    expect(await call(shop.broker, "payment.reconcile", {})).toMatchObject({ created: [], failed: [] });
    expect([await orderOf(sessionId), await orderOf(intent), await cartItems()]).toEqual([null, null, 1]);
  });

  it("drops a session that neither the store nor the provider knows", async () => {
    const { completed } = await paidSession();
    const unknown = shop.asAnotherEvent(completed);
    const data = { object: { ...completed.data.object, id: "cs_test_unknown" } };
    expect(await shop.deliver({ ...unknown, data })).toEqual({ received: true });
    expect(await ordersOf("cs_test_unknown")).toEqual([]);
    expect(await eventOf(unknown)).toMatchObject({ state: "dropped" });
  });
});

/** What channels, tasks and leases of periodic work write on their own, while or after the webhook is answered. */
const OF_OTHERS = new Set(["outbox", "channel_deliveries", "channel_groups", "leases", "tasks"]);

describe("A paid webhook", () => {
  it("needs at most four durable commits before its 200", async () => {
    const store = await openDocumentStore({ dataDir: testSettings().dataDir });
    const commits: string[][] = [];
    const { documents } = mortalStore(store, (_args, _answer, collections) => {
      if (collections.some((name) => !OF_OTHERS.has(name))) commits.push(collections);
    });
    const shop = await startShop({ documents });
    try {
      const completed = await shop.payCart(newCartId());
      commits.length = 0;
      await shop.deliver(completed);
      expect(commits).toEqual([
        ["webhook_events", "tasks"],
        ["sequences", "orders", "order_parts", "outbox"],
        ["cart_clearings", "saved_carts"],
        ["payments", "checkouts", "checkouts", "checkouts", "webhook_events", "tasks", "tasks"],
      ]);
    } finally {
      await shop.stop();
      await store.close();
    }
  });
});
