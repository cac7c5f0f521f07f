import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Input } from "../../broker/contract/define.ts";
import { DEFAULT_TABLE } from "../../mixins/shipping-rates/table.ts";
import { createSignedTokens } from "../../mixins/signed-token.ts";
import { startEasyPostSandbox } from "../../sandbox/easypost/server.ts";
import { type Actions, call } from "../../services/contracts.ts";
import { CHECKOUTS } from "../../services/payment/collections.ts";
import { item, newCartId, NOBODY, SHOP_MODES, startShop, type Shop } from "./payment.shop.ts";

const AUSTIN = { name: "Ada", street: "1 Main St", city: "Austin", state: "TX", postalCode: "78701", country: "US" };
const TWO = [item("bns-1", { quantity: 2 })];

type Asked = Input<Actions["payment.quoteShipping"]>;

function shipping(shop: () => Shop) {
  const quotes = async (items: Asked["items"] = TWO, destination: Asked["destination"] = AUSTIN) =>
    (await call(shop().as(NOBODY), "payment.quoteShipping", { items, destination })).methods;
  return {
    quotes,
    /** Of the cheapest method. */
    quote: async (...asked: Parameters<typeof quotes>) => (await quotes(...asked))[0]!.quote,
    intent: async (params: Partial<Input<Actions["payment.createPaymentIntent"]>>, items = TWO) => {
      const cartId = newCartId();
      await call(shop().broker, "cart.saveForCheckout", { cartId, items });
      return call(shop().as(NOBODY), "payment.createPaymentIntent", { cartId, amount: 2_000, ...params });
    },
    orderOfIntent: async (paymentIntentId: string) => {
      await shop().stripe.paymentIntents.confirm(paymentIntentId, {
        payment_method: "pm_card_visa",
        return_url: "http://shop.test/",
      });
      await shop().deliver(await shop().event("payment_intent.succeeded", paymentIntentId));
      return (await shop().orders()).find(({ paymentKey }) => paymentKey === paymentIntentId)!;
    },
  };
}

const refusedFor = (field: string, words = "") => ({
  code: "VALIDATION_FAILED",
  message: expect.stringContaining(words),
  data: expect.arrayContaining([expect.objectContaining({ field })]),
});

