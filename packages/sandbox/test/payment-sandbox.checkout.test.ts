import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type Stripe from "stripe";

import { eventually } from "../../../test/support/eventually.ts";
import type { Receiver, Sandbox } from "../../../test/contract/payment-sandbox.support.ts";
import {
  pageForms,
  payAsShown,
  receiver,
  refusalOf,
  sandbox,
  sessionParams,
  submit,
} from "../../../test/contract/payment-sandbox.support.ts";

let shop: Receiver;
let provider: Sandbox;

beforeAll(async () => {
  shop = await receiver();
  provider = await sandbox({ webhookUrls: [shop.url] });
});

afterAll(async () => {
  await provider.close();
  await shop.close();
});

const create = (overrides: Stripe.Checkout.SessionCreateParams = {}) =>
  provider.stripe.checkout.sessions.create(sessionParams(overrides));
const eventsOf = (type: string, id: string) =>
  shop.of(type).filter((event) => (event.data.object as { id: string }).id === id);

describe("a new session", () => {
  test("is open and unpaid, with its amounts in cents and no payment intent yet", async () => {
    const session = await create();
    expect(session).toMatchObject({
      object: "checkout.session",
      amount_subtotal: 2_100,
      amount_total: 2_600,
      currency: "usd",
      livemode: false,
      mode: "payment",
      payment_intent: null,
      payment_status: "unpaid",
      status: "open",
      client_reference_id: "cart_1700000000_abcdefgh",
      metadata: { cartId: "cart_1700000000_abcdefgh" },
      total_details: { amount_discount: 0, amount_shipping: 500, amount_tax: 0 },
      shipping_cost: { amount_subtotal: 500, amount_tax: 0, amount_total: 500 },
    });
    expect(session.id).toMatch(/^cs_test_[0-9A-Za-z]{58}$/);
    expect(session.url).toBe(`${provider.url}/c/pay/${session.id}`);
    expect(session.expires_at - session.created).toBe(24 * 3_600);
    expect(await provider.stripe.checkout.sessions.retrieve(session.id)).toEqual(session);
  });

  test("shows its lines, expanded, and page by page", async () => {
    const line = (name: string) => ({
      quantity: 1,
      price_data: { currency: "usd", unit_amount: 100, product_data: { name, metadata: { name } } },
    });
    const session = await create({ line_items: ["a", "b", "c"].map(line), shipping_options: [] });
    const page = await provider.stripe.checkout.sessions.listLineItems(session.id, { limit: 2 });
    expect(page).toMatchObject({
      object: "list",
      has_more: true,
      url: `/v1/checkout/sessions/${session.id}/line_items`,
    });
    expect(
      page.data.map((item) => [item.object, item.description, item.amount_total, item.price?.unit_amount]),
    ).toEqual([
      ["item", "a", 100, 100],
      ["item", "b", 100, 100],
    ]);
    const rest = await provider.stripe.checkout.sessions.listLineItems(session.id, {
      starting_after: page.data[1]!.id,
    });
    expect(rest.data.map((item) => item.description)).toEqual(["c"]);
    const expanded = await provider.stripe.checkout.sessions.listLineItems(session.id, {
      expand: ["data.price.product"],
    });
    const product = expanded.data[0]?.price?.product as Stripe.Product;
    expect(product).toMatchObject({ object: "product", name: "a", metadata: { name: "a" } });
  });

  /** Of one line, which lacks something or has it wrong. */
  const lineOf = (price: object, product: object = { name: "x" }) => ({
    line_items: [{ quantity: 1, price_data: { currency: "usd", unit_amount: 1_000, ...price, product_data: product } }],
  });
  const PRICE = "line_items[0][price_data]";
  const COUNTRIES = "shipping_address_collection[allowed_countries]";
  const sendsTo = (...allowed_countries: string[]) => ({ shipping_address_collection: { allowed_countries } });
  const soon = Math.floor(Date.now() / 1_000) + 600;
  test.each([
    ["no line items", { line_items: undefined }, "parameter_missing", "line_items"],
    ["no name", lineOf({}, { description: "x" }), "parameter_missing", `${PRICE}[product_data][name]`],
    [
      "an empty description",
      lineOf({}, { name: "x", description: "" }),
      "parameter_invalid_empty",
      `${PRICE}[product_data][description]`,
    ],
    ["a fraction of a cent", lineOf({ unit_amount: 10.5 }), "parameter_invalid_integer", `${PRICE}[unit_amount]`],
    ["an unknown parameter", { colour: "red" }, "parameter_unknown", "colour"],
    [
      "an unknown parameter inside",
      { shipping_address_collection: { allowed_countries: ["US"], planets: ["Mars"] } },
      "parameter_unknown",
      "shipping_address_collection[planets]",
    ],
    ["a success_url without a scheme", { success_url: "shop.test/ok" }, "url_invalid", "success_url"],
    ["a cancel_url that runs code", { cancel_url: "javascript:alert(1)" }, "url_invalid", "cancel_url"],
    ["a long metadata value", { metadata: { note: "x".repeat(501) } }, "parameter_invalid_string", "metadata[note]"],
    [
      "too many metadata keys",
      { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, "x"])) },
      "metadata_too_many_keys",
      "metadata",
    ],
    ["an expiry too soon", { expires_at: soon }, "parameter_invalid", "expires_at"],
    [
      "an address, and a question for one",
      { payment_intent_data: { shipping: { name: "Ada", address: { country: "US" } } }, ...sendsTo("US") },
      "parameter_invalid",
      "payment_intent_data[shipping]",
    ],
    ["a country that is none", sendsTo("usa"), "parameter_invalid", `${COUNTRIES}[0]`],
    ["a country that the page takes no address in", sendsTo("US", "VI"), "parameter_invalid", `${COUNTRIES}[1]`],
    [
      "less than the least amount",
      { ...lineOf({ unit_amount: 49 }), shipping_options: [] },
      "amount_too_small",
      undefined,
    ],
    ["a customer who does not exist", { customer: "cus_nobody" }, "resource_missing", "customer"],
  ])("is refused with %s", async (_case, overrides, code, param) => {
    const error = await refusalOf(create(overrides as Stripe.Checkout.SessionCreateParams));
    expect(error).toMatchObject({ type: "StripeInvalidRequestError", statusCode: 400, code, param });
    expect(error.requestId).toMatch(/^req_/);
  });

  test("keeps text from the shop as text on its page", async () => {
    const session = await create({
      line_items: [
        {
          quantity: 1,
          price_data: { currency: "usd", unit_amount: 1_000, product_data: { name: `<script>alert("1")</script>` } },
        },
      ],
    });
    const response = await fetch(session.url!);
    const page = await response.text();
    expect(page).toContain("&lt;script&gt;");
    expect(page).not.toContain("<script");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  });
});

