import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import Stripe from "stripe";

import type { Sandbox } from "../../../test/contract/payment-sandbox.support.ts";
import {
  client,
  refusalOf,
  sandbox,
  SECRET_KEY,
  sessionParams,
} from "../../../test/contract/payment-sandbox.support.ts";

let provider: Sandbox;

beforeAll(async () => {
  provider = await sandbox();
});

afterAll(() => provider.close());

/** A request by hand, where the client would not let it out. */
const send = (path: string, init: RequestInit & { key?: string } = {}) =>
  fetch(`${provider.url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${init.key ?? SECRET_KEY}`, ...init.headers },
  });
const bodyOf = async (response: Response) =>
  (await response.json()) as { id?: string; error?: Record<string, unknown> };

describe("authentication", () => {
  test("takes the key as Bearer", async () => {
    expect((await send("/v1/customers")).status).toBe(200);
  });

  test("answers 401 without a key or with another one, which it does not repeat", async () => {
    const missing = await fetch(`${provider.url}/v1/customers`);
    expect([missing.status, (await bodyOf(missing)).error?.["type"]]).toEqual([401, "invalid_request_error"]);
    const error = await refusalOf(client(provider.port, "sk_test_somebody_elses_key_9876").customers.list());
    expect(error).toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
    expect(error.message).toMatch(/^Invalid API Key provided: sk_test_\*+9876$/);
  });
});

describe("requests", () => {
  test("speaks the version that the client pins, and no other", async () => {
    expect(
      (await send("/v1/customers", { headers: { "stripe-version": Stripe.API_VERSION } })).headers.get(
        "stripe-version",
      ),
    ).toBe(Stripe.API_VERSION);
    expect((await send("/v1/customers", { headers: { "stripe-version": "2020-08-27" } })).status).toBe(400);
  });

  test.each([
    ["an address that does not exist", "/v1/nothing", "GET", 404],
    ["a method that does not exist", "/v1/events", "DELETE", 404],
  ])("answers %s with its error object", async (_case, path, method, status) => {
    const response = await send(path, { method });
    expect(response.status).toBe(status);
    expect((await bodyOf(response)).error?.["message"]).toContain(`Unrecognized request URL (${method}: ${path})`);
  });

  test.each([
    ["JSON", { "content-type": "application/json" }, `{"amount":100}`],
    [
      "a name that is value and container",
      { "content-type": "application/x-www-form-urlencoded" },
      "metadata=a&metadata[b]=c",
    ],
    ["a name that does not close", { "content-type": "application/x-www-form-urlencoded" }, "metadata[b=c"],
    [
      "a name that nests without end",
      { "content-type": "application/x-www-form-urlencoded" },
      `a${"[a]".repeat(50)}=1`,
    ],
  ])("refuses %s", async (_case, headers, body) => {
    const response = await send("/v1/customers", { method: "POST", headers, body });
    expect([response.status, (await bodyOf(response)).error?.["type"]]).toEqual([400, "invalid_request_error"]);
  });

  test("expands what can be expanded and refuses the rest", async () => {
    const session = await provider.stripe.checkout.sessions.create(sessionParams());
    const retrieve = (path: string) => provider.stripe.checkout.sessions.retrieve(session.id, { expand: [path] });
    expect((await retrieve("shipping_cost.shipping_rate")).shipping_cost?.shipping_rate).toMatchObject({
      object: "shipping_rate",
      display_name: "UPS Ground",
    });
    expect((await retrieve("customer")).customer).toBeNull();
    expect((await refusalOf(retrieve("metadata"))).message).toBe("This property cannot be expanded (metadata).");
    expect((await refusalOf(retrieve("nothing.at.all"))).message).toContain("cannot be expanded");
    expect((await refusalOf(retrieve("payment_intent.latest_charge.a.b.c"))).message).toContain("more than 4 levels");
    const lines = await provider.stripe.checkout.sessions.listLineItems(session.id, { expand: ["data.price.product"] });
    expect(lines.data[0]?.price?.product).toMatchObject({ object: "product", name: "Spark plug" });
  });
});

