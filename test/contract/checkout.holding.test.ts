import { describe, expect, it } from "@jest/globals";
import { TASKS, type TaskDocument } from "../../packages/durable/src/tasks/task.ts";
import { ATTEMPTS, type Attempt } from "../../mixins/payment-provider/attempts.ts";
import { createSignedTokens } from "../../mixins/http/signed-token.ts";
import { call, outbox } from "../../services/contracts.ts";
import { CHECKOUTS, type Checkout } from "../../services/payment/collections.ts";
import { eventually } from "../support/eventually.ts";
import { AUSTIN } from "../support/addresses.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { catalogOf, item, newCartId, NOBODY, startShop } from "./payment.shop.ts";
import { useShop } from "./payment.use-shop.ts";

const MINUTE_MS = 60_000;

describe("How long prices hold", () => {
  const shop = useShop();
  let product = 0;

  const checkouts = () => shop.documents.collection<Checkout>(CHECKOUTS);
  const tasks = () => shop.documents.collection<TaskDocument>(TASKS);
  const newProduct = (): string => {
    const productId = `bns-held-${(product += 1)}`;
    shop.prices[productId] = 1_000;
    return productId;
  };
  async function intent(productId: string, cartId = newCartId()) {
    await call(shop.broker, "cart.saveForCheckout", { cartId, items: [item(productId)] }).catch(() => undefined);
    const opened = await call(shop.as(NOBODY), "payment.createPaymentIntent", { cartId, amount: 1_000 });
    return { cartId, id: opened.paymentIntentId };
  }
  const pay = (id: string, payment_method = "pm_card_visa") =>
    shop.stripe.paymentIntents.confirm(id, { payment_method, return_url: "http://shop.test/" });
  const sessionStatus = async (id: string) => (await shop.stripe.checkout.sessions.retrieve(id)).status;
  const intentStatus = async (id: string) => (await shop.stripe.paymentIntents.retrieve(id)).status;
  /** As if the time had come for what is done later with a checkout. */
  async function runOut(id: string) {
    await checkouts().updateOne({ _id: id }, { $set: { expiresAt: new Date(Date.now() - 1) } });
    await tasks().updateOne({ _id: `payment.close:${id}` }, { $set: { dueAt: new Date(0) } });
    shop.tasks.wake();
  }
  async function reprice(price: number | undefined, ...products: string[]) {
    for (const productId of products) {
      if (price === undefined) delete shop.prices[productId];
      else shop.prices[productId] = price;
    }
    await shop.documents.atomically([outbox("catalog.changed", { vendor: "BNS" })]);
    shop.channels.wake();
  }

  it("is half an hour, and a minute more for the provider's clock", async () => {
    const { sessionId } = await shop.checkout();
    const { expires_at: ends } = await shop.stripe.checkout.sessions.retrieve(sessionId);
    expect(Math.abs(ends * 1_000 - Date.now() - 31 * MINUTE_MS)).toBeLessThan(5_000);
    const { id } = await intent(newProduct());
    const due = (await tasks().findOne({ _id: `payment.close:${id}` }))!.dueAt.getTime();
    expect(Math.abs(due - Date.now() - 30 * MINUTE_MS)).toBeLessThan(5_000);
  });

  it("ends for an intent as for a session: it is cancelled at the provider, and its cart gets a new one", async () => {
    const productId = newProduct();
    const first = await intent(productId);
    await runOut(first.id);
    await eventually(async () => (await intentStatus(first.id)) === "canceled");
    await eventually(async () => (await checkouts().findOne({ _id: first.id }))?.status === "expired");
    expect((await intent(productId, first.cartId)).id).not.toBe(first.id);
  });

  it("ends at once for an intent that is asked for again, before its turn has come", async () => {
    const productId = newProduct();
    const first = await intent(productId);
    await checkouts().updateOne({ _id: first.id }, { $set: { expiresAt: new Date(Date.now() - 1) } });
    expect((await intent(productId, first.cartId)).id).not.toBe(first.id);
    expect(await intentStatus(first.id)).toBe("canceled");
  });

  it("does not matter to what is paid", async () => {
    const { id } = await intent(newProduct());
    await pay(id);
    await runOut(id);
    await eventually(async () => (await tasks().findOne({ _id: `payment.close:${id}` })) === null);
    expect(await intentStatus(id)).toBe("succeeded");
    await shop.deliver(await shop.event("payment_intent.succeeded", id));
    expect((await shop.orders()).filter(({ paymentKey }) => paymentKey === id)).toHaveLength(1);
  });

  it("ends for an intent whose money was on its way then, and did not come", async () => {
    const { id } = await intent(newProduct());
    await pay(id, "pm_usBankAccount_success");
    await runOut(id);
    await eventually(async () => (await tasks().findOne({ _id: `payment.close:${id}` })) === null);
    expect(await intentStatus(id)).toBe("processing");
    await shop.control(`/payment_intents/${id}/fail`);
    await shop.deliver(await shop.event("payment_intent.payment_failed", id));
    expect(await intentStatus(id)).toBe("canceled");
  });

  it("ends with the quote for a session that has one", async () => {
    const cartId = newCartId();
    const items = [item("bns-1")];
    const { methods } = await call(shop.as(NOBODY), "payment.quoteShipping", { items, destination: AUSTIN });
    const claims = (await createSignedTokens(shop.documents).verify("shipping-quote", methods[0]!.quote)) as {
      exp: number;
    };
    const { sessionId } = await shop.checkout({ cartId, items, quote: methods[0]!.quote, shippingAddress: AUSTIN });
    const due = (await tasks().findOne({ _id: `payment.close:${sessionId}` }))!.dueAt;
    expect(due).toEqual(new Date(claims.exp * 1_000));
    expect((await checkouts().findOne({ _id: sessionId }))!.expiresAt).toEqual(due);
    await runOut(sessionId);
    await eventually(async () => (await sessionStatus(sessionId)) === "expired");
    expect((await shop.checkout({ cartId })).sessionId).not.toBe(sessionId);
  });

  it.each([1_100, null, undefined])(
    "ends with a change of the price to %p, for all that have the part",
    async (price) => {
      const [moved, other] = [newProduct(), newProduct()];
      const cartId = newCartId();
      const [session, untouched, paid] = [
        await shop.checkout({ cartId, items: [item(other), item(moved)] }),
        await shop.checkout({ items: [item(other)] }),
        await shop.checkout({ items: [item(moved)] }),
      ];
      const { id } = await intent(moved);
      await shop.pay(paid);
      await shop.fault({ match: "POST /v1/checkout/sessions", status: 500, times: 2 });
      await reprice(price as number, moved);
      await eventually(async () => (await sessionStatus(session.sessionId)) === "expired");
      await eventually(async () => (await intentStatus(id)) === "canceled");
      expect(await sessionStatus(untouched.sessionId)).toBe("open");
      await shop.deliver(await shop.event("checkout.session.completed", paid.sessionId));
      expect((await shop.orders()).find(({ paymentKey }) => paymentKey === paid.sessionId)).toMatchObject({
        total: 1_000,
      });
      await expect(shop.checkout({ cartId, items: [item(other), item(moved)] })).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
      });
      expect(await shop.checkout({ cartId, items: [item(other)] })).toMatchObject({ status: "open" });
    },
  );

  it("opens a session again whose request the provider never saw and would no longer take", async () => {
    const cartId = newCartId();
    const first = await shop.checkout({ cartId });
    const attempts = shop.documents.collection<Attempt>(ATTEMPTS);
    const { request } = (await attempts.findOne({ _id: `checkout:${cartId}` }))!;
    const { params, ...rest } = request as { params: object };
    const old = { ...rest, params: { ...params, expires_at: Math.floor(Date.now() / 1_000) + 20 * 60 } };
    await attempts.updateOne(
      { _id: `checkout:${cartId}` },
      {
        $set: { state: "running", attempt: 7, request: old, startedAt: new Date(Date.now() - 11 * MINUTE_MS) },
        $unset: { resultId: true },
      },
    );
    const again = await shop.checkout({ cartId });
    expect([again.status, again.sessionId === first.sessionId]).toEqual(["open", false]);
  });

  it("has an intent made again whose request was left unanswered for longer", async () => {
    const productId = newProduct();
    const first = await intent(productId);
    const attempts = shop.documents.collection<Attempt>(ATTEMPTS);
    const [left] = (await attempts.find({})).filter(({ _id }) => _id.startsWith(`intent:${first.cartId}:`));
    const { params, purchase } = left!.request as { params: object; purchase: Checkout["purchase"] };
    const old = { params, purchase: { ...purchase, closesAt: Date.now() - 10 * MINUTE_MS } };
    const unanswered = { $set: { state: "running", request: old }, $unset: { resultId: true } } as const;
    await attempts.updateOne({ _id: left!._id }, unanswered);
    await checkouts().deleteOne({ _id: first.id });
    const { id } = await intent(productId, first.cartId);
    expect(id).not.toBe(first.id);
    expect((await checkouts().findOne({ _id: id }))!.expiresAt! > new Date()).toBe(true);
  });
});

it("An open checkout of an old price is closed at a start, also if the catalog is there a little later", async () => {
  const shop = await startShop();
  try {
    const { sessionId } = await shop.checkout({ items: [item("bns-1")] });
    const started = await startTestBroker({
      services: [
        "payment",
        "cart",
        "order",
        "customer",
        (broker) => ({
          ...catalogOf({ "bns-1": 2_000 })(broker),
          started: () => new Promise<void>((resolve) => setTimeout(resolve, 500)),
        }),
      ],
      settings: shop.settings,
      documents: shop.documents,
    });
    try {
      const status = async () => (await shop.stripe.checkout.sessions.retrieve(sessionId)).status;
      await eventually(async () => (await status()) === "expired", 10_000);
      expect(started.warnings).toEqual([]);
    } finally {
      await started.stop();
    }
  } finally {
    await shop.stop();
  }
});