describe("the hosted page", () => {
  test("pays with its first form as it stands and goes to success_url", async () => {
    const session = await create({ shipping_address_collection: { allowed_countries: ["US", "CA"] } });
    const response = await payAsShown(session);
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(`http://shop.test/thanks?session_id=${session.id}&from=checkout`);
    const paid = await provider.stripe.checkout.sessions.retrieve(session.id, {
      expand: ["payment_intent.latest_charge", "customer"],
    });
    const intent = paid.payment_intent as Stripe.PaymentIntent;
    expect(paid).toMatchObject({ status: "complete", payment_status: "paid", url: null, amount_total: 2_600 });
    expect(paid.customer_details).toMatchObject({ email: "shopper@example.com", name: "Jenny Rosen" });
    expect(paid.collected_information?.shipping_details?.address).toMatchObject({ country: "US", state: "CA" });
    expect(intent).toMatchObject({
      status: "succeeded",
      amount: 2_600,
      amount_received: 2_600,
      metadata: { cartId: "cart_1700000000_abcdefgh" },
    });
    expect(intent.shipping?.name).toBe("Jenny Rosen");
    expect(intent.latest_charge).toMatchObject({
      object: "charge",
      amount: 2_600,
      paid: true,
      refunded: false,
      status: "succeeded",
    });
    const [completed] = await eventually(() => {
      const found = eventsOf("checkout.session.completed", session.id);
      return found.length > 0 && found;
    });
    expect(completed?.data.object).toEqual({ ...paid, payment_intent: intent.id });
    await eventually(() => eventsOf("payment_intent.succeeded", intent.id).length === 1);
  });

  test("pays once when many press the button at the same moment, and again", async () => {
    const session = await create();
    const [form] = await pageForms(session);
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await submit(form!)).status));
    expect(statuses.sort()).toEqual([303, ...Array<number>(9).fill(409)]);
    expect(await (await submit(form!)).text()).toContain("Already paid");
    const { payment_intent } = await provider.stripe.checkout.sessions.retrieve(session.id);
    const paid = await provider.stripe.events.list({ type: "charge.succeeded", limit: 100 });
    const charges = paid.data.map(({ data }) => data.object as Stripe.Charge);
    expect(charges.filter((charge) => charge.payment_intent === payment_intent)).toHaveLength(1);
  });

  test("after a decline the session stays open, says why, and can be paid", async () => {
    const session = await create();
    const [, decline] = await pageForms(session);
    const declined = await submit(decline!);
    expect(declined.status).toBe(402);
    expect(await declined.text()).toContain("Your card was declined.");
    const open = await provider.stripe.checkout.sessions.retrieve(session.id, { expand: ["payment_intent"] });
    const intent = open.payment_intent as Stripe.PaymentIntent;
    expect(open).toMatchObject({ status: "open", payment_status: "unpaid", url: session.url });
    expect(intent).toMatchObject({
      status: "requires_payment_method",
      last_payment_error: { code: "card_declined", decline_code: "generic_decline" },
    });
    await eventually(() => eventsOf("payment_intent.payment_failed", intent.id).length === 1);
    expect((await payAsShown(open)).status).toBe(303);
    const paid = await provider.stripe.checkout.sessions.retrieve(session.id);
    expect(paid).toMatchObject({ status: "complete", payment_status: "paid", payment_intent: intent.id });
  });

  test.each([
    ["succeeded", "paid", "checkout.session.async_payment_succeeded"],
    ["failed", "unpaid", "checkout.session.async_payment_failed"],
  ])("a bank debit completes the session unpaid; later it is %s", async (outcome, paymentStatus, type) => {
    const session = await create();
    const [, , delayed] = await pageForms(session);
    expect((await submit(delayed!)).status).toBe(303);
    const pending = await provider.stripe.checkout.sessions.retrieve(session.id);
    expect(pending).toMatchObject({ status: "complete", payment_status: "unpaid" });
    await eventually(() => eventsOf("checkout.session.completed", session.id).length === 1);
    const forms = await pageForms(session);
    await submit(forms[outcome === "succeeded" ? 0 : 1]!);
    const settled = await provider.stripe.checkout.sessions.retrieve(session.id, { expand: ["payment_intent"] });
    expect(settled).toMatchObject({ status: "complete", payment_status: paymentStatus });
    expect((settled.payment_intent as Stripe.PaymentIntent).status).toBe(
      outcome === "succeeded" ? "succeeded" : "requires_payment_method",
    );
    await eventually(() => eventsOf(type, session.id).length === 1);
  });

  test("leaving goes to cancel_url and keeps the session open", async () => {
    const session = await create();
    const leave = (await pageForms(session)).at(-1)!;
    const response = await submit(leave);
    expect([response.status, response.headers.get("location")]).toEqual([303, "http://shop.test/cart"]);
    expect((await provider.stripe.checkout.sessions.retrieve(session.id)).status).toBe("open");
  });

  test("takes tax out of prices that include it, and refuses automatic tax of prices that do not say", async () => {
    const priced = (price: { tax_behavior?: "inclusive" }) => ({
      automatic_tax: { enabled: true },
      shipping_options: [],
      line_items: [
        { quantity: 1, price_data: { currency: "usd", unit_amount: 10_625, product_data: { name: "Plug" }, ...price } },
      ],
    });
    await expect(create(priced({}))).rejects.toMatchObject({ message: expect.stringContaining("tax_behavior") });
    const address = { line1: "1 Main St", city: "Austin", state: "TX", postal_code: "78701", country: "US" };
    const { id: customer } = await provider.stripe.customers.create({ shipping: { name: "Ada", address } });
    expect(await create({ ...priced({ tax_behavior: "inclusive" }), customer })).toMatchObject({
      amount_subtotal: 10_625,
      amount_total: 10_625,
      total_details: { amount_tax: 625 },
    });
  });

  test("asks again when what was entered changes the total", async () => {
    const session = await create({ automatic_tax: { enabled: true } });
    expect(session.automatic_tax).toMatchObject({ enabled: true, status: "requires_location_inputs" });
    const [form] = await pageForms(session);
    expect(form?.fields.get("shown_total")).toBe(String(2_600 + 152));
    const changed = await submit(form!, { state: "TX" });
    expect(changed.status).toBe(200);
    expect(await changed.text()).toContain("the total is $27.31");
    expect((await submit(form!)).status).toBe(303);
    const paid = await provider.stripe.checkout.sessions.retrieve(session.id);
    const lines = await provider.stripe.checkout.sessions.listLineItems(session.id);
    expect(paid).toMatchObject({
      amount_subtotal: 2_100,
      amount_total: 2_752,
      total_details: { amount_tax: 152, amount_shipping: 500 },
      automatic_tax: { status: "complete" },
    });
    expect(lines.data[0]).toMatchObject({ amount_subtotal: 2_100, amount_tax: 152, amount_total: 2_252 });
  });

  test("takes a promotion code where the session allows it", async () => {
    const session = await create({ allow_promotion_codes: true });
    const [form] = await pageForms(session);
    const refused = await submit(form!, { promotion_code: "NOPE" });
    expect([refused.status, (await refused.text()).includes("This code is invalid.")]).toEqual([400, true]);
    const applied = await submit(form!, { promotion_code: "SAVE10", shown_total: "2390" });
    expect(applied.status).toBe(303);
    expect(await provider.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      amount_total: 2_390,
      total_details: { amount_discount: 210 },
    });
  });

  test("takes a phone number where it is asked for, and says what tax consists of", async () => {
    const session = await create({
      automatic_tax: { enabled: true },
      phone_number_collection: { enabled: true },
      shipping_address_collection: { allowed_countries: ["US", "CA"] },
    });
    const [form] = await pageForms(session);
    const refused = await submit(form!, { phone: "call me" });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("your phone number")]);
    expect((await submit(form!, { country: "FR" })).status).toBe(400);
    expect((await submit(form!)).status).toBe(303);
    const paid = await provider.stripe.checkout.sessions.retrieve(session.id, {
      expand: ["total_details.breakdown", "payment_intent"],
    });
    expect(paid.customer_details?.phone).toBe("+12015550123");
    expect(paid.total_details).toMatchObject({
      amount_tax: 152,
      breakdown: { taxes: [{ amount: 152, rate: { display_name: "Sales Tax", jurisdiction: "CA" } }] },
    });
    expect((paid.payment_intent as Stripe.PaymentIntent).shipping).toMatchObject({
      name: "Jenny Rosen",
      phone: "+12015550123",
      address: { postal_code: "94080" },
    });
  });

  test("needs no payment for nothing", async () => {
    const session = await create({
      line_items: [{ quantity: 1, price_data: { currency: "usd", unit_amount: 0, product_data: { name: "Sticker" } } }],
      shipping_options: [],
    });
    expect((await payAsShown(session)).status).toBe(303);
    expect(await provider.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: "complete",
      payment_status: "no_payment_required",
      payment_intent: null,
    });
  });

  test("says so at an address that has no session", async () => {
    const response = await fetch(`${provider.url}/c/pay/cs_test_nothing`);
    expect([response.status, (await response.text()).includes("Page not found")]).toEqual([404, true]);
  });
});

