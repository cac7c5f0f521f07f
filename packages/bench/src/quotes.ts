/**
 * What a quote of shipping costs takes: 100 lines by the default table, over HTTP at one connection and at 32. Beside
 * it: one line, the same 100 lines as a saved cart is read, and a constant answer of node:http to the same request.
 * Aim: a p50 of less than 3 ms at one connection.
 */
import { startServer, stopServers } from "./support/child.ts";
import { untilAtRest } from "./support/at-rest.ts";
import { load, type LoadTarget } from "./support/load.ts";
import { cartItem, newCartId, startShop, type SearchHit } from "./support/shop.ts";
import { json } from "./support/shop-targets.ts";
import { printTable } from "./support/table.ts";

const LINES = 100;
const AIM_MS = 3;

const { system } = await startShop();
const { body } = await system.request("gateway", "GET", `/api/search?limit=${LINES}&q=`);
const hits = (body as { parts: (SearchHit & { unitPrice: number | null; status: string })[] }).parts.filter(
  ({ unitPrice, status }) => unitPrice !== null && status === "active",
) as SearchHit[];
const lines = Array.from({ length: LINES }, (_, index) => cartItem(hits[index % hits.length]!));
const destination = { country: "US", state: "TX", postalCode: "78701" };
const createTarget = (items: object[]): LoadTarget => ({
  url: `${system.url("payment")}/api/shipping/quotes`,
  method: "POST",
  headers: json,
  body: () => JSON.stringify({ items, destination }),
});
const cartId = newCartId();
await system.request("payment", "POST", "/api/cart", { body: { cartId, items: lines } });
const raw = await startServer("raw-http");
await untilAtRest(system.url("gateway"));

const targets: [string, LoadTarget][] = [
  [`a quote of ${LINES} lines, ${new Set(lines.map(({ productId }) => productId)).size} parts`, createTarget(lines)],
  ["a quote of one line", createTarget(lines.slice(0, 1))],
  [`GET /api/cart/{id} of ${LINES} lines`, { url: `${system.url("payment")}/api/cart/${cartId}` }],
  [`node:http, constant, sent ${LINES} lines`, { ...createTarget(lines), url: `http://127.0.0.1:${raw.port}/` }],
];
for (const connections of [1, 32]) {
  const rows: (string | number)[][] = [];
  for (const [name, target] of targets) {
    const { requestsPerSecond, p50, p99, failed } = await load(target, connections);
    rows.push([name, requestsPerSecond, p50, p99, failed]);
  }
  const aim = connections === 1 ? ` (aim: a quote's p50 under ${AIM_MS} ms)` : "";
  printTable(`${connections} at once${aim}`, ["", "req/s", "p50 ms", "p99 ms", "failed"], rows);
  if (connections === 1 && Number(rows[0]![2]) >= AIM_MS) process.exitCode = 1;
}
await system.stop();
stopServers();
