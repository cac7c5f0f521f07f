import { describe, expect, it } from "@jest/globals";
import { paymentIntentOf, useWebhookShop } from "./webhook.support.ts";

describe("Webhooks of what happens to a payment", () => {
  const given = useWebhookShop();
  const { ordersOf, orderOf, eventOf, paidSession, expectCompletedOnce } = given;

  describe("delayed payment methods", () => {
    it("makes a pending order, which the money's arrival pays", async () => {
      const { sessionId, completed } = await paidSession("delayed");
      await given.shop.deliver(completed);
      expect(await orderOf(sessionId)).toMatchObject({ status: "pending", paymentStatus: "pending" });
      await given.shop.control(`/checkout/sessions/${sessionId}/settle`, { outcome: "succeeded" });
      await given.shop.deliver(await given.shop.event("checkout.session.async_payment_succeeded", sessionId));
      expect(await orderOf(sessionId)).toMatchObject({ paymentStatus: "paid" });
      await expectCompletedOnce(sessionId);
    });

    it.each([
      ["succeeded", "paid"],
      ["failed", "failed"],
    ])("gets to the same end when %s comes first", async (outcome, paymentStatus) => {
      const { sessionId, completed } = await paidSession("delayed");
      await given.shop.control(`/checkout/sessions/${sessionId}/settle`, { outcome });
      const settled = await given.shop.event(`checkout.session.async_payment_${outcome}`, sessionId);
      await Promise.all([given.shop.deliver(settled), given.shop.deliver(completed)]);
      await given.shop.deliver(given.shop.asAnotherEvent(completed));
      expect(await orderOf(sessionId)).toMatchObject({ paymentStatus });
      await expectCompletedOnce(sessionId);
    });

    it("is not failed by a card that was declined before, and reported late", async () => {
      const session = await given.shop.checkout({ cartId: given.cartId });
      await given.shop.pay(session, "declined");
      const declined = await given.shop.event("payment_intent.payment_failed");
      await given.shop.pay(session, "delayed");
      await given.shop.deliver(await given.shop.event("checkout.session.completed", session.sessionId));
      expect(await given.shop.deliver(declined)).toEqual({ received: true });
      expect(await orderOf(session.sessionId)).toMatchObject({ paymentStatus: "pending" });
    });

    it("is failed by the intent whose money did not come, if only that is reported", async () => {
      const { sessionId, completed } = await paidSession("delayed");
      await given.shop.deliver(completed);
      await given.shop.control(`/checkout/sessions/${sessionId}/settle`, { outcome: "failed" });
      await given.shop.deliver(await given.shop.event("payment_intent.payment_failed"));
      expect(await orderOf(sessionId)).toMatchObject({ paymentStatus: "failed" });
    });

    it("frees the cart when the money does not come", async () => {
      const { sessionId, completed } = await paidSession("delayed");
      await given.shop.deliver(completed);
      expect(await given.shop.checkout({ cartId: given.cartId })).toMatchObject({ sessionId });
      await given.shop.control(`/checkout/sessions/${sessionId}/settle`, { outcome: "failed" });
      await given.shop.deliver(await given.shop.event("checkout.session.async_payment_failed", sessionId));
      expect((await given.shop.checkout({ cartId: given.cartId })).sessionId).not.toBe(sessionId);
    });
  });

  describe("what happens to a payment later", () => {
    it("marks the order refunded, by the provider's cumulative figure", async () => {
      const { sessionId, completed } = await paidSession();
      await given.shop.deliver(completed);
      const payment_intent = paymentIntentOf(completed);
      await given.shop.stripe.refunds.create({ payment_intent, amount: 1_000 });
      const first = await given.shop.event("charge.refunded");
      await given.shop.deliver(first);
      expect(await orderOf(sessionId)).toMatchObject({ paymentStatus: "partially_refunded" });
      await given.shop.stripe.refunds.create({ payment_intent });
      await given.shop.deliver(await given.shop.event("charge.refunded"));
      await given.shop.deliver(given.shop.asAnotherEvent(first));
      expect(await orderOf(sessionId)).toMatchObject({ paymentStatus: "refunded" });
    });

    it("keeps what comes before the order, and applies it to the order", async () => {
      const { sessionId, completed } = await paidSession();
      const payment_intent = paymentIntentOf(completed);
      await given.shop.stripe.refunds.create({ payment_intent, amount: 700 });
      await given.shop.control("/disputes", { payment_intent });
      const early = [await given.shop.event("charge.refunded"), await given.shop.event("charge.dispute.created")];
      for (const event of early) expect(await given.shop.deliver(event)).toEqual({ received: true });
      expect(await eventOf(early[0]!)).toMatchObject({ state: "waiting" });

      await given.shop.deliver(completed);
      expect(await orderOf(sessionId)).toMatchObject({ paymentStatus: "partially_refunded" });
      expect((await ordersOf(sessionId))[0]).toMatchObject({ disputes: [{ status: expect.any(String) }] });
      for (const event of early) expect(await eventOf(event)).toMatchObject({ state: "done" });
    });

    it("lets a declined card be followed by another one", async () => {
      const session = await given.shop.checkout({ cartId: given.cartId });
      await given.shop.pay(session, "declined");
      await given.shop.deliver(await given.shop.event("payment_intent.payment_failed"));
      expect(await orderOf(session.sessionId)).toBeNull();
      await given.shop.pay(session);
      await given.shop.deliver(await given.shop.event("checkout.session.completed", session.sessionId));
      await given.shop.deliver(given.shop.asAnotherEvent(await given.shop.event("payment_intent.payment_failed")));
      expect(await orderOf(session.sessionId)).toMatchObject({ paymentStatus: "paid" });
    });
  });
});
