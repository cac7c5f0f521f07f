/**
 * Paid webhooks, each delivered once by a provider in another process (this one), 32 at a time: from the request to the
 * 200, after which order, payment, event and cleared cart are durable. Beside it: the same node's answer to a webhook
 * whose type it drops.
 */
import { randomUUID } from "node:crypto";
import { eventually } from "../test/support/eventually.ts";
import { cartItem, newCartId, startShop, stripeSignature } from "./support/shop.ts";
import { percentile } from "./support/statistics.ts";
import { printTable } from "./support/table.ts";

const [SESSIONS, AT_ONCE] = [1_200, 32];
const SECRET = "whsec_partline_bench";
const { system, hits } = await startShop({ STRIPE_WEBHOOK_SECRET: SECRET });

const sessions: string[] = [];
await eachOf(SESSIONS, AT_ONCE, async (index) => {
  const body = { cartId: newCartId(), items: [cartItem(hits[index % hits.length]!)] };
  const saved = await system.request("payment", "POST", "/api/cart", { body });
  const { status, body: opened } = await system.request("payment", "POST", "/api/checkout/session", { body });
  if (saved.status !== 201 || status !== 200) throw new Error(`A checkout answered ${saved.status} and ${status}`);
  sessions.push((opened as { data: { sessionId: string } }).data.sessionId);
});
const events = await Promise.all(sessions.map(async (id) => eventOf("checkout.session.completed", await paid(id))));

const took = await deliver(events);
const dropped = await deliver(sessions.map((id) => eventOf("charge.updated", { id, object: "charge" })));
const made = await eventually(async () => {
  const { body } = await system.request("payment", "GET", "/api/admin/orders?pageSize=1", {
    adminToken: system.env.ADMIN_TOKEN,
  });
  const { total } = (body as { data: { pagination: { total: number } } }).data.pagination;
  return total === SESSIONS && total;
});
await system.stop();

printTable(
  `${SESSIONS} paid webhooks, ${AT_ONCE} at once (aim: 150 a second, p99 under 400 ms)`,
  ["", "a second", "p50 ms", "p99 ms", "orders"],
  [
    ["to a complete order", ...figures(took), made],
    ["of a type without an effect", ...figures(dropped), 0],
  ],
);

/** The session as the provider tells of it once it is paid. */
async function paid(id: string): Promise<object> {
  const answer = await fetch(`${system.sandboxUrl("payment")}/v1/checkout/sessions/${id}`, {
    headers: { Authorization: "Bearer sk_test_partline_sandbox" },
  });
  const session = (await answer.json()) as object;
  return {
    ...session,
    status: "complete",
    payment_status: "paid",
    payment_intent: `pi_${randomUUID().replaceAll("-", "")}`,
    customer_details: { email: "shopper@example.com", name: "Jenny Rosen", phone: "+15550100" },
    collected_information: {
      shipping_details: {
        name: "Jenny Rosen",
        address: { line1: "1 Main St", line2: null, city: "Reno", state: "NV", postal_code: "89501", country: "US" },
      },
    },
  };
}

function eventOf(type: string, object: object): string {
  const created = Math.floor(Date.now() / 1000);
  return JSON.stringify({ id: `evt_${randomUUID()}`, object: "event", type, created, data: { object } });
}

/** @returns milliseconds of each, ascending, and of all together */
async function deliver(bodies: readonly string[]): Promise<{ each: Float64Array; all: number }> {
  const each: number[] = [];
  const startedAt = performance.now();
  await eachOf(bodies.length, AT_ONCE, async (index) => {
    const body = bodies[index]!;
    const sentAt = performance.now();
    const answer = await fetch(`${system.url("payment")}/webhooks/stripe`, {
      method: "POST",
      body,
      headers: { "Content-Type": "application/json", "Stripe-Signature": stripeSignature(body, SECRET) },
    });
    await answer.text();
    if (answer.status !== 200) throw new Error(`A webhook answered ${answer.status}`);
    each.push(performance.now() - sentAt);
  });
  return { each: Float64Array.from(each).sort(), all: performance.now() - startedAt };
}

function figures({ each, all }: { each: Float64Array; all: number }): number[] {
  return [(each.length * 1_000) / all, percentile(each, 0.5), percentile(each, 0.99)];
}

async function eachOf(count: number, atOnce: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
