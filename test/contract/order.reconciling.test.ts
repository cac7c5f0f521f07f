import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { call } from "../../services/contracts.ts";
import { item, newCartId, SHOP_MODES, startShop, type Shop } from "./payment.shop.ts";

describe.each(SHOP_MODES)("Payments whose webhook never came (%s)", (mode) => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await startShop({ mode });
  });
  afterEach(() => shop.noFaults());
  afterAll(() => shop.stop());

  const reconcile = () => call(shop.broker, "order.reconcile", {});
  const orderOf = async (paymentKey: string) => (await call(shop.broker, "order.findByPayment", { paymentKey })).order;

  async function paidIntent(): Promise<string> {
    const cartId = newCartId();
    await call(shop.broker, "cart.saveForCheckout", { cartId, items: [item("bns-1", { quantity: 2 })] });
    const { paymentIntentId } = await call(shop.broker, "payment.createPaymentIntent", { cartId, amount: 2_500 });
    await shop.stripe.paymentIntents.confirm(paymentIntentId, { payment_method: "pm_card_visa", return_url: "http://shop.test/" });
    return paymentIntentId;
  }

  /** A session with a delayed payment method, and its order. */
  async function pendingSession(): Promise<string> {
    const session = await shop.checkout({ cartId: newCartId() });
    await shop.pay(session, "delayed");
    await shop.deliver(await shop.event("checkout.session.completed", session.sessionId));
    expect(await orderOf(session.sessionId)).toMatchObject({ paymentStatus: "pending" });
    return session.sessionId;
  }

  it("become the order of an intent, once, also when the webhook comes after all", async () => {
    const paymentIntentId = await paidIntent();
    const { created, failed } = await reconcile();
    const order = await orderOf(paymentIntentId);
    expect([created, failed]).toEqual([[order!.orderId], []]);
    expect(order).toMatchObject({ paymentStatus: "paid" });

    const succeeded = await shop.event("payment_intent.succeeded", paymentIntentId);
    await Promise.all([shop.deliver(succeeded), reconcile(), reconcile()]);
    expect(await reconcile()).toMatchObject({ created: [], failed: [] });
    expect((await shop.orders()).filter((one) => one.paymentIntentId === paymentIntentId)).toHaveLength(1);
    expect((await shop.payments()).filter((one) => one.paymentIntentId === paymentIntentId)).toHaveLength(1);
  });

  it("settle an order whose money was still on its way, however long that took", async () => {
    const [paid, failed] = [await pendingSession(), await pendingSession()];
    // Longer than the provider lists a session by, and than its webhooks are repeated; not longer than it lists events.
    await shop.control("/clock", { advanceSeconds: 10 * 24 * 3_600 });
    await shop.control(`/checkout/sessions/${paid}/settle`, { outcome: "succeeded" });
    await shop.control(`/checkout/sessions/${failed}/settle`, { outcome: "failed" });
    expect(await reconcile()).toMatchObject({ created: [], failed: [] });
    expect(await orderOf(paid)).toMatchObject({ paymentStatus: "paid" });
    expect(await orderOf(failed)).toMatchObject({ paymentStatus: "failed" });
  });

  it("leave alone what was paid for something else", async () => {
    const { id } = await shop.stripe.paymentIntents.create({ amount: 500, currency: "usd", confirm: true, payment_method: "pm_card_visa", return_url: "http://shop.test/" });
    expect(await reconcile()).toMatchObject({ created: [], failed: [] });
    expect(await orderOf(id)).toBeNull();
  });
});
