import type Stripe from "stripe";
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Input } from "@partline/api-contracts";
import { DEFAULT_TABLE } from "../../mixins/shipping-rates/table.ts";
import { createSignedTokens, ORDER_LINK } from "../../mixins/http/signed-token.ts";
import { startEasyPostSandbox } from "../../packages/sandbox/src/easypost/server.ts";
import { type Actions, call } from "../../services/contracts.ts";
import { CHECKOUTS } from "../../services/payment/collections.ts";
import { eventually } from "../support/eventually.ts";
import { AUSTIN } from "../support/addresses.ts";
import { item, newCartId, NOBODY, SHOP_MODE, startShop, type Shop } from "./payment.shop.ts";
import { useStarted } from "../support/use-started.ts";
import { useShop } from "./payment.use-shop.ts";

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
      await shop().confirm(paymentIntentId);
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

describe("Shipping quotes", () => {
  const shop = useShop({ env: { STRIPE_AUTOMATIC_TAX: "on" } });
  beforeAll(() => void Object.assign(shop.prices, { "heavy-1": 1_000, "acid-1": 1_000, "dear-1": 20_000 }));
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
    expect(await quotes([{ productId: "bns-1", partNumber: "BNS-1", quantity: 9_999 }])).not.toHaveLength(0);
  });

  it.each<[Asked["destination"], string]>([
    [{ country: "US", postalCode: "78701" }, "destination.state"],
    [{ ...AUSTIN, state: "Texas" }, "destination.state"],
    [{ ...AUSTIN, postalCode: "787" }, "destination.postalCode"],
    [{ ...AUSTIN, postalCode: "99501" }, "destination.postalCode"],
    [{ ...AUSTIN, country: "Atlantis" }, "destination.country"],
    [{ country: "FR", postalCode: "75001" }, "destination.country"],
  ])("refuse a destination that is none: %j", async (destination, field) => {
    await expect(quotes(TWO, destination)).rejects.toMatchObject(refusedFor(field));
  });

  it("need a country", async () => {
    await expect(quotes(TWO, {} as Asked["destination"])).rejects.toMatchObject({
      data: [expect.objectContaining({ type: "required", field: "destination.country" })],
    });
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
        items: items.map(({ productId, partNumber, quantity }) => ({ productId, partNumber, quantity, price: 1_000 })),
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
  const shop = useStarted(() => startShop(options));
  const { quotes, quote, intent, orderOfIntent } = shipping(() => shop);

  const hasList = options.env?.SHIPPING_RATES !== undefined;
  const offered = (to: "home" | "alaska") =>
    hasList ? [300] : to === "home" ? [1_195, 3_995, 14_900] : [2_495, 34_900];
  const optionsOf = async ({ sessionId }: { sessionId: string }) =>
    (await shop.stripe.checkout.sessions.retrieve(sessionId)).shipping_options.map((one) => one.shipping_amount);

  it("is offered the server's methods on the page if the request leaves everything out", async () => {
    const alaska = { ...AUSTIN, state: "AK", postalCode: "99501" };
    for (const [shippingAddress, to] of [
      [undefined, "home"],
      [{ city: "London" }, "home"],
      [AUSTIN, "home"],
      [{ country: "US", postalCode: "99501" }, "alaska"],
      [alaska, "alaska"],
    ] as const)
      expect(await optionsOf(await shop.checkout({ items: TWO, shippingAddress }))).toEqual(offered(to));
    expect(await optionsOf(await shop.checkout({ items: TWO, fulfilment: "pickup" }))).toEqual([]);
  });

  it("takes a rate that is offered at the server's cost, and refuses another as a changed price", async () => {
    const rate = { provider: "standard", serviceType: "ground", cost: 11.95 };
    const checkout = (params: object) => shop.checkout({ items: TWO, ...params });
    for (const cost of [0, 11.94])
      await expect(checkout({ shippingRate: { ...rate, cost }, shippingAddress: AUSTIN })).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
        message: `Shipping cost changed for "standard ground": was ${cost.toFixed(2)}, now 11.95`,
        data: [expect.objectContaining({ field: "shippingRate", oldCost: cost, newCost: 11.95 })],
      });
    const unknown = { shippingRate: { ...rate, serviceType: "rocket" }, shippingAddress: AUSTIN };
    await expect(checkout(unknown)).rejects.toMatchObject(refusedFor("shippingRate", "standard ground 11.95"));
    const paris = { ...AUSTIN, country: "FR" };
    await expect(checkout({ shippingRate: rate, shippingAddress: paris })).rejects.toMatchObject(
      refusedFor("shippingAddress.country"),
    );
    const alaska = { ...AUSTIN, state: "AK", postalCode: "99501" };
    await expect(checkout({ shippingRate: rate, shippingAddress: alaska })).rejects.toMatchObject(
      refusedFor("shippingRate", "was 11.95, now 24.95"),
    );
    for (const right of [
      { shippingRate: rate, shippingAddress: AUSTIN },
      { shippingRate: rate },
      { quote: await quote() },
      { fulfilment: "pickup" },
    ])
      await expect(checkout(right)).resolves.toMatchObject({ status: "open" });
    if (!hasList) return;
    // A rate of the shop's own list needs no address.
    const ownRate = { provider: "own", serviceType: "van", cost: 3 };
    await expect(checkout({ shippingRate: ownRate })).resolves.toMatchObject({ status: "open" });
    await expect(checkout({ shippingRate: { ...ownRate, cost: 0 } })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
  });

  it("is paid for by an intent too, whose refusal names the amount that is enough", async () => {
    const [cheapest, dearer] = offered("home");
    const least = 2_000 + cheapest!;
    for (const amount of [2_000, least - 1])
      await expect(intent({ amount })).rejects.toMatchObject(refusedFor("amount", `at least ${least} cents`));
    const { paymentIntentId } = await intent({ amount: least });
    expect(await orderOfIntent(paymentIntentId)).toMatchObject({
      ...{ subtotal: 2_000, shipping: cheapest, tax: 0, total: least },
      shippingMethod: { cost: cheapest },
    });
    if (dearer)
      await expect(intent({ amount: 2_000 + dearer })).resolves.toMatchObject({
        amount: 2_000 + dearer,
        shipping: dearer,
      });
    const alaska = { ...AUSTIN, state: "AK", postalCode: "99501" };
    const thither = 2_000 + offered("alaska")[0]!;
    await expect(intent({ amount: thither - 1, shippingAddress: alaska })).rejects.toMatchObject(
      refusedFor("amount", `at least ${thither} cents`),
    );
    await expect(intent({ amount: 2_000, fulfilment: "pickup" })).resolves.toHaveProperty("clientSecret");
    await expect(intent({ quote: await quote() })).resolves.toMatchObject({ amount: 3_195, tax: 0 });
    expect((await quotes()).length).toBeGreaterThan(0);
  });

  it("has the method that the buyer chose on the page", async () => {
    const session = await shop.checkout({ items: TWO });
    const { shipping_options: shown } = await shop.stripe.checkout.sessions.retrieve(session.sessionId);
    const last = shown.at(-1)!;
    await shop.pay(session, "card", {
      shipping_rate: last.shipping_rate as string,
      shown_total: String(2_000 + last.shipping_amount),
    });
    await shop.deliver(await shop.event("checkout.session.completed", session.sessionId));
    const [order] = (await shop.orders()).filter(({ paymentKey }) => paymentKey === session.sessionId);
    expect(order).toMatchObject({ shipping: last.shipping_amount, shippingMethod: { cost: last.shipping_amount } });
    expect(order).not.toHaveProperty("shippingOffers");
  });
});

