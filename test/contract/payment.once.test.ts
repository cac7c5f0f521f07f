import { describe, expect, it } from "@jest/globals";
import { call } from "../../services/contracts.ts";
import { CHECKOUTS, type Checkout } from "../../services/payment/collections.ts";
import { eventually } from "../support/eventually.ts";
import { item, newCartId } from "./payment.shop.ts";
import { useShop } from "./payment.use-shop.ts";

describe("A cart that is paid", () => {
  const shop = useShop();

  async function savedCart(cartId = newCartId()): Promise<string> {
    await call(shop.broker, "cart.saveForCheckout", { cartId, items: [item("bns-1", { quantity: 2 })] });
    return cartId;
  }
  const intentOf = async (cartId: string, amount: number) =>
    (await call(shop.broker, "payment.createPaymentIntent", { cartId, amount })).paymentIntentId;
  const intentStatus = async (id: string) => (await shop.stripe.paymentIntents.retrieve(id)).status;
  const sessionStatus = async (id: string) => (await shop.stripe.checkout.sessions.retrieve(id)).status;
  const ordersOf = async (cartId: string) => (await shop.orders()).filter((order) => order.cartId === cartId);
  /** What at the provider may still be paid of a cart. */
  const openOf = async (cartId: string) => {
    const intents = (await shop.stripe.paymentIntents.list({ limit: 100 })).data.filter(
      ({ metadata, status }) => metadata.partline_cartId === cartId && status === "requires_payment_method",
    );
    const sessions = (await shop.sessionsOf(cartId)).filter(({ status }) => status === "open");
    return [...intents, ...sessions].map(({ id }) => id);
  };
  const statuses = async (cartId: string) =>
    Object.fromEntries(
      (await shop.documents.collection<Checkout>(CHECKOUTS).find({ "purchase.cartId": cartId })).map(
        ({ _id, status }) => [_id, status],
      ),
    );

  it("by its session takes no payment by its intents any more", async () => {
    const cartId = await savedCart();
    const session = await shop.checkout({ cartId });
    const [intent, more] = [await intentOf(cartId, 2_000), await intentOf(cartId, 2_500)];
    const elsewhere = await intentOf(await savedCart(), 2_000);
    await shop.pay(session);
    await shop.deliver(await shop.event("checkout.session.completed", session.sessionId));
    for (const other of [intent, more]) await eventually(async () => (await intentStatus(other)) === "canceled");
    expect(await intentStatus(elsewhere)).toBe("requires_payment_method");
    expect(await openOf(cartId)).toEqual([]);
    await eventually(async () => !Object.values(await statuses(cartId)).includes("open"));
    expect(await statuses(cartId)).toEqual({ [session.sessionId]: "complete", [intent]: "expired", [more]: "expired" });
    await expect(shop.confirm(intent)).rejects.toThrow();
  });

  it("by an intent takes no payment by its session any more, nor by another one", async () => {
    const cartId = await savedCart();
    const session = await shop.checkout({ cartId });
    const intent = await intentOf(cartId, 2_000);
    await shop.confirm(intent);
    await shop.deliver(await shop.event("payment_intent.succeeded", intent));
    await eventually(async () => (await sessionStatus(session.sessionId)) === "expired");
    await expect(shop.checkout({ cartId })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      message: expect.stringContaining("'cartId'"),
    });
    expect(await ordersOf(cartId)).toHaveLength(1);
  });

  it("twice before we heard of the first has an order for each payment", async () => {
    const cartId = await savedCart();
    const session = await shop.checkout({ cartId });
    const intent = await intentOf(cartId, 2_000);
    await shop.confirm(intent);
    await shop.pay(session);
    const events = [
      await shop.event("payment_intent.succeeded", intent),
      await shop.event("checkout.session.completed", session.sessionId),
    ];
    await Promise.all(events.map((event) => shop.deliver(event)));
    expect((await ordersOf(cartId)).map(({ paymentKey }) => paymentKey).sort()).toEqual(
      [session.sessionId, intent].sort(),
    );
  });

  it("while an intent is made of it takes no payment by that", async () => {
    const cartId = await savedCart();
    const session = await shop.checkout({ cartId });
    await shop.pay(session);
    const completed = await shop.event("checkout.session.completed", session.sessionId);
    await expect(
      shop.whilePricing(
        () => intentOf(cartId, 2_000),
        () => shop.deliver(completed),
      ),
    ).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      data: [{ field: "cartId" }],
    });
    expect(await openOf(cartId)).toEqual([]);
    expect(await ordersOf(cartId)).toHaveLength(1);
  });

  it("while a session is opened for it takes no payment by that", async () => {
    const cartId = await savedCart();
    const intent = await intentOf(cartId, 2_000);
    await shop.confirm(intent);
    const succeeded = await shop.event("payment_intent.succeeded", intent);
    await expect(
      shop.whilePricing(
        () => shop.checkout({ cartId }),
        () => shop.deliver(succeeded),
      ),
    ).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      data: [{ field: "cartId" }],
    });
    expect(await openOf(cartId)).toEqual([]);
    expect(await ordersOf(cartId)).toHaveLength(1);
  });

  it("takes no payment by what a node opened whose clock is ahead", async () => {
    const cartId = await savedCart();
    const session = await shop.checkout({ cartId });
    const intent = await intentOf(cartId, 2_000);
    await shop.documents
      .collection<Checkout>(CHECKOUTS)
      .updateOne({ _id: intent }, { $set: { createdAt: new Date(Date.now() + 60_000) } });
    await shop.pay(session);
    await shop.deliver(await shop.event("checkout.session.completed", session.sessionId));
    await eventually(async () => (await intentStatus(intent)) === "canceled");
  });

  it("has the rest closed later when the provider is away meanwhile", async () => {
    const cartId = await savedCart();
    const session = await shop.checkout({ cartId });
    const intent = await intentOf(cartId, 2_000);
    await shop.pay(session);
    await shop.fault({ match: `POST /v1/payment_intents/${intent}/cancel`, status: 500, times: 2 });
    const completed = await shop.event("checkout.session.completed", session.sessionId);
    await shop.deliver(completed);
    expect(await ordersOf(cartId)).toMatchObject([{ paymentStatus: "paid" }]);
    await eventually(async () => (await intentStatus(intent)) === "canceled");
    expect(await ordersOf(cartId)).toHaveLength(1);
  });

  it("takes no payment by an intent whose money was on its way meanwhile, and did not come", async () => {
    const cartId = await savedCart();
    const session = await shop.checkout({ cartId });
    const intent = await intentOf(cartId, 2_000);
    await shop.pay(session);
    await shop.confirm(intent, { payment_method: "pm_usBankAccount_success" });
    await shop.deliver(await shop.event("checkout.session.completed", session.sessionId));
    expect(await intentStatus(intent)).toBe("processing");
    await shop.control(`/payment_intents/${intent}/fail`);
    await shop.deliver(await shop.event("payment_intent.payment_failed", intent));
    expect(await intentStatus(intent)).toBe("canceled");
    expect(await ordersOf(cartId)).toHaveLength(1);
  });

  it("and was saved again since is another purchase, also if an event is delivered again", async () => {
    const cartId = await savedCart();
    const session = await shop.checkout({ cartId });
    await shop.pay(session);
    const completed = await shop.event("checkout.session.completed", session.sessionId);
    await shop.deliver(completed);
    await call(shop.broker, "cart.remove", { cartId });
    await savedCart(cartId);
    const intent = await intentOf(cartId, 2_000);
    await shop.deliver(shop.asAnotherEvent(completed));
    expect(await intentStatus(intent)).toBe("requires_payment_method");
  });

  it("by a delayed payment that did not come may be paid by what was opened since", async () => {
    const cartId = newCartId();
    const failed = await shop.checkout({ cartId });
    await shop.pay(failed, "delayed");
    const completed = await shop.event("checkout.session.completed", failed.sessionId);
    await shop.control(`/checkout/sessions/${failed.sessionId}/settle`, { outcome: "failed" });
    await shop.deliver(await shop.event("checkout.session.async_payment_failed", failed.sessionId));
    const next = await shop.checkout({ cartId });
    expect(next.sessionId).not.toBe(failed.sessionId);
    await shop.deliver(completed);
    expect(await sessionStatus(next.sessionId)).toBe("open");
  });
});
