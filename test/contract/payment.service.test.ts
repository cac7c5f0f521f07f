import { describe, expect, it } from "@jest/globals";
import type Stripe from "stripe";
import { ulid } from "ulid";
import { call, type Events } from "../../services/contracts.ts";
import { CHECKOUTS, type Checkout } from "../../services/payment/collections.ts";
import { eventually } from "../support/eventually.ts";
import { item, newCartId, NOBODY, startShop, user } from "./payment.shop.ts";
import { useShop } from "./payment.use-shop.ts";

describe("Payments", () => {
  const shop = useShop();

  async function savedCart(
    owner: { userId?: string; sessionId?: string } = {},
    caller = NOBODY,
    items = [item("bns-1", { quantity: 2 })],
  ) {
    const cartId = newCartId();
    await call(shop.as(caller), "cart.saveForCheckout", { cartId, items, ...owner });
    return cartId;
  }
  const createIntent = (params: { cartId: string; amount: number; customerId?: string }, caller = NOBODY) =>
    call(shop.as(caller), "payment.createPaymentIntent", params);
  const verify = (paymentIntentId: string, caller = NOBODY) =>
    call(shop.as(caller), "payment.verify", { paymentIntentId });
  const orderOf = async (paymentIntentId: string) =>
    (await call(shop.broker, "order.findByPayment", { paymentIntentId })).order;

  describe("payment intents", () => {
    it("are made for a saved cart, the same one again for the same amount", async () => {
      const cartId = await savedCart();
      const intent = await createIntent({ cartId, amount: 2_500 });
      expect(intent).toEqual({
        paymentIntentId: expect.stringMatching(/^pi_/),
        clientSecret: expect.stringContaining("_secret_"),
      });
      expect(await createIntent({ cartId, amount: 2_500 })).toEqual(intent);
      expect((await createIntent({ cartId, amount: 2_600 })).paymentIntentId).not.toBe(intent.paymentIntentId);
    });

    it("are announced as checkouts that were started, each once", async () => {
      const events: Events["checkout.started"][] = [];
      shop.channels.subscribe("checkout.started", {
        group: `test-${ulid()}`,
        handler: async ({ payload }) => void events.push(payload as Events["checkout.started"]),
      });
      const cartId = await savedCart();
      const { paymentIntentId } = await createIntent({ cartId, amount: 2_500 });
      await createIntent({ cartId, amount: 2_500 });
      const later = await createIntent({ cartId, amount: 2_600 });
      const told = () => events.filter((event) => event.cartId === cartId);
      await eventually(() => told().some((event) => event.paymentIntentId === later.paymentIntentId));
      expect(told()).toHaveLength(2);
      expect(told()).toEqual(
        expect.arrayContaining([{ sessionId: null, paymentIntentId, cartId, total: 2_500, currency: "usd" }]),
      );
    });

    it("are shown to nobody else", async () => {
      const cartId = await savedCart();
      const intent = await createIntent({ cartId, amount: 2_500, customerId: "user_ada" }, user("user_ada"));
      await expect(
        createIntent({ cartId, amount: 2_500, customerId: "user_bob" }, user("user_bob")),
      ).rejects.toMatchObject({ code: "FORBIDDEN" });
      await expect(createIntent({ cartId, amount: 2_500 })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
      expect(await createIntent({ cartId, amount: 2_500, customerId: "user_ada" }, user("user_ada"))).toEqual(intent);
    });

    it("are another's for a cart that was deleted and saved again", async () => {
      const cartId = newCartId();
      const save = (userId: string) =>
        call(shop.as(user(userId)), "cart.saveForCheckout", {
          cartId,
          items: [item("bns-1", { quantity: 2 })],
          userId,
        });
      await save("user_ada");
      const intent = await createIntent({ cartId, amount: 2_000, customerId: "user_ada" }, user("user_ada"));
      await call(shop.as(user("user_ada")), "cart.remove", { cartId });
      await save("user_bob");
      const own = await createIntent({ cartId, amount: 2_000, customerId: "user_bob" }, user("user_bob"));
      expect(own.paymentIntentId).not.toBe(intent.paymentIntentId);
    });

    it("are one for many calls at the same moment", async () => {
      const cartId = await savedCart();
      const answers = await Promise.all(Array.from({ length: 20 }, () => createIntent({ cartId, amount: 2_000 })));
      expect(new Set(answers.map(({ paymentIntentId }) => paymentIntentId)).size).toBe(1);
      const there = (await shop.stripe.paymentIntents.list({ limit: 100 })).data.filter(
        ({ metadata }) => metadata.partline_cartId === cartId,
      );
      expect(there).toHaveLength(1);
    });

    it("need a cart that exists, its owner, its prices and at least its subtotal", async () => {
      await expect(createIntent({ cartId: newCartId(), amount: 5_000 })).rejects.toMatchObject({ code: "NOT_FOUND" });
      const theirs = await savedCart({ userId: "user_a" }, user("user_a"));
      await expect(createIntent({ cartId: theirs, amount: 2_000 })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
      await expect(createIntent({ cartId: theirs, amount: 2_000 }, user("user_b"))).rejects.toMatchObject({
        code: "FORBIDDEN",
      });
      const stale = await savedCart({}, NOBODY, [item("bns-1", { unitPrice: 9 })]);
      await expect(createIntent({ cartId: stale, amount: 2_000 })).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
        data: [{ oldPrice: 9, newPrice: 10 }],
      });
      const cartId = await savedCart();
      await expect(createIntent({ cartId, amount: 1_999 })).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
        message: expect.stringContaining("'amount'"),
      });
      for (const amount of [49, 10.5])
        await expect(createIntent({ cartId, amount })).rejects.toMatchObject({ type: "VALIDATION_ERROR" });
    });

    it("are refused by a field that their request has", async () => {
      shop.prices["bns-gone"] = null;
      shop.prices["bns-dear"] = 99_999_999;
      const refused = (cartId: string, params: object = {}) =>
        expect(createIntent({ cartId, amount: 99_999_999, ...params })).rejects;
      const gone = await savedCart({}, NOBODY, [item("bns-gone")]);
      await refused(gone).toMatchObject({ code: "VALIDATION_FAILED", data: [{ field: "cartId" }] });
      const items = [item("bns-dear", { unitPrice: 999_999.99 })];
      const destination = { country: "US", state: "TX", postalCode: "78701" };
      const { methods } = await call(shop.as(NOBODY), "payment.quoteShipping", { items, destination });
      const quote = methods.find(({ cost }) => cost > 0)!.quote;
      const dear = await savedCart({}, NOBODY, items);
      await refused(dear, { quote }).toMatchObject({ code: "VALIDATION_FAILED", data: [{ field: "cartId" }] });
    });

    it("are replaced by the user's own when a guest's signs in", async () => {
      const cartId = await savedCart();
      const asGuest = await createIntent({ cartId, amount: 2_000 });
      const own = await createIntent({ cartId, amount: 2_000, customerId: "user_a" }, user("user_a"));
      expect(await createIntent({ cartId, amount: 2_000, customerId: "user_a" }, user("user_a"))).toEqual(own);
      expect(await shop.stripe.paymentIntents.retrieve(asGuest.paymentIntentId)).toMatchObject({ status: "canceled" });
      await shop.confirm(own.paymentIntentId);
      await shop.deliver(await shop.event("payment_intent.succeeded", own.paymentIntentId));
      expect(await orderOf(own.paymentIntentId)).toMatchObject({ userId: "user_a" });
    });

    it("are replaced when they were cancelled", async () => {
      const cartId = await savedCart();
      const first = await createIntent({ cartId, amount: 2_000 });
      await shop.stripe.paymentIntents.cancel(first.paymentIntentId);
      await shop.deliver(await shop.event("payment_intent.canceled", first.paymentIntentId));
      expect((await createIntent({ cartId, amount: 2_000 })).paymentIntentId).not.toBe(first.paymentIntentId);
    });
  });

  describe("verifying", () => {
    it("reports how a payment stands, and its order", async () => {
      const { paymentIntentId } = await createIntent({ cartId: await savedCart(), amount: 2_000 });
      expect(await verify(paymentIntentId)).toEqual({
        paymentIntentId,
        status: "requires_payment_method",
        paid: false,
        amount: 2_000,
        currency: "usd",
        orderId: null,
      });
      await shop.confirm(paymentIntentId);
      expect(await verify(paymentIntentId)).toMatchObject({ status: "succeeded", paid: true, orderId: null });
      await shop.deliver(await shop.event("payment_intent.succeeded", paymentIntentId));
      expect(await verify(paymentIntentId)).toMatchObject({ orderId: (await orderOf(paymentIntentId))!.orderId });
    });

    it("reports it of a hosted checkout too, before and after its webhook", async () => {
      const session = await shop.checkout({ customerId: "user_a" }, user("user_a"));
      await shop.pay(session);
      const completed = await shop.event("checkout.session.completed", session.sessionId);
      const id = (completed.data.object as Stripe.Checkout.Session).payment_intent as string;
      expect(await verify(id, user("user_a"))).toMatchObject({ paid: true, amount: 1_000, orderId: null });
      await expect(verify(id)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
      await shop.deliver(completed);
      expect(await verify(id, user("user_a"))).toMatchObject({ orderId: expect.stringMatching(/^ord_/) });
      await expect(verify(id, user("user_b"))).rejects.toMatchObject({ code: "FORBIDDEN" });
      expect(await verify(id, user("boss", true))).toMatchObject({ paid: true });
    });

    it("does not know what is not there, malformed, or nobody's here", async () => {
      const foreign = await shop.stripe.paymentIntents.create({ amount: 500, currency: "usd" });
      for (const id of ["pi_unknown", "nonsense", "pi_../refunds", foreign.id])
        await expect(verify(id, user("boss", true))).rejects.toMatchObject({ code: "NOT_FOUND" });
    });
  });

  it("never shows the provider's own words", async () => {
    const cartId = newCartId();
    await shop.fault({ match: "POST /v1/checkout/sessions", status: 403, times: 1 });
    const refusal = await shop.checkout({ cartId }).then(
      () => undefined,
      (error: Error & { data: unknown }) => error,
    );
    expect(refusal).toMatchObject({ code: "PROVIDER_ERROR", message: "The payment provider refused the request" });
    expect(JSON.stringify(refusal!.data)).not.toMatch(/sk_test/);
    expect(await shop.checkout({ cartId })).toMatchObject({ sessionId: expect.any(String) });
    expect(await shop.documents.collection<Checkout>(CHECKOUTS).count({ "purchase.cartId": cartId })).toBe(1);
  });
});

describe("A provider that is gone", () => {
  it("is answered 502 at once after some failures, and works again when it is back", async () => {
    const shop = await startShop();
    try {
      await shop.fault({ match: "POST /v1/checkout/sessions", status: 503 });
      for (let time = 0; time < 5; time++)
        await expect(shop.checkout()).rejects.toMatchObject({ data: { reason: "failed" } });
      // It would answer by now, and is not asked.
      await shop.noFaults();
      await expect(shop.checkout()).rejects.toMatchObject({ code: "PROVIDER_ERROR", data: { reason: "unreachable" } });
      await eventually(async () => (await shop.checkout()).sessionId);
    } finally {
      await shop.stop();
    }
  });
});
