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
import { cartItem } from "./support/shop.ts";
import { json, startShopUnderLoad } from "./support/shop-targets.ts";
import { printTable } from "./support/table.ts";

const { system, hits, cartId, savedCart, targets: shopTargets } = await startShopUnderLoad();
const raw = await startServer("raw-http");
const fastify = await startServer("fastify", mkdtempSync(join(tmpdir(), "partline-bench-")), cartId, JSON.stringify(savedCart));
const web = await startServer("moleculer-web");
const targets: [string, LoadTarget][] = [
  ["raw node:http, constant", { url: `http://127.0.0.1:${raw.port}/` }],
  ["Fastify, constant", { url: `http://127.0.0.1:${fastify.port}/hello` }],
  ["Fastify, same row from the same store", { url: `http://127.0.0.1:${fastify.port}/row/${cartId}` }],
  ["moleculer-web, constant", { url: `http://127.0.0.1:${web.port}/hello` }],
  ...shopTargets,
  ["POST /api/cart/items, all on one cart", {
    url: `${system.url("cart")}/api/cart/items`, method: "POST", headers: () => ({ ...json(), "x-session-id": "bench-session-0001" }),
    body: () => JSON.stringify({ item: cartItem(hits[Math.floor(Math.random() * hits.length)]!) }),
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
