import { describe, expect, it } from "@jest/globals";
import { call } from "../../services/contracts.ts";
import { pageForms, submit } from "./payment-sandbox.support.ts";
import { item, startShop } from "./payment.shop.ts";
import { useStarted } from "../support/use-started.ts";

describe("Promotion codes of the store", () => {
  const shop = useStarted(() => startShop({ env: { STRIPE_PROMOTION_CODES: "on" } }));

  it("stand in the order, and items are refunded at what was paid for them", async () => {
    const session = await shop.checkout({ items: [item("bns-1", { quantity: 2 })] });
    const [form] = await pageForms(await shop.stripe.checkout.sessions.retrieve(session.sessionId));
    await submit(form!, { promotion_code: "SAVE10", shown_total: "1800" });
    await shop.deliver(await shop.event("checkout.session.completed", session.sessionId));
    const admin = shop.as({ admin: true });
    const { orderId } = (await call(shop.broker, "order.findByPayment", { paymentKey: session.sessionId })).order!;
    expect(await call(admin, "order.adminGet", { orderId })).toMatchObject({
      subtotal: 20,
      tax: 0,
      shipping: 0,
      discount: 2,
      total: 18,
    });
    for (const refundedAmount of [9, 18]) {
      expect(
        await call(admin, "order.adminRefund", { orderId, items: [{ productId: "bns-1", quantity: 1 }] }),
      ).toMatchObject({ refundedAmount, refund: { amount: 9 } });
    }
  });
});
