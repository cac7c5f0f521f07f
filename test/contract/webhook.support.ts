import { beforeEach, expect } from "@jest/globals";
import type Stripe from "stripe";
import { call } from "../../services/contracts.ts";
import { eventually } from "../support/eventually.ts";
import { guest, item, newCartId } from "./payment.shop.ts";
import { useShop } from "./payment.use-shop.ts";

/**
 * What the suites of the provider's webhooks share, within a `describe`: one shop for all of its tests, and a cart for
 * each.
 */
export function useWebhookShop() {
  const shop = useShop();
  let cartId: string;

  beforeEach(() => {
    cartId = newCartId();
  });

  const ordersOf = async (sessionId: string) => (await shop.orders()).filter((order) => order.paymentKey === sessionId);
  const cartItems = async () => (await call(shop.broker, "cart.access", { cartId })).cart?.items.length;
  const orderOf = async (sessionId: string) =>
    (await call(shop.broker, "order.findByPayment", { paymentKey: sessionId })).order;
  const eventOf = async ({ id }: Stripe.Event) => (await shop.webhookEvents()).find(({ _id }) => _id === id);

  const ownCart = async () =>
    (await call(shop.as(guest(cartId)), "cart.current", {})).items.map(({ productId, quantity }) => [
      productId,
      quantity,
    ]);

  /** Of a guest, whose own cart has one piece and one line more than is bought. */
  async function paidSession(form: "card" | "delayed" = "card") {
    await call(shop.as(guest(cartId)), "cart.sync", { items: [item("bns-1", { quantity: 3 }), item("bns-2")] });
    await call(shop.broker, "cart.saveForCheckout", { cartId, items: [item("bns-1", { quantity: 2 })] });
    const shippingRate = { provider: "ups", serviceType: "ground", cost: 5 };
    const session = await shop.checkout(
      { cartId, items: [item("bns-1", { quantity: 2 })], shippingRate, shippingAddress: { city: "London" } },
      guest(cartId),
    );
    await shop.pay(session, form);
    return { ...session, completed: await shop.event("checkout.session.completed", session.sessionId) };
  }

  /** Exactly one of everything, after any deliveries. */
  async function expectCompletedOnce(sessionId: string) {
    const orders = await ordersOf(sessionId);
    expect(orders).toHaveLength(1);
    const orderId = orders[0]!._id;
    expect(
      (await shop.payments()).filter((payment) => payment._id === sessionId || payment.orderId === orderId),
    ).toHaveLength(1);
    expect(await cartItems()).toBe(0);
    expect(await ownCart()).toEqual([
      ["bns-1", 1],
      ["bns-2", 1],
    ]);
    await eventually(() => shop.published.some(({ payload }) => payload.orderId === orderId));
    expect(shop.published.filter(({ payload }) => payload.orderId === orderId)).toMatchObject([
      { event_id: `order.created:${orderId}` },
    ]);
  }

  return {
    shop,
    get cartId() {
      return cartId;
    },
    ordersOf,
    cartItems,
    orderOf,
    eventOf,
    paidSession,
    expectCompletedOnce,
  };
}

export const paymentIntentOf = (completed: Stripe.Event): string =>
  (completed.data.object as Stripe.Checkout.Session).payment_intent as string;