describe.each(SHOP_MODES)("Shipping quotes (%s)", (mode) => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await startShop({ mode, env: { STRIPE_AUTOMATIC_TAX: "on" } });
    Object.assign(shop.prices, { "heavy-1": 1_000, "acid-1": 1_000, "dear-1": 20_000 });
  });
  afterAll(() => shop.stop());
  const { quotes, quote, intent, orderOfIntent } = shipping(() => shop);

  it("list the methods to a place, the cheapest first, by what the catalog says the items are", async () => {
    const costs = async (...asked: Parameters<typeof quotes>) =>
      (await quotes(...asked)).map(({ serviceType, cost }) => [serviceType, cost]);
    expect(await quotes()).toEqual([
      { provider: "standard", serviceType: "ground", cost: 11.95, estimatedDays: 5, quote: expect.any(String) },
      { provider: "express", serviceType: "air", cost: 39.95, estimatedDays: 2, quote: expect.any(String) },
      { provider: "freight", serviceType: "ltl", cost: 149, estimatedDays: 9, quote: expect.any(String) },
    ]);
    expect(await costs([item("heavy-1")])).toContainEqual(["ground", 34.95]);
    expect((await costs([item("acid-1")])).map(([name]) => name)).toEqual(["ground", "ltl"]);
    expect(await costs([item("dear-1", { unitPrice: 1 })])).toContainEqual(["ground", 0]);
    expect(await costs(TWO, { country: "us", state: "ak", postalCode: "99501-1234" })).toContainEqual([
      "ground",
      24.95,
    ]);
    // In the name of another state, the postal code is as far away.
    expect(await costs(TWO, { ...AUSTIN, postalCode: "99501" })).toContainEqual(["ground", 24.95]);
    expect(await quotes([{ productId: "bns-1", partNumber: "BNS-1", quantity: 9_999 }])).not.toHaveLength(0);
  });

  it.each<[object, string]>([
    [{ country: "US", postalCode: "78701" }, "destination.state"],
    [{ ...AUSTIN, state: "Texas" }, "destination.state"],
    [{ ...AUSTIN, postalCode: "787" }, "destination.postalCode"],
    [{ ...AUSTIN, country: "Atlantis" }, "destination.country"],
    [{ country: "FR", postalCode: "75001" }, "destination.country"],
    [{}, "destination.country"],
  ])("refuse a destination that is none: %j", async (destination, field) => {
    await expect(quotes(TWO, destination)).rejects.toMatchObject(refusedFor(field));
  });

  it.each<[object[], string]>([
    [Array.from({ length: 200 }, () => item("bns-1")), "items"],
    [[item("bns-1", { quantity: -1 })], "items[0].quantity"],
    [[item("nothing")], "items[0]"],
  ])("refuse items that nobody can order (case %#)", async (items, field) => {
    await expect(quotes(items as Asked["items"])).rejects.toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ field })]),
    });
  });

  it("are paid by a checkout, more than once, and kept by its order as the method", async () => {
    const token = await quote();
    const ways = [
      { items: TWO, tax: 125, lost: false },
      // Tax is rounded for each line.
      { items: [item("bns-1"), item("bns-1")], tax: 126, lost: true },
    ];
    for (const { items, tax, lost } of ways) {
      const { sessionId } = await shop.checkout({ items, quote: token, shippingAddress: AUSTIN });
      await shop.pay({ sessionId });
      if (lost) await shop.documents.collection(CHECKOUTS).deleteOne({ _id: sessionId });
      await shop.deliver(await shop.event("checkout.session.completed", sessionId));
      expect((await shop.orders()).find(({ paymentKey }) => paymentKey === sessionId)).toMatchObject({
        shippingMethod: { provider: "standard", serviceType: "ground", cost: 1_195, estimatedDays: 5 },
        shippingAddress: AUSTIN,
        shipping: 1_195,
        tax,
        total: 3_195 + tax,
      });
    }
  });

  it.each([undefined, { name: "Ada" }, { country: "US", state: "TX", postalCode: "78701" }])(
    "bind the page to their country where the checkout has no whole address: %j",
    async (shippingAddress) => {
      const { sessionId } = await shop.checkout({ items: TWO, quote: await quote(), shippingAddress });
      const { shipping_address_collection: asked } = await shop.stripe.checkout.sessions.retrieve(sessionId);
      expect(asked).toEqual({ allowed_countries: ["US"] });
    },
  );

  it("are refused with the reason", async () => {
    const token = await quote();
    const other = createSignedTokens(shop.documents);
    const past = createSignedTokens(shop.documents, () => new Date(Date.now() - 31 * 60_000));
    const checkout = (params: object) => expect(shop.checkout({ items: TWO, quote: token, ...params })).rejects;
    const forged = `${token.slice(0, -6)}AAAAAA`;
    for (const quoted of [forged, "not a quote", await other.sign("other", { items: "x" }, 60_000)])
      await checkout({ quote: quoted }).toMatchObject(refusedFor("quote", "forged"));
    await checkout({ quote: await past.sign("shipping-quote", {}, 30 * 60_000) }).toMatchObject(
      refusedFor("quote", "expired"),
    );
    await checkout({ items: [item("bns-1")] }).toMatchObject(refusedFor("quote", "other items"));
    await checkout({ shippingAddress: { ...AUSTIN, postalCode: "78702" } }).toMatchObject(
      refusedFor("quote", "another destination"),
    );
    await checkout({ fulfilment: "pickup" }).toMatchObject(refusedFor("quote"));
    await checkout({ shippingRate: { provider: "ups", serviceType: "air", cost: 1 } }).toMatchObject(
      refusedFor("quote"),
    );
  });

  it("are refused as any changed price is, and for the new price too", async () => {
    shop.prices["moving-1"] = 1_000;
    const token = await quote([item("moving-1")]);
    shop.prices["moving-1"] = 1_100;
    const buy = (unitPrice: number) => shop.checkout({ items: [item("moving-1", { unitPrice })], quote: token });
    await expect(buy(10)).rejects.toMatchObject({ message: expect.stringContaining("was 10.00, now 11.00") });
    await expect(buy(11)).rejects.toMatchObject(refusedFor("quote", "prices"));
  });

  it("make an intent pay shipping and tax as a session does, the same one again", async () => {
    const cartId = newCartId();
    await call(shop.broker, "cart.saveForCheckout", { cartId, items: TWO });
    const create = async () =>
      call(shop.as(NOBODY), "payment.createPaymentIntent", {
        cartId,
        amount: 3_195,
        quote: await quote(),
        shippingAddress: AUSTIN,
        contact: { email: "ada@example.com" },
      });
    const opened = await create();
    expect(opened).toMatchObject({ amount: 3_320, shipping: 1_195, tax: 125 });
    expect(await create()).toEqual(opened);
    expect(await orderOfIntent(opened.paymentIntentId)).toMatchObject({
      subtotal: 2_000,
      shipping: 1_195,
      tax: 125,
      taxes: [{ name: "Sales Tax, TX", amount: 125 }],
      total: 3_320,
      shippingMethod: { serviceType: "ground", cost: 1_195 },
      shippingAddress: AUSTIN,
      contact: { email: "ada@example.com" },
    });
  });

  it("stand in an intent's order whose record went with a restored store", async () => {
    const { paymentIntentId } = await intent({ quote: await quote(), shippingAddress: { name: "Ada" } });
    expect(await shop.documents.collection(CHECKOUTS).findOne({ _id: paymentIntentId })).toMatchObject({
      purchase: { shippingAddress: { name: "Ada", state: "TX", postalCode: "78701", country: "US" } },
    });
    await shop.documents.collection(CHECKOUTS).deleteOne({ _id: paymentIntentId });
    expect(await orderOfIntent(paymentIntentId)).toMatchObject({
      shipping: 1_195,
      tax: 125,
      shippingMethod: { provider: "standard", cost: 1_195, estimatedDays: 5 },
    });
  });

  it("are no duty of an intent outside production, whose amount is then as it is given", async () => {
    const opened = await intent({ amount: 2_600 });
    expect(opened).not.toHaveProperty("amount");
    expect(await orderOfIntent(opened.paymentIntentId)).toMatchObject({ shipping: 600, tax: 0, total: 2_600 });
    await expect(intent({ quote: await quote(), amount: 1_999 })).rejects.toMatchObject(refusedFor("amount"));
  });
});