describe("expiry", () => {
  test("by call closes an open session, and no other", async () => {
    const session = await create();
    const expired = await provider.stripe.checkout.sessions.expire(session.id);
    expect(expired).toMatchObject({ id: session.id, status: "expired", url: null, payment_status: "unpaid" });
    await eventually(() => eventsOf("checkout.session.expired", session.id).length === 1);
    const page = await fetch(session.url!);
    expect([page.status, (await page.text()).includes("expired")]).toEqual([410, true]);
    const error = await refusalOf(provider.stripe.checkout.sessions.expire(session.id));
    expect(error.message).toContain(`Only Checkout Sessions with a status in ["open"] can be expired`);
  });

  test("by time closes the session and cancels its unpaid intent", async () => {
    const own = await sandbox({ webhookUrls: [shop.url] });
    const session = await own.stripe.checkout.sessions.create(
      sessionParams({ expires_at: Math.floor(Date.now() / 1_000) + 1_800 }),
    );
    const [, decline] = await pageForms(session);
    await submit(decline!);
    await own.control("/clock", { advanceSeconds: 1_801 });
    await eventually(() => eventsOf("checkout.session.expired", session.id).length === 1);
    const expired = await own.stripe.checkout.sessions.retrieve(session.id, { expand: ["payment_intent"] });
    expect(expired.status).toBe("expired");
    expect(expired.payment_intent).toMatchObject({ status: "canceled", cancellation_reason: "automatic" });
    await own.close();
  });
});

