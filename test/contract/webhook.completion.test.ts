import { describe, expect, it } from "@jest/globals";
import { call } from "../../services/contracts.ts";
import { item, SHOP_MODES, user } from "./payment.shop.ts";
import { paymentIntentOf, useWebhookShop } from "./webhook.support.ts";

describe.each(SHOP_MODES)("Webhooks of completed payments (%s)", (mode) => {
  const given = useWebhookShop(mode);
  const { ordersOf, cartItems, orderOf, eventOf, paidSession, expectCompletedOnce } = given;

  it("makes the order, the payment record and the event, and empties the cart, before it acknowledges", async () => {
    const { sessionId, completed } = await paidSession();
    expect(await given.shop.deliver(completed)).toEqual({ received: true });
    await expectCompletedOnce(sessionId);

    const [order] = await ordersOf(sessionId);
    const paymentIntentId = paymentIntentOf(completed);
    const amounts = { subtotal: 2_000, tax: 0, shipping: 500, total: 2_500, currency: "usd" };
    expect(order).toMatchObject({
      userId: "guest",
      status: "pending",
      paymentStatus: "paid",
      shippingAddress: { city: "London" },
      ...amounts,
    });
    expect(given.shop.published.find(({ payload }) => payload.orderId === order!._id)).toMatchObject({
      v: 1,
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
    expect((await given.shop.payments()).find(({ _id }) => _id === sessionId)).toMatchObject({
      paymentIntentId,
      amount: 2_500,
      orderId: order!._id,
    });
    expect(JSON.stringify(await eventOf(completed))).not.toMatch(/London|4242|example\.com/);
  });

  it("has one effect for many deliveries, one after another and at the same moment", async () => {
    const { sessionId, completed } = await paidSession();
    await Promise.all(Array.from({ length: 10 }, () => given.shop.deliver(completed)));
    await given.shop.deliver(completed);
    await expectCompletedOnce(sessionId);
  });

  it("has one effect for the same session under different event ids", async () => {
    const { sessionId, completed } = await paidSession();
    const others = Array.from({ length: 8 }, () => given.shop.asAnotherEvent(completed));
    await Promise.all([completed, ...others].map((event) => given.shop.deliver(event)));
    await given.shop.deliver(given.shop.asAnotherEvent(completed));
    await expectCompletedOnce(sessionId);
  });

  it("leaves alone what was put into the cart after the order", async () => {
    const { completed } = await paidSession();
    await given.shop.deliver(completed);
    await call(given.shop.broker, "cart.remove", { cartId: given.cartId });
    await call(given.shop.broker, "cart.saveForCheckout", {
      cartId: given.cartId,
      items: [item("bns-2", { unitPrice: 2.5 })],
    });
    await given.shop.deliver(given.shop.asAnotherEvent(completed));
    expect(await cartItems()).toBe(1);
  });

  it("gives the order to the customer", async () => {
    const session = await given.shop.checkout({ customerId: "user_ada" }, user("user_ada"));
    await given.shop.pay(session);
    await given.shop.deliver(await given.shop.event("checkout.session.completed", session.sessionId));
    expect(await orderOf(session.sessionId)).toMatchObject({ userId: "user_ada" });
  });

  it("keeps the order of a payment in another currency", async () => {
    const { sessionId, completed } = await paidSession();
    const data = { object: { ...completed.data.object, currency: "eur" } };
    expect(await given.shop.deliver({ ...completed, data })).toEqual({ received: true });
    expect(await ordersOf(sessionId)).toMatchObject([{ currency: "eur", paymentStatus: "paid", total: 2_500 }]);
    await expectCompletedOnce(sessionId);
    const stats = await call(given.shop.as(user("user_boss", true)), "order.adminStats", {});
    expect(stats.otherCurrencies).toEqual({ eur: 1 });
  });

  it("never makes a second order of the payment intent of a session", async () => {
    const { sessionId, completed } = await paidSession();
    const succeeded = await given.shop.event("payment_intent.succeeded", paymentIntentOf(completed));
    await Promise.all([
      given.shop.deliver(succeeded),
      given.shop.deliver(completed),
      given.shop.deliver(given.shop.asAnotherEvent(succeeded)),
    ]);
    await expectCompletedOnce(sessionId);
    expect(await eventOf(succeeded)).toMatchObject({ state: "dropped" });
  });

  it("asks the provider for a session that is not in the store", async () => {
    const session = await given.shop.stripe.checkout.sessions.create({
      mode: "payment",
      success_url: "http://given.shop.test/",
      client_reference_id: given.cartId,
      line_items: [
        {
          quantity: 3,
          price_data: {
            currency: "usd",
            unit_amount: 700,
            product_data: { name: "Blade", metadata: { productId: "bns-9", partNumber: "9-9" } },
          },
        },
      ],
    });
    await given.shop.pay({ sessionId: session.id });
    await given.shop.deliver(await given.shop.event("checkout.session.completed", session.id));
    expect(await ordersOf(session.id)).toMatchObject([
      {
        userId: "guest",
        total: 2_100,
        items: [{ productId: "bns-9", partNumber: "9-9", name: "Blade", quantity: 3, price: 700 }],
      },
    ]);
  });

  it("drops a session that neither the store nor the provider knows", async () => {
    const { completed } = await paidSession();
    const unknown = given.shop.asAnotherEvent(completed);
    const data = { object: { ...completed.data.object, id: "cs_test_unknown" } };
    expect(await given.shop.deliver({ ...unknown, data })).toEqual({ received: true });
    expect(await ordersOf("cs_test_unknown")).toEqual([]);
    expect(await eventOf(unknown)).toMatchObject({ state: "dropped" });
  });

  it("makes the order of a session whose webhook was lost, when asked", async () => {
    const { sessionId } = await paidSession();
    const { sessions } = await call(given.shop.broker, "payment.completedSessions", {
      since: new Date(Date.now() - 60_000),
    });
    expect(sessions).toContainEqual({ sessionId });
    const answers = await Promise.all(
      [1, 2, 3].map(() => call(given.shop.broker, "payment.completeSession", { sessionId })),
    );
    expect(new Set(answers.map(({ orderId }) => orderId)).size).toBe(1);
    expect(await call(given.shop.broker, "payment.completeSession", { sessionId })).toMatchObject({ created: false });
    await given.shop.deliver(await given.shop.event("checkout.session.completed", sessionId));
    await expectCompletedOnce(sessionId);
    const open = await given.shop.checkout();
    await expect(
      call(given.shop.broker, "payment.completeSession", { sessionId: open.sessionId }),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
