/**
 * HTTP side by side in one run: raw node:http, Fastify, a bare moleculer-web action, and our own endpoints, at 1 and 50
 * connections, all over loopback with the client in this process. "Fastify, same row" reads the same document from the
 * same kind of store. The aim: GET cart at least at half of it, and p99 under 10 ms at 50 connections.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer, stopServers } from "./support/child.ts";
import { load, type LoadTarget } from "./support/load.ts";
import { cartItem, checkOutAndPay, newCartId, orderOf, startShop, stripeSignature } from "./support/shop.ts";
import { printTable } from "./support/table.ts";

const WEBHOOK_SECRET = "whsec_bench";
const { system, hits } = await startShop({ STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET });
const hit = hits[0]!;
const json = { "content-type": "application/json" };

const cartId = newCartId();
const saved = await system.request("cart", "POST", "/api/cart", { body: { cartId, items: hits.slice(0, 3).map((part) => cartItem(part)) } });
const token = await system.token("customer");
const userId = (JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString()) as { sub: string }).sub;
const paid = await checkOutAndPay(system, hit, { value: token, userId });
const { orderId } = await orderOf(system, paid.sessionId);
const event = await completedEvent(paid.sessionId);

const raw = await startServer("raw-http");
const fastify = await startServer("fastify", mkdtempSync(join(tmpdir(), "partline-bench-")), cartId, JSON.stringify(saved.body.data));
const web = await startServer("moleculer-web");
const payment = system.url("payment");
const cart = system.url("cart");

const targets: [string, LoadTarget][] = [
  ["raw node:http, constant", { url: `http://127.0.0.1:${raw.port}/` }],
  ["Fastify, constant", { url: `http://127.0.0.1:${fastify.port}/hello` }],
  ["Fastify, same row from the same store", { url: `http://127.0.0.1:${fastify.port}/row/${cartId}` }],
  ["moleculer-web, constant", { url: `http://127.0.0.1:${web.port}/hello` }],
  ["GET /api/cart/{id}", { url: `${cart}/api/cart/${cartId}` }],
  ["GET /api/orders/{id} with token", { url: `${payment}/api/orders/${orderId}`, headers: { authorization: `Bearer ${token}` } }],
  ["POST /api/cart", { url: `${cart}/api/cart`, method: "POST", headers: json, body: () => JSON.stringify({ cartId: newCartId(), items: [cartItem(hit)] }) }],
  ["POST /api/cart/items, one cart a request", {
    url: `${cart}/api/cart/items`, method: "POST", headers: json, sessionPerRequest: true,
    body: () => JSON.stringify({ item: cartItem(hit) }),
  }],
  ["POST /api/cart/items, all on one cart", {
    url: `${cart}/api/cart/items`, method: "POST", headers: { ...json, "x-session-id": "bench-session-0001" },
    body: () => JSON.stringify({ item: cartItem(hits[Math.floor(Math.random() * hits.length)]!) }),
  }],
  ["POST /webhooks/stripe, delivered again", {
    url: `${payment}/webhooks/stripe`, method: "POST", headers: { ...json, "stripe-signature": stripeSignature(event, WEBHOOK_SECRET) }, body: () => event,
  }],
];

for (const connections of [1, 50]) {
  const rows: (string | number)[][] = [];
  let fastifyRow = NaN;
  for (const [name, target] of targets) {
    const figures = await load(target, connections);
    if (name.startsWith("Fastify, same row")) fastifyRow = figures.requestsPerSecond;
    rows.push([name, figures.requestsPerSecond, figures.requestsPerSecond / fastifyRow, figures.p50, figures.p99, figures.failed]);
  }
  printTable(`${connections} connection${connections === 1 ? "" : "s"}`, ["", "req/s", "of Fastify's row", "p50 ms", "p99 ms", "failed"], rows);
}
stopServers();
await system.stop();

/** The signed event as the provider sent it. */
async function completedEvent(sessionId: string): Promise<string> {
  const response = await fetch(`${system.sandboxUrl("payment")}/v1/events?type=checkout.session.completed&limit=10`, {
    headers: { Authorization: "Bearer sk_test_partline_sandbox" },
  });
  const { data } = (await response.json()) as { data: { data: { object: { id: string } } }[] };
  return JSON.stringify(data.find((candidate) => candidate.data.object.id === sessionId));
}
