import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Stripe } from "stripe";
import { call } from "../../services/contracts.ts";
import { CHECKOUTS } from "../../services/payment/collections.ts";
import { toIntentRequest, toSessionRequest, taxRequest } from "../../services/payment/provider-requests.ts";
import { item, newCartId, refundsOf, startShop, user, type Shop } from "./payment.shop.ts";

interface Recorded {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A proxy in front of the payment sandbox that keeps every request that passes. */
async function recordingProxy() {
  const requests: Recorded[] = [];
  let target = "";
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const recorded = {
        method: request.method!,
        path: request.url!,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      requests.push(recorded);
      void send(target, recorded).then(async (answer) => {
        response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    requests,
    inFrontOf(url: string) {
      target = url;
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function send(base: string, { method, path, headers, body }: Recorded, key?: string): Promise<Response> {
  const sent = ["authorization", "content-type", "stripe-version", "idempotency-key"].flatMap(
    (name): [string, string][] => {
      const value = headers[name];
      return typeof value === "string" ? [[name, value]] : [];
    },
  );
  if (key !== undefined) sent.push(["authorization", `Bearer ${key}`]);
  return fetch(`${base}${path}`, {
    method,
    headers: Object.fromEntries(sent),
    body: method === "GET" ? undefined : body,
  });
}

/** The mock takes any key of this form. */
const MOCK_KEY = "sk_test_123";

/**
 * Stripe's own mock checks requests against the published description of its API, and refuses unknown or missing
 * parameters.
 */
const withMock = process.env.STRIPE_MOCK_URL ? describe : describe.skip;

withMock("Every request that we make to the provider", () => {
  let proxy: Awaited<ReturnType<typeof recordingProxy>>;
  let shop: Shop;

  beforeAll(async () => {
    proxy = await recordingProxy();
    shop = await startShop({ providerUrl: proxy.inFrontOf, env: { STRIPE_PROMOTION_CODES: "on" } });
  });
  afterAll(async () => {
    await shop.stop();
    proxy.close();
  });

  it("is well-formed in the eyes of Stripe's mock", async () => {
    const ada = user("user_ada");
    await call(shop.as(ada), "customer.create", { email: "ada@example.com", name: "Ada" });
    const session = await shop.checkout(
      {
        cartId: newCartId(),
        customerId: "user_ada",
        items: [item("bns-1", { quantity: 2 }), item("bns-2", { unitPrice: 2.5 })],
        shippingRate: { provider: "ups", serviceType: "ground", cost: 9.99, estimatedDays: 2.5 },
        metadata: { campaign: "spring" },
        successUrl: "https://shop.example/thanks?session_id={CHECKOUT_SESSION_ID}",
        cancelUrl: "https://shop.example/cart",
      },
      ada,
    );
    await shop.pay(session);
    const completed = await shop.event("checkout.session.completed", session.sessionId);
    const paymentIntentId = (completed.data.object as Stripe.Checkout.Session).payment_intent as string;
    await call(shop.as(ada), "payment.verify", { paymentIntentId });
    await shop.deliver(completed);

    const lost = await shop.checkout();
    await shop.pay(lost);
    await shop.documents.collection(CHECKOUTS).deleteOne({ _id: lost.sessionId });
    await call(shop.broker, "payment.reconcile", {
      since: new Date(Date.now() - 60_000),
      until: new Date(Date.now() + 60_000),
    });

    const cartId = newCartId();
    await call(shop.broker, "cart.saveForCheckout", { cartId, items: [item("bns-1")] });
    await call(shop.as(ada), "payment.createPaymentIntent", { cartId, amount: 1_500, customerId: "user_ada" });
    await call(shop.as(ada), "payment.createPaymentIntent", { cartId, amount: 1_500, customerId: "user_ada" });

    const refund = refundsOf(shop);
    const wanted = { refundId: "ref_1", paymentIntentId, amount: 500, reason: "other" as const };
    await shop.fault({ match: "POST /v1/refunds", status: 403, times: 1 });
    await expect(refund(wanted)).rejects.toMatchObject({ code: "PROVIDER_ERROR" });
    await refund(wanted);
    await refund(wanted);
    await refund({ ...wanted, refundId: "ref_2", reason: "duplicate" });

    const kinds = new Set(
      proxy.requests.map(
        ({ method, path }) => `${method} ${path.split("?")[0]!.replace(/\/(cs|pi|re|cus)_[^/]+/g, "/{id}")}`,
      ),
    );
    expect([...kinds].sort()).toEqual([
      "GET /v1/checkout/sessions",
      "GET /v1/checkout/sessions/{id}",
      "GET /v1/checkout/sessions/{id}/line_items",
      "GET /v1/events",
      "GET /v1/payment_intents/{id}",
      "GET /v1/refunds",
      "GET /v1/refunds/{id}",
      "POST /v1/checkout/sessions",
      "POST /v1/customers",
      "POST /v1/payment_intents",
      "POST /v1/refunds",
    ]);
    for (const request of proxy.requests) {
      const answer = await send(process.env.STRIPE_MOCK_URL!, request, MOCK_KEY);
      expect([request.method, request.path, request.body, answer.status, answer.ok ? "" : await answer.text()]).toEqual(
        [request.method, request.path, request.body, 200, ""],
      );
    }
    const posts = proxy.requests.filter(({ method }) => method === "POST");
    expect(posts.filter(({ headers }) => headers["idempotency-key"] === undefined)).toEqual([]);
  });

  it("also with the provider's own tax, and when a checkout is given up", async () => {
    const mock = new URL(process.env.STRIPE_MOCK_URL!);
    const stripe = new Stripe(MOCK_KEY, {
      protocol: "http",
      host: mock.hostname,
      port: Number(mock.port),
      maxNetworkRetries: 0,
    });
    const line = {
      productId: "p",
      partNumber: "1",
      name: "Plug",
      quantity: 1,
      price: 500,
      imageUrl: "https://shop.example/plug.webp",
    };
    const purchase = { cartId: null, userId: "user_a", owner: {}, items: [line], subtotal: 500, currency: "usd" };
    const input = {
      purchase,
      shop: "https://shop.example",
      lines: [line],
      successUrl: "https://shop.example/",
      cancelUrl: "https://shop.example/",
      expiresAt: new Date(Date.now() + 31 * 60_000),
      shipTo: ["US", "CA"],
      customer: "cus_1",
      automaticTax: true,
      promotionCodes: true,
    };
    await expect(stripe.checkout.sessions.create(toSessionRequest(input))).resolves.toMatchObject({
      object: "checkout.session",
    });
    const whole = {
      ...purchase,
      shippingAddress: {
        name: "Ada",
        street: "1 Main St",
        city: "Austin",
        state: "TX",
        postalCode: "78701",
        country: "US",
      },
      shippingRate: { provider: "ups", serviceType: "ground", cost: 500, estimatedDays: 3 },
      tax: 31,
    };
    const shipped = toSessionRequest({ ...input, purchase: whole });
    await expect(stripe.checkout.sessions.create(shipped)).resolves.toMatchObject({ object: "checkout.session" });
    const expand = ["payment_intent", "shipping_cost.shipping_rate", "total_details.breakdown"];
    await expect(stripe.checkout.sessions.retrieve("cs_1", { expand })).resolves.toMatchObject({ id: "cs_1" });
    const { shipping } = shipped.payment_intent_data!;
    await expect(stripe.customers.update("cus_1", { shipping })).resolves.toMatchObject({ object: "customer" });
    const tax = taxRequest(whole, { country: "US", state: "TX", postalCode: "78701" });
    await expect(stripe.tax.calculations.create(tax)).resolves.toMatchObject({ object: "tax.calculation" });
    await expect(
      stripe.paymentIntents.create(toIntentRequest(whole, "https://shop.example", 1_031, "cus_1", "taxcalc_1")),
    ).resolves.toMatchObject({ object: "payment_intent" });
    await expect(stripe.checkout.sessions.expire("cs_1")).resolves.toMatchObject({ object: "checkout.session" });
    await expect(stripe.paymentIntents.cancel("pi_1")).resolves.toMatchObject({ object: "payment_intent" });
    await expect(stripe.customers.retrieve("cus_1")).resolves.toMatchObject({ object: "customer" });
  });
});