describe("idempotency keys", () => {
  const create = (email: string, idempotencyKey: string) =>
    provider.stripe.customers.create({ email }, { idempotencyKey });

  test("are refused for other parameters and for another endpoint", async () => {
    await create("bob@example.com", "key-other");
    const error = await refusalOf(create("eve@example.com", "key-other"));
    expect(error).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
    expect([error.statusCode, error.message]).toEqual([400, expect.stringContaining("same parameters")]);
    const elsewhere = await refusalOf(provider.stripe.setupIntents.create({}, { idempotencyKey: "key-other" }));
    expect([elsewhere.rawType, elsewhere.message]).toEqual([
      "idempotency_error",
      expect.stringContaining("same endpoint"),
    ]);
  });

  test("stay free after a request that did not validate, and keep what the work itself refused", async () => {
    await refusalOf(create("not an address", "key-valid"));
    expect((await create("carol@example.com", "key-valid")).email).toBe("carol@example.com");
    const { id } = await provider.stripe.paymentIntents.create({ amount: 500, currency: "usd" });
    const declined = () =>
      provider.stripe.paymentIntents.confirm(
        id,
        { payment_method: "pm_card_chargeDeclined" },
        { idempotencyKey: "key-declined" },
      );
    const [first, second] = [await refusalOf(declined()), await refusalOf(declined())];
    expect(second.requestId).not.toBe(first.requestId);
    expect([first.statusCode, second.statusCode]).toEqual([402, 402]);
    const failed = await provider.stripe.events.list({ type: "payment_intent.payment_failed" });
    expect(failed.data.filter(({ data }) => (data.object as { id: string }).id === id)).toHaveLength(1);
  });

  test("are for one request at a time", async () => {
    await provider.control("/faults", { match: "POST /v1/customers", delayMs: 300, times: 1 });
    const outcomes = await Promise.allSettled([
      create("dan@example.com", "key-busy"),
      create("dan@example.com", "key-busy"),
    ]);
    const failed = outcomes
      .filter((outcome) => outcome.status === "rejected")
      .map((outcome) => outcome.reason as Stripe.errors.StripeError);
    expect(failed.map(({ statusCode, code, rawType }) => ({ statusCode, code, rawType }))).toEqual([
      { statusCode: 409, code: "idempotency_key_in_use", rawType: "idempotency_error" },
    ]);
    expect((await provider.stripe.customers.list({ email: "dan@example.com" })).data).toHaveLength(1);
  });
});

describe("faults", () => {
  const refundable = async () => {
    const { id } = await provider.stripe.paymentIntents.create({ amount: 1_000, currency: "usd" });
    return (await provider.stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" })).id;
  };

  test("fail so many requests, then let them through", async () => {
    const payment_intent = await refundable();
    await provider.control("/faults", { match: "POST /v1/refunds", status: 500, times: 2 });
    const refund = () => provider.stripe.refunds.create({ payment_intent }, { idempotencyKey: "key-fault" });
    expect(await refusalOf(refund())).toMatchObject({ statusCode: 500, type: "StripeAPIError" });
    expect(await refusalOf(refund())).toMatchObject({ statusCode: 500 });
    expect((await refund()).status).toBe("succeeded");
  });

  test("lose the answer of work that was done; the key brings it back", async () => {
    const payment_intent = await refundable();
    await provider.control("/faults", { match: "POST /v1/refunds", status: 500, afterWork: true, times: 1 });
    const refund = () => provider.stripe.refunds.create({ payment_intent }, { idempotencyKey: "key-lost" });
    await refusalOf(refund());
    const { data } = await provider.stripe.refunds.list({ payment_intent });
    expect(data).toHaveLength(1);
    expect((await refund()).id).toBe(data[0]?.id);
  });

  test("hang until the caller gives up, and are cleared", async () => {
    await provider.control("/faults", { match: "GET /v1/events", hang: true });
    const impatient = client(provider.port);
    expect(await refusalOf(impatient.events.list({}, { timeout: 150 }))).toBeInstanceOf(
      Stripe.errors.StripeConnectionError,
    );
    expect(await provider.control("/faults", undefined, "DELETE")).toEqual({ faults: [] });
    expect((await provider.stripe.events.list()).object).toBe("list");
  });

  test("are not taken from a page of another site", async () => {
    const response = await fetch(`${provider.url}/sandbox/faults`, {
      method: "POST",
      body: `{"hang":true}`,
    });
    expect(response.status).toBe(415);
  });
});

describe("for people", () => {
  test("the index says what the sandbox is and what happened lately", async () => {
    const session = await provider.stripe.checkout.sessions.create(sessionParams());
    const response = await fetch(provider.url);
    const page = await response.text();
    expect(response.headers.get("content-type")).toContain("text/html");
    expect(page).toContain("Payment sandbox: no real money moves here.");
    expect(page).toContain(`href="/c/pay/${session.id}"`);
  });

  test("an address that has no page is 404, a method that it does not have 405, and a body beyond bounds 413", async () => {
    expect((await fetch(`${provider.url}/nowhere`)).status).toBe(404);
    const wrong = await fetch(`${provider.url}/sandbox/ledger`, { method: "POST" });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET"]);
    const large = await send("/v1/customers", {
      method: "POST",
      body: new URLSearchParams({ description: "x".repeat(5_000_000) }),
    });
    expect(large.status).toBe(413);
  });
});