describe.each<[string, { env?: Record<string, string>; production?: boolean }]>([
  ["a table of its own", { env: { SHIPPING_TABLE: JSON.stringify(DEFAULT_TABLE) } }],
  [
    "a list of rates",
    { env: { SHIPPING_RATES: '[{"provider":"own","serviceType":"van","cost":3,"estimatedDays":1}]' } },
  ],
  ["neither, in production", { production: true }],
])("What ships in a shop with %s", (_name, options) => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await startShop(options);
  });
  afterAll(() => shop.stop());
  const { quotes, quote, intent } = shipping(() => shop);

  it("is not shipped free by leaving everything out, or at a rate that is not offered", async () => {
    const rate = { provider: "standard", serviceType: "ground", cost: 11.95 };
    const checkout = (params: object) => shop.checkout({ items: TWO, ...params });
    await expect(checkout({})).rejects.toMatchObject(refusedFor("quote"));
    await expect(checkout({ shippingAddress: AUSTIN })).rejects.toMatchObject(refusedFor("quote"));
    for (const wrong of [{ cost: 0 }, { cost: 11.94 }, { serviceType: "van" }])
      await expect(checkout({ shippingRate: { ...rate, ...wrong }, shippingAddress: AUSTIN })).rejects.toMatchObject(
        refusedFor("shippingRate"),
      );
    const paris = { ...AUSTIN, country: "FR" };
    await expect(checkout({ shippingRate: rate, shippingAddress: paris })).rejects.toMatchObject(
      refusedFor("shippingAddress.country"),
    );
    await expect(checkout({ shippingRate: rate })).rejects.toMatchObject(refusedFor("shippingAddress.country"));
    const alaska = { ...AUSTIN, state: "AK", postalCode: "99501" };
    await expect(checkout({ shippingRate: rate, shippingAddress: alaska })).rejects.toMatchObject(
      refusedFor("shippingRate"),
    );
    for (const right of [
      { shippingRate: rate, shippingAddress: AUSTIN },
      { quote: await quote() },
      { fulfilment: "pickup" },
    ])
      await expect(checkout(right)).resolves.toMatchObject({ status: "open" });
  });

  it("is paid for by an intent too, in production", async () => {
    const bare = intent({ amount: 2_000 });
    if (options.production) await expect(bare).rejects.toMatchObject(refusedFor("quote"));
    else await expect(bare).resolves.toHaveProperty("clientSecret");
    await expect(intent({ amount: 2_000, fulfilment: "pickup" })).resolves.toHaveProperty("clientSecret");
    await expect(intent({ quote: await quote() })).resolves.toMatchObject({ amount: 3_195, tax: 0 });
    expect((await quotes()).length).toBeGreaterThan(0);
  });
});

describe("A rate of SHIPPING_RATES", () => {
  it("needs no address", async () => {
    const rates = '[{"provider":"own","serviceType":"van","cost":3,"estimatedDays":1}]';
    const shop = await startShop({ env: { SHIPPING_RATES: rates } });
    const shippingRate = { provider: "own", serviceType: "van", cost: 3 };
    await expect(shop.checkout({ shippingRate })).resolves.toMatchObject({ status: "open" });
    await shop.stop();
  });
});

describe("A shop with EasyPost", () => {
  it("quotes what its carriers ask for, and says when they are away", async () => {
    const easyPost = await startEasyPostSandbox({ host: "127.0.0.1", port: 0, apiKey: "EZTK_test" });
    const env = {
      EASYPOST_API_KEY: "EZTK_test",
      EASYPOST_API_BASE: `${easyPost.url}/v2`,
      SHIP_FROM: JSON.stringify(AUSTIN),
    };
    const shop = await startShop({ env });
    const { quotes } = shipping(() => shop);
    const [cheapest] = await quotes();
    expect(cheapest).toMatchObject({ provider: "USPS", serviceType: "GroundAdvantage", cost: 8.65 });
    await expect(shop.checkout({ items: TWO, quote: cheapest!.quote, shippingAddress: AUSTIN })).resolves.toMatchObject(
      { status: "open" },
    );
    await easyPost.close();
    await expect(quotes()).rejects.toMatchObject({ code: "PROVIDER_ERROR", data: { provider: "EasyPost" } });
    await shop.stop();
  });
});
