import { describe, expect, it } from "@jest/globals";
import { createPaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";
import { call, outbox, type Events } from "../../services/contracts.ts";
import { ATTEMPTS, type Attempt } from "../../mixins/payment-provider/attempts.ts";
import { CHECKOUTS, WEBHOOK_EVENTS, type Checkout, type WebhookEvent } from "../../services/payment/collections.ts";
import type { CompleteCommand } from "../../services/payment/event-commands.ts";
import { createErasure } from "../../services/payment/erasure.ts";
import { eventually } from "../support/eventually.ts";
import { guest, item, newCartId, NOBODY, user } from "./payment.shop.ts";
import { useShop } from "./payment.use-shop.ts";

describe("Hosted checkout", () => {
  const shop = useShop();

  const checkouts = () => shop.documents.collection<Checkout>(CHECKOUTS);

  it("opens a session with the items, shipping and metadata, and keeps them before it answers", async () => {
    const cartId = newCartId();
    const session = await shop.checkout({
      cartId,
      items: [item("bns-1", { quantity: 2 }), item("bns-2", { unitPrice: 2.5 })],
      shippingRate: { provider: "ups", serviceType: "ground", cost: 9.99, estimatedDays: 3 },
      shippingAddress: { name: "Ada Lovelace", city: "London" },
      metadata: { campaign: "spring" },
    });
    expect(session).toEqual({
      sessionId: expect.stringMatching(/^cs_/),
      url: expect.stringMatching(/^http/),
      status: "open",
    });

    const there = await shop.stripe.checkout.sessions.retrieve(session.sessionId);
    expect(there).toMatchObject({
      amount_subtotal: 2_250,
      amount_total: 3_249,
      currency: "usd",
      client_reference_id: cartId,
      metadata: { campaign: "spring", partline_cartId: cartId, partline_userId: "guest" },
      success_url: "http://127.0.0.1:3100/checkout/success?session_id={CHECKOUT_SESSION_ID}",
    });
    const lines = await shop.stripe.checkout.sessions.listLineItems(session.sessionId);
    expect(lines.data.map(({ quantity, price }) => [quantity, price?.unit_amount])).toEqual([
      [2, 1_000],
      [1, 250],
    ]);
    expect(there.shipping_options).toHaveLength(1);

    expect(await checkouts().findOne({ _id: session.sessionId })).toMatchObject({
      status: "open",
      purchase: {
        cartId,
        userId: "guest",
        subtotal: 2_250,
        items: [
          { productId: "bns-1", name: "Part bns-1", quantity: 2, price: 1_000 },
          { productId: "bns-2", quantity: 1, price: 250 },
        ],
        shippingRate: { provider: "ups", serviceType: "ground", cost: 999, estimatedDays: 3 },
        shippingAddress: { name: "Ada Lovelace", city: "London" },
        metadata: { campaign: "spring" },
      },
    });
  });

  it("announces once that a checkout was started, however many submit it, and nothing of whose it is", async () => {
    const events: Events["checkout.started"][] = [];
    shop.channels.subscribe("checkout.started", {
      group: `test-${newCartId()}`,
      handler: async ({ payload }) => void events.push(payload as Events["checkout.started"]),
    });
    const cartId = newCartId();
    const shippingRate = { provider: "ups", serviceType: "ground", cost: 9.99, estimatedDays: 3 };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => shop.checkout({ cartId, items: [item("bns-1", { quantity: 2 })], shippingRate })),
    );
    const withoutCart = await shop.checkout();
    const told = () =>
      events.filter(({ sessionId }) => sessionId === answers[0]!.sessionId || sessionId === withoutCart.sessionId);
    await eventually(() => told().length >= 2);
    expect(told()).toHaveLength(2);
    expect(told()).toEqual(
      expect.arrayContaining([
        { sessionId: answers[0]!.sessionId, paymentIntentId: null, cartId, total: 2_999, currency: "usd" },
        { sessionId: withoutCart.sessionId, paymentIntentId: null, cartId: null, total: 1_000, currency: "usd" },
      ]),
    );
  });

  it("opens another session each time without a cartId", async () => {
    const [one, two] = [await shop.checkout(), await shop.checkout()];
    expect(one.sessionId).not.toBe(two.sessionId);
  });

  describe("prices", () => {
    it("leaves nothing behind when it refuses, so that the cart is free", async () => {
      const cartId = newCartId();
      await expect(shop.checkout({ cartId, items: [item("bns-1", { unitPrice: 1 })] })).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
      });
      const session = await shop.checkout({ cartId });
      expect(await shop.sessionsOf(cartId)).toMatchObject([{ id: session.sessionId }]);
    });
  });

  describe("with a cartId", () => {
    it("answers the same session again, with any items and although a price has changed since", async () => {
      const cartId = newCartId();
      const first = await shop.checkout({ cartId });
      expect(await shop.checkout({ cartId })).toEqual(first);
      for (const items of [
        [item("bns-2", { unitPrice: 77 })],
        [item("bns-1", { quantity: 2 })],
        [item("bns-1"), item("bns-2")],
        [item("bns-1", { unitPrice: 11 })],
      ])
        expect(await shop.checkout({ cartId, items })).toEqual({ ...first, itemsDiffer: true });
      expect(await shop.sessionsOf(cartId)).toHaveLength(1);
    });

    it("closes the session of another request where the shopper replaces it, and keeps that of the same", async () => {
      const cartId = newCartId();
      const first = await shop.checkout({ cartId, replace: true });
      expect(await shop.checkout({ cartId, replace: true })).toEqual(first);
      const changes = [{ items: [item("bns-2", { unitPrice: 2.5 })] }, { fulfilment: "pickup" as const }];
      for (const changed of changes) {
        const [last] = await shop.sessionsOf(cartId);
        const next = await shop.checkout({ cartId, replace: true, ...changed });
        expect(await shop.stripe.checkout.sessions.retrieve(last!.id)).toMatchObject({ status: "expired" });
        expect(await shop.checkout({ cartId, replace: true, ...changed })).toEqual(next);
        expect(next).toMatchObject({ status: "open" });
      }
      const [last] = await shop.sessionsOf(cartId);
      await shop.pay({ sessionId: last!.id });
      expect(await shop.checkout({ cartId, replace: true })).toMatchObject({ sessionId: last!.id, status: "complete" });
      expect(await shop.sessionsOf(cartId)).toHaveLength(3);
    });

    it("opens one session for many submissions at the same moment, with different items too", async () => {
      const cartId = newCartId();
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          shop.checkout({ cartId, items: [item("bns-1", { quantity: 1 + (n % 5) })] }),
        ),
      );
      expect(new Set(answers.map(({ sessionId, url }) => `${sessionId} ${url}`)).size).toBe(1);
      expect(await shop.sessionsOf(cartId)).toMatchObject([{ id: answers[0]!.sessionId }]);
    });

    it("leaves one payable session of many requests to replace it at the same moment", async () => {
      const cartId = newCartId();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          shop.checkout({ cartId, replace: true, items: [item("bns-1", { quantity: 1 + (n % 4) })] }),
        ),
      );
      const sessions = await shop.sessionsOf(cartId);
      const [left, ...others] = sessions.filter(({ status }) => status === "open");
      expect(others).toEqual([]);
      expect(answers.map(({ sessionId }) => sessionId)).toContain(left!.id);
      expect(await checkouts().find({ "purchase.cartId": cartId, status: "open" })).toMatchObject([{ _id: left!.id }]);
      expect(new Set(sessions.map(({ amount_subtotal }) => amount_subtotal)).size).toBe(4);
    });

    it("waits for the other node's request when the provider is slow", async () => {
      await shop.fault({ match: "POST /v1/checkout/sessions", delayMs: 1_500, times: 1 });
      const cartId = newCartId();
      const answers = await Promise.all(Array.from({ length: 10 }, () => shop.checkout({ cartId })));
      expect(new Set(answers.map(({ sessionId }) => sessionId)).size).toBe(1);
      expect(await shop.sessionsOf(cartId)).toHaveLength(1);
    });

    it("goes on with an attempt that a crash left behind, and sends its very request", async () => {
      const cartId = newCartId();
      const first = await shop.checkout({ cartId });
      // As if the process had died after the provider's answer and before its own write.
      await shop.documents
        .collection<Attempt>(ATTEMPTS)
        .updateOne({ _id: `checkout:${cartId}` }, { $set: { state: "running" }, $unset: { resultId: true } });
      await checkouts().deleteOne({ _id: first.sessionId });
      expect(await shop.checkout({ cartId, items: [item("bns-2", { unitPrice: 2.5 })] })).toEqual({
        ...first,
        itemsDiffer: true,
      });
      expect(await checkouts().findOne({ _id: first.sessionId })).toMatchObject({ purchase: { subtotal: 1_000 } });
      expect(await shop.sessionsOf(cartId)).toHaveLength(1);
    });

    it("does not wait for others when the provider has too many requests", async () => {
      const cartId = newCartId();
      await shop.fault({ match: "POST /v1/checkout/sessions", status: 429, times: 1 });
      const begun = Date.now();
      await expect(shop.checkout({ cartId })).rejects.toMatchObject({
        code: "PROVIDER_ERROR",
        data: { reason: "busy" },
      });
      expect(Date.now() - begun).toBeLessThan(4_000);
      expect(await shop.sessionsOf(cartId)).toHaveLength(0);
      await shop.checkout({ cartId });
      expect(await shop.sessionsOf(cartId)).toHaveLength(1);
    });

    it("tries the cart again after a failure, and after an answer that was lost", async () => {
      const cartId = newCartId();
      await shop.fault({ match: "POST /v1/checkout/sessions", status: 500, times: 2 });
      await expect(shop.checkout({ cartId })).rejects.toMatchObject({
        code: "PROVIDER_ERROR",
        data: { provider: "payment", reason: "failed" },
      });
      await shop.fault({ match: "POST /v1/checkout/sessions", status: 500, afterWork: true, times: 1 });
      const session = await shop.checkout({ cartId });
      expect(await shop.sessionsOf(cartId)).toMatchObject([{ id: session.sessionId }]);
      expect(await shop.documents.collection<Attempt>(ATTEMPTS).findOne({ _id: `checkout:${cartId}` })).toMatchObject({
        attempt: 2,
        state: "done",
      });
    });

    it("replaces an expired session, whether the provider said so or its time is up", async () => {
      const cartId = newCartId();
      const first = await shop.checkout({ cartId });
      await shop.stripe.checkout.sessions.expire(first.sessionId);
      await shop.deliver(await shop.event("checkout.session.expired", first.sessionId));
      const second = await shop.checkout({ cartId });
      expect(second.sessionId).not.toBe(first.sessionId);

      await shop.stripe.checkout.sessions.expire(second.sessionId);
      await checkouts().updateOne({ _id: second.sessionId }, { $set: { expiresAt: new Date(0) } });
      const third = await shop.checkout({ cartId });
      expect([first.sessionId, second.sessionId]).not.toContain(third.sessionId);
    });

    it("does not replace a session that was paid in its last moment, before its webhook came", async () => {
      const cartId = newCartId();
      const session = await shop.checkout({ cartId });
      await shop.pay(session);
      await checkouts().updateOne({ _id: session.sessionId }, { $set: { expiresAt: new Date(0) } });
      const { orderId, ...again } = await shop.checkout({ cartId });
      expect(again).toMatchObject({ sessionId: session.sessionId, status: "complete" });
      expect(orderId).toBeUndefined();
      expect(await shop.sessionsOf(cartId)).toHaveLength(1);
    });
  });

  describe("whose checkout it is", () => {
    it("wants the token of the customerId's user", async () => {
      await expect(shop.checkout({ customerId: "user_a" })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
      await expect(shop.checkout({ customerId: "user_a" }, user("user_b"))).rejects.toMatchObject({
        code: "FORBIDDEN",
      });
      const { sessionId } = await shop.checkout({ customerId: "user_a" }, user("user_a"));
      expect(await checkouts().findOne({ _id: sessionId })).toMatchObject({ purchase: { userId: "user_a" } });
    });

    it("holds a saved cart's owner rule, and an unsaved cart's customer's", async () => {
      const cartId = newCartId();
      await call(shop.as(user("user_a")), "cart.saveForCheckout", { cartId, userId: "user_a", items: [item("bns-1")] });
      await expect(shop.checkout({ cartId })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
      await expect(shop.checkout({ cartId }, user("user_b"))).rejects.toMatchObject({ code: "FORBIDDEN" });
      await shop.checkout({ cartId }, user("user_a"));

      const session = newCartId();
      await call(shop.as(guest("session-1")), "cart.saveForCheckout", {
        cartId: session,
        sessionId: "session-1",
        items: [item("bns-1")],
      });
      await expect(shop.checkout({ cartId: session }, guest("session-2"))).rejects.toMatchObject({ code: "FORBIDDEN" });
      await shop.checkout({ cartId: session }, guest("session-1"));

      const unsaved = newCartId();
      await shop.checkout({ cartId: unsaved, customerId: "user_a" }, user("user_a"));
      await expect(shop.checkout({ cartId: unsaved }, NOBODY)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
      await expect(shop.checkout({ cartId: unsaved }, user("user_b"))).rejects.toMatchObject({ code: "FORBIDDEN" });
    });
  });

  it("exports a user's checkouts, also of their cart where no customer is named", async () => {
    const userId = "user_exported";
    const cartId = newCartId();
    await call(shop.as(user(userId)), "cart.saveForCheckout", { cartId, items: [item("bns-1")], userId });
    const shippingAddress = { name: "Grace Hopper" };
    const { sessionId } = await shop.checkout({ cartId, shippingAddress }, user(userId));
    const named = await shop.checkout({ customerId: userId, shippingAddress }, user(userId));
    const { checkouts: held, next } = await call(shop.broker, "payment.ofUser", { userId });
    const expected = [sessionId, named.sessionId]
      .sort()
      .map((checkoutId) => ({ checkoutId, personal: { shippingAddress } }));
    expect([held, next]).toMatchObject([expected, null]);
  });

  it("erases what is personal of a deleted user", async () => {
    const cartId = newCartId();
    const { sessionId } = await shop.checkout(
      { cartId, customerId: "user_gone", shippingAddress: { name: "Grace Hopper" }, metadata: { note: "for Grace" } },
      user("user_gone"),
    );
    const command = { kind: "complete", paymentKey: sessionId, person: { contact: { name: "Grace Hopper" } } };
    const later = new Date(Date.now() + 3_600_000);
    const unfinished = {
      _id: `evt_${sessionId}`,
      type: "t",
      state: "pending",
      receivedAt: new Date(),
    } as const;
    const events = shop.documents.collection<WebhookEvent>(WEBHOOK_EVENTS);
    await events.insertOne({ ...unfinished, command: command as CompleteCommand, purgeAt: later });
    await shop.documents.atomically([outbox("user.deleted", { userId: "user_gone" })]);
    shop.channels.wake();
    const left = await eventually(async () => {
      const checkout = await checkouts().findOne({ _id: sessionId });
      return checkout && checkout.purchase.shippingAddress === undefined ? checkout : undefined;
    });
    expect(left.purchase.metadata).toBeUndefined();
    expect(JSON.stringify(await events.findOne({ _id: unfinished._id }))).not.toMatch(/Grace/);
    expect(await shop.documents.collection<Attempt>(ATTEMPTS).findOne({ _id: `checkout:${cartId}` })).toMatchObject({
      state: "over",
      request: null,
    });
    // The provider keeps what it answered to the key of the first.
    await expect(shop.checkout({ cartId, customerId: "user_gone" }, user("user_gone"))).resolves.toMatchObject({
      sessionId: expect.not.stringMatching(sessionId),
    });
  });

  it.each(["a session", "an intent"])(
    "leaves nothing of a user who is deleted while %s is opened, and the cart free",
    async (what) => {
      const cartId = newCartId();
      const caller = user(`user_gone_${cartId}`);
      const customerId = caller.user!.sub;
      await call(shop.broker, "cart.saveForCheckout", { cartId, items: [item("bns-1")] });
      const open = () =>
        what === "a session"
          ? shop.checkout({ cartId, customerId, shippingAddress: { name: "Grace Hopper" } }, caller)
          : call(shop.as(caller), "payment.createPaymentIntent", { cartId, amount: 1_000, customerId });
      const attempts = shop.documents.collection<Attempt>(ATTEMPTS);
      await shop.fault({
        match: what === "a session" ? "POST /v1/checkout/sessions" : "POST /v1/payment_intents",
        delayMs: 1_500,
        times: 1,
      });
      const opened = open();
      await eventually(async () => (await attempts.findOne({ userId: customerId }))?.state === "running");
      const provider = createPaymentProvider(shop.settings.payment);
      const { documents, tasks, settings } = shop;
      await createErasure({ documents, provider, shop: settings.storeUrl }, tasks).eraseUser(customerId);
      await expect(opened).resolves.toBeDefined();
      const again = await open();
      expect(await opened).toEqual(again);
      const payable = (await shop.sessionsOf(cartId)).filter(({ status }) => status === "open").map(({ id }) => id);
      expect(payable).toEqual("sessionId" in again ? [again.sessionId] : []);
    },
  );

  it("leaves the guests' own when somebody of that name is deleted", async () => {
    const { sessionId } = await shop.checkout({ shippingAddress: { name: "Grace Hopper" } });
    const mark = await shop.checkout({ customerId: "user_mark", shippingAddress: { name: "Mark" } }, user("user_mark"));
    await shop.documents.atomically([
      outbox("user.deleted", { userId: "guest" }),
      outbox("user.deleted", { userId: "user_mark" }),
    ]);
    shop.channels.wake();
    await eventually(
      async () => (await checkouts().findOne({ _id: mark.sessionId }))!.purchase.shippingAddress === undefined,
    );
    expect((await checkouts().findOne({ _id: sessionId }))!.purchase.shippingAddress).toEqual({ name: "Grace Hopper" });
  });

  it("refuses a total that the provider cannot take", async () => {
    shop.prices["bns-cheap"] = 49;
    await expect(shop.checkout({ items: [item("bns-cheap", { unitPrice: 0.49 })] })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
  });
});
