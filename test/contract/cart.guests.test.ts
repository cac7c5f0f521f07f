import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { ulid } from "ulid";
import { startNode, type RunningNode } from "../../bin/node.ts";
import { freePorts } from "../support/ports.ts";
import { testSettings } from "../support/test-settings.ts";
import { send } from "./gateway/edge-client.ts";

const ADMIN_TOKEN = "test-admin-token";
const LARGEST_BODY = 1_000_000;
const A_DAY = 4_000_000;

let node: RunningNode;
let port: number;
beforeAll(async () => {
  port = await freePorts(2);
  node = await startNode(
    testSettings({
      SERVICES: "cart,http:cart,http:payment",
      CART_PORT: String(port),
      PAYMENT_PORT: String(port + 1),
      TRUSTED_PROXIES: "127.0.0.1",
      GUEST_STORAGE_MB: String(A_DAY / 1_000_000),
      ADMIN_TOKEN,
    }),
  );
});
afterAll(() => node?.stop());

const item = { productId: "p1", partNumber: "PN-1", title: "Spark plug", quantity: 2, unitPrice: 19.99 };

/** Saves a cart in a body of so many bytes. */
function save(client: string, bytes = 0, { to = port, headers = {} } = {}) {
  const body = JSON.stringify({ cartId: `cart_${ulid()}`, items: [item] }).padEnd(bytes);
  return send(to, "POST", "/api/cart", {
    body,
    headers: { "content-type": "application/json", "x-forwarded-for": client, ...headers },
  });
}

/** Adds a line to the own cart of a guest who has none yet, or replaces that cart. */
function change(client: string, [method, path, change]: (typeof CHANGES)[number], bytes = 0) {
  const headers = { "content-type": "application/json", "x-forwarded-for": client, "x-session-id": ulid() };
  return send(port, method, path, { body: JSON.stringify(change).padEnd(bytes), headers });
}
const CHANGES = [
  ["PUT", "/api/cart/sync", { items: [item] }],
  ["POST", "/api/cart/items", { item }],
] as const;

test("guests of one address save so many MB of carts a day on all entry points, which others and admins do not use up", async () => {
  const guest = "198.51.100.7";
  for (let sent = 0; sent < A_DAY; sent += LARGEST_BODY) expect((await save(guest, LARGEST_BODY)).status).toBe(201);
  const refused = await save(guest);
  expect(refused).toMatchObject({ status: 429, json: { success: false, error: { code: "RATE_LIMITED" } } });
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(86_000);
  // A session that a guest makes up is none that is counted by itself.
  expect((await save(guest, 0, { headers: { "x-session-id": ulid() } })).status).toBe(429);
  expect((await save("198.51.100.8")).status).toBe(201);
  expect((await save(guest, 0, { headers: { "x-admin-token": ADMIN_TOKEN } })).status).toBe(201);
  expect((await save(guest, 0, { to: port + 1 })).status).toBe(429);
  for (const each of CHANGES) expect((await change(guest, each)).status).toBe(429);
});

test("own carts of guests, of which each may be of a new session, count in the same bound", async () => {
  const guest = "198.51.100.9";
  for (let sent = 0; sent < A_DAY; sent += LARGEST_BODY)
    expect((await change(guest, CHANGES[(sent / LARGEST_BODY) % 2]!, LARGEST_BODY)).status).toBe(200);
  for (const each of CHANGES) expect((await change(guest, each)).status).toBe(429);
  expect((await save(guest)).status).toBe(429);
});
