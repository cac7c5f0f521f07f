import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import Stripe from "stripe";

import type { Sandbox } from "../../../test/contract/payment-sandbox.support.ts";
import { sandbox, SECRET_KEY, sessionParams } from "../../../test/contract/payment-sandbox.support.ts";

const MOCK_URL = process.env["STRIPE_MOCK_URL"];
const suite = MOCK_URL ? describe : describe.skip;

/** A request that the sandbox took and the provider's own mock, which knows the published description, did not. */
type Disagreement = { request: string; form: string; mock: string };

/**
 * The provider's mock checks the shape of requests against the provider's published API description, and keeps no
 * state. So the mock must take all that the sandbox takes: otherwise the shop could come to rely on something that the
 * provider refuses.
 */
suite("the provider's own mock", () => {
  let provider: Sandbox;
  let stripe: Stripe;
  const disagreements: Disagreement[] = [];
  let compared = 0;

  /** Sends a request to the sandbox, and to the mock as well when the sandbox took it. */
  const toBoth: typeof fetch = async (input, init) => {
    const url = new URL(String(input));
    const answer = await fetch(url, init);
    if (answer.ok) {
      compared += 1;
      const check = await fetch(new URL(url.pathname + url.search, MOCK_URL), { ...init, signal: null });
      const text = await check.text();
      if (!check.ok)
        disagreements.push({
          request: `${init?.method} ${url.pathname}`,
          form: decodeURIComponent(String(init?.body ?? url.search)),
          mock: text,
        });
    }
    return answer;
  };

  beforeAll(async () => {
    provider = await sandbox();
    const httpClient = Stripe.createFetchHttpClient(toBoth);
    stripe = new Stripe(SECRET_KEY, {
      host: "127.0.0.1",
      port: provider.port,
      protocol: "http",
      maxNetworkRetries: 0,
      telemetry: false,
      httpClient,
    });
  });

  afterAll(() => provider.close());

  /** Every parameter that the sandbox knows. */
  const widest: Stripe.Checkout.SessionCreateParams = sessionParams({
    adaptive_pricing: { enabled: false },
    allow_promotion_codes: true,
    automatic_tax: { enabled: true },
    expand: ["payment_intent", "customer"],
    expires_at: Math.floor(Date.now() / 1_000) + 3_600,
    line_items: [
      {
        quantity: 3,
        price_data: {
          currency: "usd",
          unit_amount: 1_234,
          tax_behavior: "inclusive",
          product_data: {
            name: "Filter",
            description: "Air filter",
            images: ["http://shop.test/a.webp"],
            metadata: { partNumber: "1" },
          },
        },
      },
    ],
    payment_intent_data: { metadata: { cartId: "cart_1" } },
    phone_number_collection: { enabled: true },
    shipping_address_collection: { allowed_countries: ["US", "CA"] },
  });

  const shipping = {
    name: "Ada",
    phone: "+15550100",
    address: { line1: "1 Main St", line2: "Apt 2", city: "Austin", state: "TX", postal_code: "78701", country: "US" },
  };

  const widestIntent: Stripe.PaymentIntentCreateParams = {
    amount: 5_000,
    automatic_payment_methods: { enabled: true, allow_redirects: "never" },
    currency: "usd",
    metadata: { cartId: "cart_1" },
    shipping,
  };

  const widestCustomer: Stripe.CustomerCreateParams = {
    email: "ada@example.com",
    metadata: { userId: "user_1" },
    name: "Ada",
    phone: "+15550100",
    shipping,
  };

  const widestSetup: Stripe.SetupIntentCreateParams = {
    automatic_payment_methods: { enabled: true, allow_redirects: "never" },
    usage: "off_session",
  };

  test("takes every call that the sandbox takes", async () => {
    const session = await stripe.checkout.sessions.create(widest);
    await stripe.checkout.sessions.listLineItems(session.id, { limit: 1, expand: ["data.price.product"] });
    await stripe.checkout.sessions.list({
      status: "open",
      created: { gte: 1, lt: 2_000_000_000 },
      limit: 3,
    });
    await stripe.checkout.sessions.list({ payment_intent: "pi_1" });
    await stripe.checkout.sessions.expire(session.id);

    const customer = await stripe.customers.create(widestCustomer);
    await stripe.customers.update(customer.id, { name: "Ada L", metadata: { userId: "user_2" } });
    await stripe.customers.list({ email: "ada@example.com", limit: 2, created: 1 });
    await stripe.checkout.sessions.create(
      sessionParams({ customer: customer.id, customer_update: { address: "auto", shipping: "auto" } }),
    );
    const calculation = await stripe.tax.calculations.create({
      currency: "usd",
      line_items: [{ amount: 1_000, quantity: 2, reference: "1", tax_behavior: "exclusive" }],
      customer_details: { address: shipping.address, address_source: "shipping" },
      shipping_cost: { amount: 500, tax_behavior: "exclusive" },
    });
    await stripe.paymentIntents.create({
      amount: 1_500,
      currency: "usd",
      hooks: { inputs: { tax: { calculation: calculation.id! } } },
    });
    const shipped = await stripe.checkout.sessions.create(sessionParams({ payment_intent_data: { shipping } }));
    await stripe.checkout.sessions.retrieve(shipped.id, { expand: ["total_details.breakdown", "payment_intent"] });
    const setup = await stripe.setupIntents.create({ ...widestSetup, customer: customer.id });
    const saved = await stripe.setupIntents.confirm(setup.id, {
      payment_method: "pm_card_visa",
      return_url: "http://shop.test/",
    });
    await stripe.setupIntents.retrieve(setup.id, { expand: ["customer"] });
    const method = String(saved.payment_method);
    await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method } });
    await stripe.customers.retrieve(customer.id);
    await stripe.customers.listPaymentMethods(customer.id, { type: "card", limit: 100 });
    await stripe.customers.retrievePaymentMethod(customer.id, method);
    const second = await stripe.paymentMethods.attach("pm_card_mastercard", { customer: customer.id });
    await stripe.paymentMethods.detach(second.id);

    const intent = await stripe.paymentIntents.create({ ...widestIntent, customer: customer.id });
    await stripe.paymentIntents.update(intent.id, {
      metadata: { a: "b" },
    });
    await stripe.paymentIntents.confirm(intent.id, {
      payment_method: method,
      return_url: "http://shop.test/",
      expand: ["latest_charge"],
    });
    await stripe.paymentIntents.retrieve(intent.id, { expand: ["latest_charge", "customer"] });
    await stripe.paymentIntents.list({ customer: customer.id, limit: 1 });
    await stripe.paymentIntents.cancel((await stripe.paymentIntents.create({ amount: 100, currency: "usd" })).id);
    const refund = await stripe.refunds.create({
      payment_intent: intent.id,
      amount: 100,
      reason: "duplicate",
      metadata: { a: "b" },
    });
    await stripe.refunds.create({ payment_intent: intent.id, reason: "fraudulent" });
    await stripe.refunds.retrieve(refund.id);
    await stripe.refunds.list({ payment_intent: intent.id, limit: 5 });
    await stripe.disputes.list({ charge: String(refund.charge) });
    const [event] = (await stripe.events.list({ type: "charge.refunded", limit: 1 })).data;
    await stripe.events.retrieve(event!.id);
    await stripe.events.list({ types: ["charge.refunded", "refund.created"], created: { gt: 1 } });
    await stripe.customers.del(customer.id);
    expect(disagreements).toEqual([]);
    expect(compared).toBeGreaterThan(35);
  });

  type Parameters = Record<string, unknown>;

  const creations: [string, Parameters, (params: Parameters) => Promise<unknown>][] = [
    ["a session", widest as Parameters, (params) => stripe.checkout.sessions.create(params)],
    [
      "a payment intent",
      widestIntent as unknown as Parameters,
      (params) => stripe.paymentIntents.create(params as unknown as Stripe.PaymentIntentCreateParams),
    ],
    ["a customer", widestCustomer as Parameters, (params) => stripe.customers.create(params)],
    ["a setup intent", widestSetup as Parameters, (params) => stripe.setupIntents.create(params)],
    [
      "a list of sessions",
      { status: "open", limit: 3, created: { gte: 1 }, starting_after: "x", expand: ["data.customer"] },
      (params) => stripe.checkout.sessions.list(params),
    ],
    [
      "a list of refunds",
      { payment_intent: "pi_1", limit: 3, created: { gte: 1 } },
      (params) => stripe.refunds.list(params),
    ],
    [
      "a list of events",
      { type: "refund.created", types: ["refund.created"], limit: 3, created: { gte: 1 } },
      (params) => stripe.events.list(params),
    ],
  ];

  test.each(creations)("takes every variation of %s that the sandbox takes", async (_name, base, create) => {
    const values = fc.constantFrom<unknown>(
      undefined,
      "",
      "x",
      0,
      -1,
      1.5,
      100,
      true,
      {},
      [],
      { enabled: true },
      { x: "" },
      ["US"],
      [{ quantity: 1 }],
      "a".repeat(300),
    );
    const names = fc.constantFrom(...Object.keys(base), "colour");
    await fc.assert(
      fc.asyncProperty(names, values, names, names, values, async (name, value, container, child, childValue) => {
        const changed: Parameters = { ...base, [name]: value };
        const held = changed[container];
        if (typeof held === "object" && held !== null && !Array.isArray(held))
          changed[container] = { ...held, [child]: childValue };
        disagreements.length = 0;
        await create(changed).catch((error: unknown) => {
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
        });
        expect(disagreements).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});
