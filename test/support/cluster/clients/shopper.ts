import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { formsOf, submit } from "../../../contract/payment-sandbox.support.ts";
import { cents, JSON_TYPE, type Client } from "./client.ts";
import type { Shop } from "./shop.ts";

const WORDS = ["carburetor", "belt", "blade", "spark plug", "filter", "gasket", "pulley", "tire"];
/** Looks for an order whose webhook is on its way: so many, so far apart. */
const LOOKS = 60;
const LOOK_MS = 500;

/** Looks for a part, fills a cart of their own, and reads it. */
export async function browse(client: Client, shop: Shop): Promise<void> {
  const q = pick(WORDS);
  await client.do(
    "search",
    { q },
    { entry: "gateway", method: "GET", path: `/api/search?q=${encodeURIComponent(q)}&limit=10` },
    (status, body) => (status === 200 ? { total: body.pagination.total as number } : undefined),
    "read",
  );
  const sessionId = randomUUID();
  const headers = { ...JSON_TYPE, "x-session-id": sessionId };
  for (let line = 0; line < 2; line++) {
    const item = { ...pick(shop.parts), quantity: 1 + Math.floor(Math.random() * 3) };
    await client.do(
      "cart.add",
      { sessionId, quantity: item.quantity },
      { entry: "cart", method: "POST", path: "/api/cart/items", headers, body: JSON.stringify({ item }) },
      quantityOf,
    );
    await client.do(
      "cart.read",
      { sessionId },
      { entry: "cart", method: "GET", path: "/api/cart", headers: { "x-session-id": sessionId } },
      quantityOf,
      "read",
    );
  }
}

/**
 * Saves a cart, opens its checkout, again or twice at once as who presses a button twice, pays, waits for the order and
 * reads it.
 */
export async function buy(client: Client, shop: Shop): Promise<void> {
  const cartId = `cart_${Date.now()}_${randomUUID()}`;
  const quantity = 1 + Math.floor(Math.random() * 3);
  const part = pick(shop.parts);
  const items = [{ ...part, quantity }];
  // 409: an earlier try, whose answer was lost, has saved it.
  await client.do(
    "cart.save",
    { cartId, quantity },
    {
      entry: "gateway",
      method: "POST",
      path: "/api/cart",
      headers: JSON_TYPE,
      body: JSON.stringify({ cartId, items }),
    },
    (status) => (status === 201 || status === 409 ? {} : undefined),
    "keyed",
  );
  await client.do(
    "cart.get",
    { cartId },
    { entry: "gateway", method: "GET", path: `/api/cart/${cartId}` },
    (status, body) => (status === 200 ? { quantity: sumOf(body.data.items) } : undefined),
    "read",
  );
  const { value, userId } = await shop.shopper();
  const submitCart = () =>
    client.do(
      "checkout",
      { cartId },
      {
        entry: "gateway",
        method: "POST",
        path: "/api/checkout/session",
        headers: { ...JSON_TYPE, authorization: `Bearer ${value}` },
        body: JSON.stringify({ cartId, items, customerId: userId }),
      },
      (status, body) =>
        status === 200 ? { sessionId: body.data.sessionId as string, url: body.data.url as string } : undefined,
      "keyed",
    );
  const [first, second] = pick([true, false])
    ? await Promise.all([submitCart(), submitCart()])
    : [await submitCart(), await submitCart()];
  const session = first ?? second;
  if (!session) return;
  await shop.pay(client.name, { sessionId: session.sessionId, cartId }, () => payOnPage(session.url));
  const orderId = await orderOf(client, session.sessionId);
  if (orderId === undefined) return;
  const order = await client.do(
    "order.read",
    { orderId },
    { entry: "gateway", method: "GET", path: `/api/orders/${orderId}`, headers: { authorization: `Bearer ${value}` } },
    (status, body) =>
      status === 200 ? { total: cents(body.data.total), status: body.data.status as string } : undefined,
    "read",
  );
  if (order) shop.bought.push({ orderId, total: order.total, productId: part.productId, quantity });
}

async function orderOf(client: Client, sessionId: string): Promise<string | undefined> {
  for (let look = 0; look < LOOKS; look++) {
    const found = await client.do(
      "order.find",
      { sessionId },
      { entry: "gateway", method: "GET", path: `/api/orders/by-session/${sessionId}` },
      (status, body) =>
        status === 200 ? { orderId: body.data.orderId as string } : status === 404 ? { orderId: null } : undefined,
      "read",
    );
    if (found?.orderId) return found.orderId;
    await delay(LOOK_MS);
  }
  return undefined;
}

/** As a person does: the page's first form as it stands. */
async function payOnPage(url: string): Promise<boolean> {
  const form = formsOf(await (await fetch(url)).text(), url)[0];
  return form !== undefined && (await submit(form)).status === 303;
}

function quantityOf(
  status: number,
  body: { data: { items: { quantity: number }[] } },
): { quantity: number } | undefined {
  return status === 200 ? { quantity: sumOf(body.data.items) } : undefined;
}

export function sumOf(items: readonly { quantity: number }[]): number {
  return items.reduce((sum, { quantity }) => sum + quantity, 0);
}

export function pick<T>(values: readonly T[]): T {
  return values[Math.floor(Math.random() * values.length)]!;
}
