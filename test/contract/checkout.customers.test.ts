import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { call } from "../../services/contracts.ts";
import { guest, item, newCartId, SHOP_MODES, startShop, user, type Shop } from "./payment.shop.ts";

describe.each(SHOP_MODES)("A customer's checkout (%s)", (mode) => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await startShop({ mode });
  });
  afterAll(() => shop.stop());

  const sessionsOf = async (cartId: string) =>
    (await shop.stripe.checkout.sessions.list({ limit: 100 })).data.filter(({ client_reference_id }) => client_reference_id === cartId);

  it("has a customer made anew that the provider does not have any more", async () => {
    const eve = user(`user_${newCartId()}`);
    const customerId = eve.user!.sub;
    await call(shop.as(eve), "customer.create", { email: `${newCartId()}@example.com`, name: "Eve" });
    const providerId = async () => (await call(shop.broker, "customer.providerId", { userId: customerId })).providerCustomerId!;
    const known = new Set<string>();
    for (const cartId of [newCartId(), undefined]) {
      known.add(await providerId());
      await shop.stripe.customers.del(await providerId());
      const answers = await Promise.all(Array.from({ length: cartId === undefined ? 1 : 5 }, () => shop.checkout({ customerId, ...(cartId === undefined ? {} : { cartId }) }, eve)));
      expect(new Set(answers.map(({ sessionId }) => sessionId)).size).toBe(1);
      expect(known).not.toContain(await providerId());
      expect(await shop.stripe.checkout.sessions.retrieve(answers[0]!.sessionId)).toMatchObject({ customer: await providerId() });
    }
    await shop.stripe.customers.del(await providerId());
    const cartId = newCartId();
    await call(shop.broker, "cart.saveForCheckout", { cartId, items: [item("bns-1")] });
    const { paymentIntentId } = await call(shop.as(eve), "payment.createPaymentIntent", { cartId, amount: 1_000, customerId });
    expect(await shop.stripe.paymentIntents.retrieve(paymentIntentId)).toMatchObject({ customer: await providerId() });
  });

  describe("that a guest began who signs in meanwhile", () => {
    const ada = { ...user("user_ada7"), sessionId: "session-7" };

    it.each([["an unsaved cart", {}], ["a cart of the guest's session", { sessionId: "session-7" }]])("becomes the user's: %s", async (_name, owner) => {
      const cartId = newCartId();
      if ("sessionId" in owner) await call(shop.as(guest("session-7")), "cart.saveForCheckout", { cartId, items: [item("bns-1")], ...owner });
      const asGuest = await shop.checkout({ cartId }, guest("session-7"));
      const answers = await Promise.all(Array.from({ length: 5 }, () => shop.checkout({ cartId, customerId: "user_ada7" }, ada)));
      expect(new Set(answers.map(({ sessionId }) => sessionId)).size).toBe(1);
      const { sessionId } = answers[0]!;
      expect((await sessionsOf(cartId)).map(({ id, status }) => [id, status]).sort()).toEqual([[asGuest.sessionId, "expired"], [sessionId, "open"]].sort());
      await shop.pay({ sessionId });
      await shop.deliver(await shop.event("checkout.session.completed", sessionId));
      expect((await call(shop.broker, "order.findByPayment", { paymentKey: sessionId })).order).toMatchObject({ userId: "user_ada7" });
    });

    it("stays the guest's once it is paid, whether its webhook came or not", async () => {
      const cartId = newCartId();
      const asGuest = await shop.checkout({ cartId });
      await shop.pay(asGuest);
      expect(await shop.checkout({ cartId, customerId: "user_ada7" }, ada)).toMatchObject({ sessionId: asGuest.sessionId });
      await shop.deliver(await shop.event("checkout.session.completed", asGuest.sessionId));
      expect(await shop.checkout({ cartId, customerId: "user_ada7" }, ada)).toMatchObject({ sessionId: asGuest.sessionId, status: "complete" });
      expect(await sessionsOf(cartId)).toHaveLength(1);
    });

    it("is the same again for the user, and goes to no other one", async () => {
      const cartId = newCartId();
      const first = await shop.checkout({ cartId, customerId: "user_ada7" }, ada);
      expect(await shop.checkout({ cartId, customerId: "user_ada7" }, ada)).toEqual(first);
      await expect(shop.checkout({ cartId, customerId: "user_b" }, user("user_b"))).rejects.toMatchObject({ code: "FORBIDDEN" });
      expect(await sessionsOf(cartId)).toMatchObject([{ id: first.sessionId, status: "open" }]);
    });
  });
});