test("lists sessions by status, payment intent and time, newest first", async () => {
  const own = await sandbox();
  const sessions: Stripe.Checkout.Session[] = [];
  for (let index = 0; index < 3; index += 1) sessions.push(await own.stripe.checkout.sessions.create(sessionParams()));
  await payAsShown(sessions[1]!);
  const paid = await own.stripe.checkout.sessions.retrieve(sessions[1]!.id);
  const ids = async (params: Stripe.Checkout.SessionListParams) =>
    (await own.stripe.checkout.sessions.list(params)).data.map((session) => session.id);
  expect(await ids({})).toEqual(sessions.map((session) => session.id).reverse());
  expect(await ids({ status: "complete" })).toEqual([paid.id]);
  expect(await ids({ payment_intent: String(paid.payment_intent) })).toEqual([paid.id]);
  expect(await ids({ created: { gt: Math.floor(Date.now() / 1_000) + 60 } })).toEqual([]);
  expect(await ids({ limit: 1, starting_after: sessions[2]!.id })).toEqual([paid.id]);
  const all: string[] = [];
  for await (const session of own.stripe.checkout.sessions.list({ limit: 1 })) all.push(session.id);
  expect(all).toHaveLength(3);
  expect(await refusalOf(own.stripe.checkout.sessions.list({ limit: 101 }))).toMatchObject({ param: "limit" });
  expect(await refusalOf(own.stripe.checkout.sessions.retrieve("cs_test_none"))).toMatchObject({
    statusCode: 404,
    code: "resource_missing",
  });
  await own.close();
});
