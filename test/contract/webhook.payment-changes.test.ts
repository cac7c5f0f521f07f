import { describe, expect, it } from "@jest/globals";
import { paymentIntentOf, useWebhookShop } from "./webhook.support.ts";

describe("Webhooks of what happens to a payment", () => {
  const given = useWebhookShop();
  const { shop, ordersOf, orderOf, eventOf, paidSession, expectCompletedOnce } = given;

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

    it.each([
      ["succeeded", "paid"],
      ["failed", "failed"],
    ])("gets to the same end when %s comes first", async (outcome, paymentStatus) => {
      const { sessionId, completed } = await paidSession("delayed");
      await shop.control(`/checkout/sessions/${sessionId}/settle`, { outcome });
      const settled = await shop.event(`checkout.session.async_payment_${outcome}`, sessionId);
      await Promise.all([shop.deliver(settled), shop.deliver(completed)]);
      await shop.deliver(shop.asAnotherEvent(completed));
      expect(await orderOf(sessionId)).toMatchObject({ paymentStatus });
      await expectCompletedOnce(sessionId);
    });

    it("is not failed by a card that was declined before, and reported late", async () => {
      const session = await shop.checkout({ cartId: given.cartId });
      await shop.pay(session, "declined");
      const declined = await shop.event("payment_intent.payment_failed");
      await shop.pay(session, "delayed");
      await shop.deliver(await shop.event("checkout.session.completed", session.sessionId));
      expect(await shop.deliver(declined)).toEqual({ received: true });
      expect(await orderOf(session.sessionId)).toMatchObject({ paymentStatus: "pending" });
    });

    it("is failed by the intent whose money did not come, if only that is reported", async () => {
      const { sessionId, completed } = await paidSession("delayed");
      await shop.deliver(completed);
      await shop.control(`/checkout/sessions/${sessionId}/settle`, { outcome: "failed" });
      await shop.deliver(await shop.event("payment_intent.payment_failed"));
      expect(await orderOf(sessionId)).toMatchObject({ paymentStatus: "failed" });
    });

    it("frees the cart when the money does not come", async () => {
      const { sessionId, completed } = await paidSession("delayed");
      await shop.deliver(completed);
      expect(await shop.checkout({ cartId: given.cartId })).toMatchObject({ sessionId });
      await shop.control(`/checkout/sessions/${sessionId}/settle`, { outcome: "failed" });
      await shop.deliver(await shop.event("checkout.session.async_payment_failed", sessionId));
      expect((await shop.checkout({ cartId: given.cartId })).sessionId).not.toBe(sessionId);
    });
  });

  describe("what happens to a payment later", () => {
    it("marks the order refunded, by the provider's cumulative figure", async () => {
      const { sessionId, completed } = await paidSession();
      await shop.deliver(completed);
      const payment_intent = paymentIntentOf(completed);
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
      const payment_intent = paymentIntentOf(completed);
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
      const session = await shop.checkout({ cartId: given.cartId });
      await shop.pay(session, "declined");
      await shop.deliver(await shop.event("payment_intent.payment_failed"));
      expect(await orderOf(session.sessionId)).toBeNull();
      await shop.pay(session);
      await shop.deliver(await shop.event("checkout.session.completed", session.sessionId));
      await shop.deliver(shop.asAnotherEvent(await shop.event("payment_intent.payment_failed")));
      expect(await orderOf(session.sessionId)).toMatchObject({ paymentStatus: "paid" });
    });
  });
});
