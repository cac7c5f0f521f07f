import { beforeAll, describe, expect, it } from "@jest/globals";
import Stripe from "stripe";
import { formsOf, submit } from "../contract/payment-sandbox.support.ts";
import { eventually } from "../support/eventually.ts";
import { createSandboxStripe } from "../support/payment-sandbox.ts";
import { ADMIN_TOKEN, startSystem } from "../support/system.ts";
import { useStarted } from "../support/use-started.ts";

const WEBHOOK_SECRET = "whsec_partline_of_the_test";

const system = useStarted(() => startSystem({ env: { STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET } }));
let stripe: Stripe;
beforeAll(async () => {
  stripe = createSandboxStripe(system.sandboxUrl("payment"));
});

async function paidSession(): Promise<{ sessionId: string; event: Stripe.Event }> {
  const { parts } = (await system.request("search", "GET", "/api/search?limit=1&minPrice=1")).body;
  const { productId, partNumber, title, unitPrice } = parts[0];
  const opened = await system.request("payment", "POST", "/api/checkout/session", {
    body: { items: [{ productId, partNumber, title, unitPrice, quantity: 1 }] },
  });
  expect(opened.status).toBe(200);
  const { sessionId, url } = opened.body.data;
  await sandboxWebhooks({ paused: true });
  await submit(formsOf(await (await fetch(url)).text(), url)[0]!);
  const events = await stripe.events.list({ type: "checkout.session.completed", limit: 20 });
  return {
    sessionId,
    event: events.data.find(({ data }) => (data.object as Stripe.Checkout.Session).id === sessionId)!,
  };
}

const sandboxWebhooks = (body: object) =>
  fetch(`${system.sandboxUrl("payment")}/sandbox/webhooks`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

function deliver(
  payload: string,
  { secret = WEBHOOK_SECRET, age = 0, signature }: { secret?: string; age?: number; signature?: string } = {},
) {
  const timestamp = Math.floor(Date.now() / 1000) - age;
  const header = signature ?? Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return system.request("payment", "POST", "/webhooks/stripe", {
    rawBody: payload,
    headers: { "Content-Type": "application/json", "Stripe-Signature": header },
  });
}

const bySession = (sessionId: string) => system.request("payment", "GET", `/api/orders/by-session/${sessionId}`);

describe("POST /webhooks/stripe", () => {
  it("makes one order of an event that is delivered ten times at once and once more, with any spacing", async () => {
    const { sessionId, event } = await paidSession();
    const payload = JSON.stringify(event, null, 4);
    const answers = await Promise.all(Array.from({ length: 10 }, () => deliver(payload)));
    for (const answer of [...answers, await deliver(payload)])
      expect(answer).toMatchObject({ status: 200, body: { received: true } });
    const { orderId } = (await bySession(sessionId)).body.data;
    const all = await system.request("payment", "GET", "/api/admin/orders?pageSize=100", { adminToken: ADMIN_TOKEN });
    expect(all.body.data.orders.filter((order: { sessionId: string }) => order.sessionId === sessionId)).toMatchObject([
      { orderId },
    ]);
    const history = await eventually(async () => {
      const { events } = (await system.request("eventstore", "GET", `/events?aggregate_id=${orderId}`)).body;
      return events.length > 0 && events;
    });
    expect(history).toMatchObject([{ event_type: "ORDER_CREATED", version: 1 }]);
  });

  it("refuses what is signed and is no event, or one with a field amiss, and makes nothing of it", async () => {
    for (const body of [
      "null",
      "5",
      "[]",
      "{}",
      "{",
      JSON.stringify({ id: { $gt: "" }, type: "charge.refunded", data: { object: {} } }),
      '{"id":"evt_1","type":"charge.refunded","data":null}',
    ]) {
      expect(await deliver(body)).toMatchObject({ status: 400, body: { error: { code: "INVALID_JSON" } } });
    }
    const { sessionId, event } = await paidSession();
    const odd = [
      { payment_status: "banana" },
      { amount_total: null },
      { amount_total: -1 },
      { currency: null },
      { payment_intent: { id: { $gt: "" } } },
    ];
    for (const fields of odd) {
      const payload = JSON.stringify({ ...event, data: { object: { ...event.data.object, ...fields } } });
      expect(await deliver(payload)).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_FAILED" } } });
    }
    expect((await bySession(sessionId)).status).toBe(404);
    // Nothing of it was kept under the event's id: the event itself still has its effect.
    expect(await deliver(JSON.stringify(event))).toMatchObject({ status: 200 });
    expect((await bySession(sessionId)).status).toBe(200);
  });

  it("is delivered by the provider itself, which repeats what failed", async () => {
    await sandboxWebhooks({ paused: false });
    const { sessionId } = await paidSession();
    await sandboxWebhooks({ paused: false });
    await eventually(async () => (await bySession(sessionId)).status === 200);
  });
});
