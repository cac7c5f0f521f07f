import { describe, expect, it } from "@jest/globals";
import { ulid } from "ulid";
import { useSystem } from "../support/use-started.ts";
import type { RequestOptions } from "../support/system.ts";

const system = useSystem();

const person = () => ({ email: `${ulid().toLowerCase()}@example.com`, name: "Ada Lovelace" });
const newToken = () => system.token("customer", { sub: `user_${ulid()}` });

describe("Customers", () => {
  const request = (method: "GET" | "POST" | "PUT" | "DELETE", path: string, options?: RequestOptions) =>
    system.request("gateway", method, `/api/customers${path}`, options);

  it("are made once a user", async () => {
    const userId = `user_${ulid()}`;
    const token = await system.token("customer", { sub: userId });
    const details = { ...person(), phone: "+1 555 0100" };
    const answers = await Promise.all(Array.from({ length: 5 }, () => request("POST", "", { token, body: details })));
    for (const answer of answers) {
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({
        success: true,
        data: {
          customerId: expect.any(String),
          userId,
          ...details,
          defaultPaymentMethodId: null,
          createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      });
    }
    expect(new Set(answers.map(({ body }) => body.data.customerId)).size).toBe(1);
    const { customerId } = answers[0]!.body.data;
    // A checkout's `customerId` is the user's id.
    for (const id of [customerId, userId])
      expect(await request("GET", `/${id}`, { token })).toMatchObject({ status: 200, body: answers[0]!.body });
    expect(await request("GET", `/${userId}`, { token: await newToken() })).toMatchObject({ status: 403 });
  });

  it("need nothing that the token says, and can be sent back", async () => {
    const token = await newToken();
    const made = await request("POST", "", { token, body: {} });
    expect(made).toMatchObject({ status: 201, body: { data: { email: expect.stringContaining("@"), name: null } } });
    expect((await request("POST", "", { token, body: made.body.data })).body).toEqual(made.body);
    expect(await request("POST", "", { token, body: { userId: "user_other" } })).toMatchObject({ status: 403 });
  });

  it("save, list, choose and delete cards", async () => {
    const token = await newToken();
    const { customerId } = (await request("POST", "", { token, body: person() })).body.data;
    const intent = await request("POST", `/${customerId}/setup-intent`, { token });
    expect(intent).toMatchObject({
      status: 201,
      body: { success: true, data: { setupIntentId: expect.any(String), clientSecret: expect.any(String) } },
    });
    await confirm(intent.body.data.setupIntentId);

    const listed = await request("GET", `/${customerId}/payment-methods`, { token });
    const own = await request("GET", "/me", { token });
    expect(own.body.data.customer).toMatchObject({ customerId, paymentMethods: listed.body.data });
    const none = await request("GET", "/me", { token: await newToken() });
    expect([none.status, none.body.data]).toEqual([200, { customer: null }]);
    expect(listed).toMatchObject({
      status: 200,
      body: { data: [{ brand: "visa", last4: "4242", expMonth: 12, expYear: expect.any(Number), isDefault: false }] },
    });
    const pmId = listed.body.data[0].id;
    const chosen = await request("PUT", `/${customerId}/default-payment-method`, {
      token,
      body: { paymentMethodId: pmId },
    });
    expect(chosen).toMatchObject({ status: 200, body: { data: { customerId, defaultPaymentMethodId: pmId } } });
    expect(await request("GET", `/${customerId}/payment-methods`, { token })).toMatchObject({
      body: { data: [{ isDefault: true }] },
    });
    expect(await request("DELETE", `/${customerId}/payment-methods/${pmId}`, { token })).toMatchObject({
      status: 200,
      body: { data: { deleted: true } },
    });
    expect(await request("DELETE", `/${customerId}/payment-methods/${pmId}`, { token })).toMatchObject({ status: 404 });
    expect(await request("GET", `/${customerId}`, { token })).toMatchObject({
      body: { data: { defaultPaymentMethodId: null } },
    });
    expect(
      await request("PUT", `/${customerId}/default-payment-method`, { token, body: { paymentMethodId: pmId } }),
    ).toMatchObject({ status: 404 });
    expect(await request("PUT", `/${customerId}/default-payment-method`, { token, body: {} })).toMatchObject({
      status: 400,
    });
  });
});

/** What the provider's own form does in the shopper's browser. */
async function confirm(setupIntentId: string): Promise<void> {
  const { default: Stripe } = await import("stripe");
  const { payment } = (await import("../support/test-settings.ts")).testSettings();
  const sandbox = new URL(system.sandboxUrl("payment"));
  const stripe = new Stripe(payment.secretKey, {
    protocol: "http",
    host: sandbox.hostname,
    port: Number(sandbox.port),
  });
  await stripe.setupIntents.confirm(setupIntentId, { payment_method: "pm_card_visa" });
}
