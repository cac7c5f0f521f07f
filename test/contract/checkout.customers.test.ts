import { describe, expect, it } from "@jest/globals";
import { call } from "../../services/contracts.ts";
import { CHECKOUTS, type Checkout } from "../../services/payment/collections.ts";
import { guest, item, newCartId, user } from "./payment.shop.ts";
import { useShop } from "./payment.use-shop.ts";

describe("A customer's checkout", () => {
  const shop = useShop();

  const userOf = async (paymentKey: string) =>
    (await shop.documents.collection<Checkout>(CHECKOUTS).findOne({ _id: paymentKey }))?.purchase.userId;

  it("creates a customer again that the provider no longer has", async () => {
    const eve = user(`user_${newCartId()}`);
    const customerId = eve.user!.sub;
    await call(shop.as(eve), "customer.create", { email: `${newCartId()}@example.com`, name: "Eve" });
    const providerId = async () =>
      (await call(shop.broker, "customer.providerId", { userId: customerId })).providerCustomerId!;
    const known = new Set<string>();
    for (const cartId of [newCartId(), undefined]) {
      known.add(await providerId());
      await shop.stripe.customers.del(await providerId());
      const answers = await Promise.all(
        Array.from({ length: cartId === undefined ? 1 : 5 }, () =>
          shop.checkout({ customerId, ...(cartId === undefined ? {} : { cartId }) }, eve),
        ),
      );
      expect(new Set(answers.map(({ sessionId }) => sessionId)).size).toBe(1);
      expect(known).not.toContain(await providerId());
      expect(await shop.stripe.checkout.sessions.retrieve(answers[0]!.sessionId)).toMatchObject({
        customer: await providerId(),
      });
    }
    await shop.stripe.customers.del(await providerId());
    const cartId = newCartId();
    await call(shop.broker, "cart.saveForCheckout", { cartId, items: [item("bns-1")] });
    const { paymentIntentId } = await call(shop.as(eve), "payment.createPaymentIntent", {
      cartId,
      amount: 1_000,
      customerId,
    });
    expect(await shop.stripe.paymentIntents.retrieve(paymentIntentId)).toMatchObject({ customer: await providerId() });
  });

  it("goes to nobody else who submits the cart at the same moment", async () => {
    const [ada, bob] = [user("user_ada3"), user("user_bob3")];
    const owners = async (cartId: string) => {
      const mine = [
        shop.checkout({ cartId, customerId: "user_ada3" }, ada),
        shop.checkout({ cartId, customerId: "user_bob3" }, bob),
      ];
      return Promise.all(
        mine.map((answer) =>
          answer.then(
            ({ sessionId }) => userOf(sessionId),
            (error: { code: string }) => error.code,
          ),
        ),
      );
    };
    for (let round = 0; round < 5; round++)
      expect([
        ["user_ada3", "FORBIDDEN"],
        ["FORBIDDEN", "user_bob3"],
      ]).toContainEqual(await owners(newCartId()));
  });

  describe("that another user of the browser session left", () => {
    const session = { sessionId: "session-shared" };
    const [ada, bob] = [
      { ...user("user_ada6"), ...session },
      { ...user("user_bob6"), ...session },
    ];
    const savedCart = async () => {
      const cartId = newCartId();
      await call(shop.as(guest(session.sessionId)), "cart.saveForCheckout", {
        cartId,
        items: [item("bns-1")],
        ...session,
      });
      return cartId;
    };

    it("is replaced by the user's own, and the order is the user's", async () => {
      const cartId = await savedCart();
      const hers = await shop.checkout({ cartId, customerId: "user_ada6" }, ada);
      const his = await shop.checkout({ cartId, customerId: "user_bob6" }, bob);
      expect(await shop.checkout({ cartId, customerId: "user_bob6" }, bob)).toEqual(his);
      expect(await shop.stripe.checkout.sessions.retrieve(hers.sessionId)).toMatchObject({ status: "expired" });
      await shop.pay(his);
      await shop.deliver(await shop.event("checkout.session.completed", his.sessionId));
      expect((await call(shop.broker, "order.findByPayment", { paymentKey: his.sessionId })).order).toMatchObject({
        userId: "user_bob6",
      });
    });

    it("is replaced by an intent of the user's own too; one that is paid is not shown", async () => {
      const cartId = await savedCart();
      const create = (customerId: string, caller = ada) =>
        call(shop.as(caller), "payment.createPaymentIntent", { cartId, amount: 1_000, customerId });
      const hers = await create("user_ada6");
      const his = await create("user_bob6", bob);
      expect(await shop.stripe.paymentIntents.retrieve(hers.paymentIntentId)).toMatchObject({ status: "canceled" });
      expect(await userOf(his.paymentIntentId)).toBe("user_bob6");
      await shop.confirm(his.paymentIntentId);
      await expect(create("user_ada6")).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
        data: [{ field: "cartId" }],
      });
    });

    it("without that session's id is refused", async () => {
      const cartId = await savedCart();
      await shop.checkout({ cartId, customerId: "user_ada6" }, ada);
      await expect(shop.checkout({ cartId, customerId: "user_bob6" }, user("user_bob6"))).rejects.toMatchObject({
        code: "FORBIDDEN",
      });
    });
  });

  describe("that a guest began who signs in meanwhile", () => {
    const ada = { ...user("user_ada7"), sessionId: "session-7" };

    it.each([
      ["an unsaved cart", {}],
      ["a cart of the guest's session", { sessionId: "session-7" }],
    ])("becomes the user's: %s", async (_name, owner) => {
      const cartId = newCartId();
      if ("sessionId" in owner)
        await call(shop.as(guest("session-7")), "cart.saveForCheckout", { cartId, items: [item("bns-1")], ...owner });
      const asGuest = await shop.checkout({ cartId }, guest("session-7"));
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => shop.checkout({ cartId, customerId: "user_ada7" }, ada)),
      );
      expect(new Set(answers.map(({ sessionId }) => sessionId)).size).toBe(1);
      const { sessionId } = answers[0]!;
      expect((await shop.sessionsOf(cartId)).map(({ id, status }) => [id, status]).sort()).toEqual(
        [
          [asGuest.sessionId, "expired"],
          [sessionId, "open"],
        ].sort(),
      );
      await shop.pay({ sessionId });
      await shop.deliver(await shop.event("checkout.session.completed", sessionId));
      expect((await call(shop.broker, "order.findByPayment", { paymentKey: sessionId })).order).toMatchObject({
        userId: "user_ada7",
      });
    });

    it("stays the guest's once it is paid, whether its webhook came or not", async () => {
      const cartId = newCartId();
      const asGuest = await shop.checkout({ cartId });
      await shop.pay(asGuest);
      expect(await shop.checkout({ cartId, customerId: "user_ada7" }, ada)).toMatchObject({
        sessionId: asGuest.sessionId,
        status: "complete",
      });
      await shop.deliver(await shop.event("checkout.session.completed", asGuest.sessionId));
      expect(await shop.checkout({ cartId, customerId: "user_ada7" }, ada)).toMatchObject({
        sessionId: asGuest.sessionId,
        status: "complete",
      });
      expect(await shop.sessionsOf(cartId)).toHaveLength(1);
    });

    it("is the same again for the user, and goes to no other one", async () => {
      const cartId = newCartId();
      const first = await shop.checkout({ cartId, customerId: "user_ada7" }, ada);
      expect(await shop.checkout({ cartId, customerId: "user_ada7" }, ada)).toEqual(first);
      await expect(shop.checkout({ cartId, customerId: "user_b" }, user("user_b"))).rejects.toMatchObject({
        code: "FORBIDDEN",
      });
      expect(await shop.sessionsOf(cartId)).toMatchObject([{ id: first.sessionId, status: "open" }]);
    });
  });
});
