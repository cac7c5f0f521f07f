/**
 * HTTP side by side in one run: raw node:http, Fastify, a bare moleculer-web action, and our own endpoints, at 1 and 50
 * connections, all over loopback with the client in this process. "Fastify, same row" reads the same document from the
 * same kind of store. The aim: GET cart at least at half of it, and p99 under 10 ms at 50 connections.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer, stopServers } from "./support/child.ts";
import { load, type LoadFigures, type LoadTarget } from "./support/load.ts";
import { cartItem } from "./support/shop.ts";
import { json, startShopUnderLoad } from "./support/shop-targets.ts";
import { median } from "./support/statistics.ts";
import { printTable } from "./support/table.ts";

/** A shared machine is faster and slower from one minute to the next: all take turns. */
const ROUNDS = 3;
const SECONDS = 3;
const FASTIFY_ROW = "Fastify, same row from the same store";

const { system, hits, cartId, savedCart, targets: shopTargets } = await startShopUnderLoad();
const raw = await startServer("raw-http");
const fastify = await startServer(
  "fastify",
  mkdtempSync(join(tmpdir(), "partline-bench-")),
  cartId,
  JSON.stringify(savedCart),
);
const web = await startServer("moleculer-web");
const targets: [string, LoadTarget][] = [
  ["raw node:http, constant", { url: `http://127.0.0.1:${raw.port}/` }],
  ["Fastify, constant", { url: `http://127.0.0.1:${fastify.port}/hello` }],
  [FASTIFY_ROW, { url: `http://127.0.0.1:${fastify.port}/row/${cartId}` }],
  ["moleculer-web, constant", { url: `http://127.0.0.1:${web.port}/hello` }],
  ...shopTargets,
  [
    "POST /api/cart/items, all on one cart",
    {
      url: `${system.url("cart")}/api/cart/items`,
      method: "POST",
      headers: () => ({ ...json(), "x-session-id": "bench-session-0001" }),
      body: () => JSON.stringify({ item: cartItem(hits[Math.floor(Math.random() * hits.length)]!) }),
    },
  ],
];

for (const connections of [1, 50]) {
  const rounds: LoadFigures[][] = targets.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, [, target]] of targets.entries()) rounds[index]!.push(await load(target, connections, SECONDS));
  }
  const figure = (index: number, name: keyof LoadFigures): number =>
    median(rounds[index]!.map((figures) => figures[name]));
  const fastifyRow = targets.findIndex(([name]) => name === FASTIFY_ROW);
  printTable(
    `${connections} connection${connections === 1 ? "" : "s"}, medians of ${ROUNDS} rounds`,
    ["", "req/s", "of Fastify's row", "p50 ms", "p99 ms", "failed"],
    targets.map(([name], index) => [
      name,
      figure(index, "requestsPerSecond"),
      figure(index, "requestsPerSecond") / figure(fastifyRow, "requestsPerSecond"),
      figure(index, "p50"),
      figure(index, "p99"),
      rounds[index]!.reduce((sum, { failed }) => sum + failed, 0),
    ]),
  );
}
stopServers();
await system.stop();
