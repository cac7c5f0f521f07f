import { describe, expect, it } from "@jest/globals";
import { TASKS, type TaskDocument } from "@partline/durable";
import { call } from "../../services/contracts.ts";
import { ATTEMPTS } from "../../mixins/payment-provider/attempts.ts";
import { CHECKOUTS, WEBHOOK_EVENTS, type Checkout } from "../../services/payment/collections.ts";
import { testSettings } from "../support/test-settings.ts";
import { item, newCartId, user } from "./payment.shop.ts";
import { useShop } from "./payment.use-shop.ts";

interface Paid {
  intent: string;
  orderId: string;
}

describe("Payments whose webhook never came", () => {
  const shop = useShop();

  const reconcile = (period: { since?: Date; until?: Date } = {}) => call(shop.broker, "payment.reconcile", period);
  const orderOf = async (paymentKey: string) => (await call(shop.broker, "order.findByPayment", { paymentKey })).order;

  async function paidIntent(cartId = newCartId()): Promise<string> {
    await call(shop.broker, "cart.saveForCheckout", { cartId, items: [item("bns-1", { quantity: 2 })] });
    const { paymentIntentId } = await call(shop.broker, "payment.createPaymentIntent", { cartId, amount: 2_500 });
    await shop.confirm(paymentIntentId);
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

  it("become the orders of sessions, once, and those that cannot are reported", async () => {
    const [known, lost, broken] = [await shop.checkout(), await shop.checkout(), await shop.checkout()];
    for (const session of [known, lost, broken]) await shop.pay(session);
    await shop.deliver(await shop.event("checkout.session.completed", known.sessionId));
    await shop.documents.collection(CHECKOUTS).deleteOne({ _id: broken.sessionId });
    await shop.fault({ match: `GET /v1/checkout/sessions/${broken.sessionId}`, status: 400 });
    const reports = await Promise.all([1, 2, 3].map(() => reconcile()));
    expect(reports.flatMap(({ failed }) => failed)).toContain(broken.sessionId);
    await shop.noFaults();
    await reconcile();
    expect(await reconcile()).toMatchObject({ created: [], failed: [] });
    for (const { sessionId } of [known, lost, broken]) {
      expect((await shop.orders()).filter(({ paymentKey }) => paymentKey === sessionId)).toHaveLength(1);
      expect((await shop.payments()).filter(({ _id }) => _id === sessionId)).toHaveLength(1);
    }
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

  it("leave an order to its delayed payment, before which a card was declined", async () => {
    const session = await shop.checkout({ cartId: newCartId() });
    await shop.pay(session, "declined");
    await shop.control("/clock", { advanceSeconds: 1 });
    await shop.pay(session, "delayed");
    expect(await reconcile()).toMatchObject({ created: [(await orderOf(session.sessionId))!.orderId], failed: [] });
    expect(await orderOf(session.sessionId)).toMatchObject({ paymentStatus: "pending" });
  });

  it("are left to their webhooks while these may be on their way", async () => {
    const session = await shop.checkout({ cartId: newCartId() });
    await shop.pay(session);
    const intent = await paidIntent();
    const [since, until] = [new Date(Date.now() - 3_600_000), new Date(Date.now() - 120_000)];
    expect(await reconcile({ since, until })).toMatchObject({ created: [], failed: [] });
    expect([await orderOf(intent), await orderOf(session.sessionId)]).toEqual([null, null]);
    expect((await reconcile()).created).toHaveLength(2);
  });

  it("become the order of an intent whose record went with a restored store, by its webhook too", async () => {
    const [reconciled, delivered] = [await paidIntent(), await paidIntent()];
    for (const _id of [reconciled, delivered]) await shop.documents.collection(CHECKOUTS).deleteOne({ _id });
    await shop.deliver(await shop.event("payment_intent.succeeded", delivered));
    expect(await reconcile()).toMatchObject({ created: [(await orderOf(reconciled))!.orderId], failed: [] });
    for (const paymentIntentId of [reconciled, delivered]) {
      expect((await shop.orders()).filter((one) => one.paymentIntentId === paymentIntentId)).toMatchObject([
        {
          userId: "guest",
          items: [{ productId: "bns-1", partNumber: "BNS-1", name: "Part bns-1", quantity: 2, price: 1_000 }],
          subtotal: 2_000,
          shipping: 500,
          total: 2_500,
        },
      ]);
    }
  });

  it("stay the only ones of their carts where the store was restored", async () => {
    const [byIntent, bySession] = [newCartId(), newCartId()];
    const intent = await paidIntent(byIntent);
    const { sessionId } = await shop.checkout({ cartId: bySession });
    await shop.pay({ sessionId });
    for (const _id of [intent, sessionId]) await shop.documents.collection(CHECKOUTS).deleteOne({ _id });
    await shop.documents.collection(ATTEMPTS).deleteMany({});
    expect((await reconcile()).created).toHaveLength(2);

    await expect(shop.checkout({ cartId: byIntent })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      data: [{ field: "cartId" }],
    });
    expect(await shop.checkout({ cartId: bySession })).toMatchObject({
      sessionId,
      status: "complete",
      orderId: (await orderOf(sessionId))!.orderId,
    });
  });

  it("are kept as what they are of: an unpaid checkout for five days, after which a late event still makes its order", async () => {
    const DAY_MS = 24 * 60 * 60 * 1_000;
    const cartId = newCartId();
    const { sessionId } = await shop.checkout({ cartId, items: [item("bns-1", { quantity: 2 })] });
    const intent = await paidIntent();
    const kept = [
      [CHECKOUTS, sessionId],
      [CHECKOUTS, intent],
      [ATTEMPTS, `checkout:${cartId}`],
    ] as const;
    const daysLeft = async ([collection, _id]: (typeof kept)[number]) => {
      const found = await shop.documents.collection<Checkout>(collection).findOne({ _id });
      return Math.round((found!.purgeAt.getTime() - Date.now()) / DAY_MS);
    };
    expect(await Promise.all(kept.map(daysLeft))).toEqual([5, 5, 5]);
    await shop.pay({ sessionId });
    for (const [collection, _id] of kept)
      await shop.documents.collection(collection).updateOne({ _id }, { $set: { purgeAt: new Date(0) } });
    await shop.deliver(await shop.event("checkout.session.completed", sessionId));
    await shop.deliver(await shop.event("payment_intent.succeeded", intent));
    const orders = await Promise.all([sessionId, intent].map(orderOf));
    expect(orders).toMatchObject([{ paymentStatus: "paid" }, { paymentStatus: "paid" }]);
    expect(await Promise.all([kept[0], kept[1]].map(daysLeft))).toEqual([180, 180]);
    expect(await shop.checkout({ cartId })).toMatchObject({ sessionId, status: "complete" });
  });

  it("go on with the order that is there, where nobody knows what was bought", async () => {
    const intent = await paidIntent();
    await shop.deliver(await shop.event("payment_intent.succeeded", intent));
    const order = await orderOf(intent);
    const { metadata } = await shop.stripe.paymentIntents.retrieve(intent);
    const lines = Object.keys(metadata).filter((key) => key.startsWith("partline_items_"));
    await shop.stripe.paymentIntents.update(intent, { metadata: Object.fromEntries(lines.map((key) => [key, ""])) });
    await shop.documents.collection(CHECKOUTS).deleteOne({ _id: intent });
    await shop.documents.collection(WEBHOOK_EVENTS).deleteMany({});

    expect(await reconcile()).toMatchObject({ created: [], failed: [] });
    expect(await orderOf(intent)).toEqual(order);
    expect((await shop.payments()).filter(({ paymentIntentId }) => paymentIntentId === intent)).toMatchObject([
      { _id: intent, orderId: order!.orderId },
    ]);
  });

  it.each([
    ["is paid back", (id: string) => shop.stripe.refunds.create({ payment_intent: id })],
    [
      "was lost in a dispute",
      async (id: string) => {
        await shop.stripe.refunds.create({ payment_intent: id, amount: 400 });
        expect((await reconcile()).failed).toHaveLength(1);
        const { id: dispute } = await shop.control("/disputes", { payment_intent: id });
        expect((await reconcile()).failed).toHaveLength(1);
        await shop.control(`/disputes/${String(dispute)}/close`, { status: "lost" });
      },
    ],
  ])(
    "are logged until their money %s, if nobody knows what an intent bought",
    async (_end, end: (id: string) => Promise<unknown>) => {
      const metadata = { shop: testSettings().storeUrl, userId: "guest", cartId: newCartId() };
      const { id } = await shop.paidIntent(900, metadata);
      const succeeded = await shop.event("payment_intent.succeeded", id);
      // Sent again it could not be made either.
      expect(await shop.deliver(succeeded)).toEqual({ received: true });
      for (let run = 0; run < 2; run++) expect((await reconcile()).failed).toEqual([succeeded.id]);
      const stored = (await shop.webhookEvents()).find((event) => event._id === succeeded.id)!;
      expect(stored.state).toBe("pending");
      // Its task logs it, and a line a day is enough.
      const task = await shop.documents.collection<TaskDocument>(TASKS).findOne({ key: succeeded.id });
      expect(task!.dueAt.getTime() - Date.now()).toBeGreaterThan(23 * 3_600_000);
      await end(id);
      expect((await reconcile()).failed).toEqual([]);
      expect((await shop.webhookEvents()).find((event) => event._id === succeeded.id)).toMatchObject({
        state: "dropped",
      });
    },
  );

  it("give their orders the refunds and disputes whose webhook was lost", async () => {
    const [refunded, disputed, cancelled] = (await Promise.all(
      ["refunded", "disputed", "cancelled"].map(async () => {
        const intent = await paidIntent();
        await shop.deliver(await shop.event("payment_intent.succeeded", intent));
        return { intent, orderId: (await orderOf(intent))!.orderId };
      }),
    )) as [Paid, Paid, Paid];
    const read = ({ orderId }: Paid) => call(shop.as(user("user_boss", true)), "order.adminGet", { orderId });

    await shop.stripe.refunds.create({ payment_intent: refunded.intent });
    await shop.control("/disputes", { payment_intent: disputed.intent, reason: "fraudulent" });
    await call(shop.as(user("user_boss", true)), "order.cancel", { orderId: cancelled.orderId });
    const {
      refunds: [refund],
    } = await read(cancelled);
    await shop.control(`/refunds/${refund!.providerRefundId}/fail`, { reason: "expired_or_canceled_card" });
    expect(await reconcile()).toMatchObject({ created: [], failed: [] });

    expect(await read(refunded)).toMatchObject({ paymentStatus: "refunded", refundedAmount: 25 });
    expect(await read(disputed)).toMatchObject({ disputes: [{ status: "needs_response" }] });
    expect(await read(cancelled)).toMatchObject({ status: "cancelled", refundDue: 25 });
    const versions = async () =>
      Promise.all([refunded, disputed, cancelled].map(async (paid) => (await read(paid)).version));
    const before = await versions();
    await reconcile();
    expect(await versions()).toEqual(before);
  });

  it("are listed and logged where no checkout opened the session, and left to the shop that did", async () => {
    const open = async (metadata: Record<string, string>) => {
      const { id } = await shop.stripe.checkout.sessions.create({
        mode: "payment",
        success_url: "http://shop.test/",
        metadata,
        line_items: [{ quantity: 1, price_data: { currency: "usd", unit_amount: 900, product_data: { name: "Mug" } } }],
      });
      await shop.pay({ sessionId: id });
      return id;
    };
    const [link, others, users] = [
      await open({}),
      await open({ partline_userId: "guest", partline_shop: "https://other.example" }),
      await open({ userId: "user_ada" }),
    ] as const;
    const { created, unclaimed, failed } = await reconcile();
    expect([created, failed]).toEqual([[], []]);
    expect(unclaimed).toEqual(expect.arrayContaining([link, users]));
    expect(unclaimed).not.toContain(others);
    await reconcile();
    const logged = (id: string) => shop.warnings.filter((line) => line.includes(id)).length;
    expect([logged(others), Math.min(logged(link), 1), Math.min(logged(users), 1)]).toEqual([0, 1, 1]);
    for (const id of [link, others, users]) expect(await orderOf(id)).toBeNull();
  });

  it("leave alone what was paid for something else", async () => {
    const { id } = await shop.paidIntent(500);
    expect(await reconcile()).toMatchObject({ created: [], failed: [] });
    expect(await orderOf(id)).toBeNull();
  });
});