const ANCHORAGE = { line1: "1 A St", city: "Anchorage", state: "AK", postal_code: "99501", country: "US", name: "Ada" };

describe("Shipping that was paid for another place", () => {
  const shop = useStarted(() => startShop({ mode: SHOP_MODE }));
  const { quote, intent } = shipping(() => shop);
  const ordersOf = async (key: string) => (await shop.orders()).filter(({ paymentKey }) => paymentKey === key);
  const underpaid = {
    amount: 1_300,
    paidFor: "United States",
    goesTo: "Alaska, Hawaii, territories and military mail",
  };
  const paidOn = async (fields: Record<string, string>, params: object = {}) => {
    const session = await shop.checkout({ items: TWO, quote: await quote(), ...params });
    await shop.pay(session, "card", fields);
    return session.sessionId;
  };
  const placed = async (sessionId: string) => {
    await shop.deliver(await shop.event("checkout.session.completed", sessionId));
    return (await ordersOf(sessionId))[0]!;
  };
  const linkTo = (orderId: string) => createSignedTokens(shop.documents).sign(ORDER_LINK, { orderId }, 60_000);

  it("marks the order with the difference, once, however often and at the same time the webhook comes", async () => {
    const sessionId = await paidOn(ANCHORAGE);
    const event = await shop.event("checkout.session.completed", sessionId);
    await Promise.all([event, shop.asAnotherEvent(event), event].map((one) => shop.deliver(one)));
    await shop.deliver(shop.asAnotherEvent(event));
    const [order, ...others] = await ordersOf(sessionId);
    expect(others).toEqual([]);
    expect(order).toMatchObject({
      shippingUnderpaid: underpaid,
      shippingPaidFor: { country: "US", state: "TX", postalCode: "78701", weightGrams: 2_000 },
      shippingAddress: { state: "AK" },
      shipping: 1_195,
    });
    const admin = shop.as({ admin: true });
    const { orders } = await call(admin, "order.adminList", { shippingUnderpaid: true, pageSize: 100 });
    expect(orders.map(({ orderId }) => orderId)).toContain(order!._id);
    expect(orders.every((one) => one.shippingUnderpaid !== undefined)).toBe(true);
    const created = await eventually(() => shop.published.find(({ payload }) => payload.orderId === order!._id));
    expect(created.payload).toMatchObject({ shippingUnderpaid: underpaid });
    // A correction in the same zone costs no more than now.
    const token = await linkTo(order!._id);
    const moved = { ...AUSTIN, city: "Juneau", state: "AK", postalCode: "99801" };
    const kept = await call(shop.as(NOBODY), "order.setAddressByLink", { token, shippingAddress: moved });
    expect(kept.shippingUnderpaid).toMatchObject({ amount: 13 });
    await call(admin, "order.setShippingAddress", { orderId: order!._id, shippingAddress: AUSTIN });
    expect((await ordersOf(sessionId))[0]).not.toHaveProperty("shippingUnderpaid");
  });

  it("is no fault where it costs as much or less", async () => {
    const reno = { ...ANCHORAGE, city: "Reno", state: "NV", postal_code: "89501" };
    expect(await placed(await paidOn(reno))).not.toHaveProperty("shippingUnderpaid");
    const alaska = { ...AUSTIN, state: "AK", postalCode: "99501" };
    const farther = await paidOn({ ...reno, country: "US" }, { quote: await quote(TWO, alaska) });
    expect(await placed(farther)).not.toHaveProperty("shippingUnderpaid");
    // A whole address is the order's: the page asks for none.
    const whole = await paidOn({}, { shippingAddress: AUSTIN });
    expect(await placed(whole)).toMatchObject({ shippingAddress: AUSTIN });
    expect((await ordersOf(whole))[0]).not.toHaveProperty("shippingUnderpaid");
  });

  it("is found if free shipping is for one zone alone", async () => {
    shop.prices["dear-1"] = 20_000;
    const dear = [item("dear-1", { unitPrice: 200 })];
    const sessionId = await paidOn(ANCHORAGE, { items: dear, quote: await quote(dear) });
    expect(await placed(sessionId)).toMatchObject({ shipping: 0, shippingUnderpaid: { ...underpaid, amount: 1_495 } });
  });

  it("is found at the address of an intent's own form", async () => {
    const { paymentIntentId } = await intent({ quote: await quote() });
    const { name, ...address } = ANCHORAGE;
    await shop.confirm(paymentIntentId, { shipping: { name, address } });
    await shop.deliver(await shop.event("payment_intent.succeeded", paymentIntentId));
    expect((await ordersOf(paymentIntentId))[0]).toMatchObject({ shippingUnderpaid: underpaid });
  });

  it("stays known if the checkout's record went with a restored store", async () => {
    const sessionId = await paidOn(ANCHORAGE);
    await shop.documents.collection(CHECKOUTS).deleteOne({ _id: sessionId });
    expect(await placed(sessionId)).toMatchObject({ shippingUnderpaid: underpaid });
  });

  it("refuses a buyer's later address with the difference, unless the shop sets it", async () => {
    const { _id: orderId } = await placed(await paidOn({}, { shippingAddress: AUSTIN }));
    const anchorage = { ...AUSTIN, city: "Anchorage", state: "AK", postalCode: "99501" };
    const token = await linkTo(orderId);
    const byLink = (shippingAddress: object) =>
      call(shop.as(NOBODY), "order.setAddressByLink", { token, shippingAddress });
    await expect(byLink(anchorage)).rejects.toMatchObject({
      code: "SHIPPING_UNDERPAID",
      message: expect.stringContaining("13.00 more"),
      data: { ...underpaid, amount: 13 },
    });
    // The postal code alone is in the zone, too.
    await expect(byLink({ ...AUSTIN, postalCode: "99501" })).rejects.toMatchObject({ code: "SHIPPING_UNDERPAID" });
    expect(await byLink({ ...AUSTIN, postalCode: "75001" })).not.toHaveProperty("shippingUnderpaid");
    const byShop = { orderId, shippingAddress: anchorage };
    expect(await call(shop.as({ admin: true }), "order.setShippingAddress", byShop)).toMatchObject({
      shippingUnderpaid: { amount: 13 },
    });
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
    const page = async (state: string, postal_code: string) => {
      const session = await shop.checkout({ items: TWO });
      await shop.pay(session, "card", { ...ANCHORAGE, state, postal_code });
      return shop.event("checkout.session.completed", session.sessionId);
    };
    const orderOf = async (event: Stripe.Event) => {
      await shop.deliver(event);
      const { id } = event.data.object as { id: string };
      return (await shop.orders()).find(({ paymentKey }) => paymentKey === id)!;
    };
    const farther = await page("AK", "99501");
    const far = await orderOf(farther);
    expect(far).toMatchObject({
      shippingMethod: { serviceType: "GroundAdvantage", cost: 865 },
      shippingUnderpaid: { amount: 692, paidFor: "TX, US", goesTo: "AK, US" },
    });
    const later = await page("HI", "96801");
    await easyPost.close();
    // The order does not wait for the carriers.
    const { shippingUnderpaid } = await orderOf(later);
    expect(shippingUnderpaid).toEqual({ paidFor: "TX, US", goesTo: "HI, US" });
    // What was decided stays: a webhook that comes again asks no carrier.
    const warned = shop.warnings.length;
    expect((await orderOf(shop.asAnotherEvent(farther))).shippingUnderpaid).toEqual(far.shippingUnderpaid);
    expect(shop.warnings.slice(warned)).toEqual([]);
    await expect(quotes()).rejects.toMatchObject({ code: "PROVIDER_ERROR", data: { provider: "EasyPost" } });
    await shop.stop();
  });
});
