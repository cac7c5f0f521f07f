import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { formsOf, submit } from "../../../../../../test/contract/payment-sandbox.support.ts";
import type { ShippingQuote } from "../history.ts";
import { cents, JSON_TYPE, type Client } from "./client.ts";
import type { Shop } from "./shop.ts";

const WORDS = ["carburetor", "belt", "blade", "spark plug", "filter", "gasket", "pulley", "tire"];
const AUSTIN = { name: "Ada", street: "1 Main St", city: "Austin", state: "TX", postalCode: "78701", country: "US" };
const ANCHORAGE = { ...AUSTIN, street: "1 A St", city: "Anchorage", state: "AK", postalCode: "99501" };
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
      getQuantity,
    );
    await client.do(
      "cart.read",
      { sessionId },
      { entry: "cart", method: "GET", path: "/api/cart", headers: { "x-session-id": sessionId } },
      getQuantity,
      "read",
    );
  }
}

/**
 * Saves a cart, opens its checkout, again or twice at once as who presses a button twice, pays, waits for the order and
 * reads it. Some pay shipping to one place and type another at the provider's page, or give another later.
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
    (status, body) => (status === 200 ? { quantity: sumQuantities(body.data.items) } : undefined),
    "read",
  );
  const elsewhere = pick(["never", "never", "typed", "later"] as const);
  const shipping = elsewhere === "never" ? undefined : await fetchQuote(client, cartId, items);
  if (elsewhere !== "never" && !shipping) return;
  const address = elsewhere === "later" ? { shippingAddress: AUSTIN } : {};
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
        body: JSON.stringify({ cartId, items, customerId: userId, quote: shipping?.quote, ...address }),
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
  const { sessionId, url } = session;
  const typed = elsewhere === "typed" ? { difference: shipping?.difference } : {};
  await shop.atProvider(client.name, "pay", { sessionId, cartId, ...typed }, () =>
    payOnPage(url, elsewhere === "typed" ? ANCHORAGE : undefined),
  );
  const orderId = await findOrder(client, sessionId);
  if (orderId === undefined) return;
  const order = await client.do(
    "order.read",
    { orderId },
    { entry: "gateway", method: "GET", path: `/api/orders/${orderId}`, headers: { authorization: `Bearer ${value}` } },
    (status, body) =>
      status === 200 ? { total: cents(body.data.total), status: body.data.status as string } : undefined,
    "read",
  );
  if (elsewhere === "later" && shipping) {
    await client.do(
      "order.readdress",
      { orderId, state: ANCHORAGE.state, difference: shipping.difference },
      {
        entry: "gateway",
        method: "PUT",
        path: `/api/orders/${orderId}/shipping-address`,
        headers: { ...JSON_TYPE, authorization: `Bearer ${value}` },
        body: JSON.stringify({ shippingAddress: ANCHORAGE }),
      },
      (status, body) =>
        status === 409 && body.error.code === "SHIPPING_UNDERPAID"
          ? { difference: cents(body.error.details.amount) }
          : undefined,
      "keyed",
    );
  }
  if (order) shop.bought.push({ orderId, sessionId, total: order.total, productId: part.productId, quantity });
}

/** The cheapest method to Austin, with what it costs more to Anchorage. */
async function fetchQuote(
  client: Client,
  cartId: string,
  items: readonly object[],
): Promise<{ quote: string; difference: number } | undefined> {
  const ask = (destination: typeof AUSTIN) =>
    client.do(
      "shipping.quotes",
      { cartId, state: destination.state },
      {
        entry: "gateway",
        method: "POST",
        path: "/api/shipping/quotes",
        headers: JSON_TYPE,
        body: JSON.stringify({ items, destination }),
      },
      (status, body) => (status === 200 ? { methods: body.data.methods as ShippingQuote[] } : undefined),
      "read",
    );
  const near = (await ask(AUSTIN))?.methods[0];
  const far = (await ask(ANCHORAGE))?.methods;
  const same = far?.find(({ serviceType }) => serviceType === near?.serviceType) ?? far?.[0];
  return near && same && { quote: near.quote, difference: cents(same.cost) - cents(near.cost) };
}

async function findOrder(client: Client, sessionId: string): Promise<string | undefined> {
  for (let look = 0; look < LOOKS; look++) {
    const foundOrder = await client.do(
      "order.find",
      { sessionId },
      { entry: "gateway", method: "GET", path: `/api/orders/by-session/${sessionId}` },
      (status, body) =>
        status === 200 ? { orderId: body.data.orderId as string } : status === 404 ? { orderId: null } : undefined,
      "read",
    );
    if (foundOrder?.orderId) return foundOrder.orderId;
    await delay(LOOK_MS);
  }
  return undefined;
}

/** As a person does: the page's first form as it stands, except an address. */
async function payOnPage(url: string, address?: typeof AUSTIN): Promise<object | undefined> {
  const form = formsOf(await (await fetch(url)).text(), url)[0];
  const typed = address && { ...address, line1: address.street, postal_code: address.postalCode };
  return form !== undefined && (await submit(form, typed)).status === 303 ? {} : undefined;
}

function getQuantity(
  status: number,
  body: { data: { items: { quantity: number }[] } },
): { quantity: number } | undefined {
  return status === 200 ? { quantity: sumQuantities(body.data.items) } : undefined;
}

export function sumQuantities(items: readonly { quantity: number }[]): number {
  return items.reduce((sum, { quantity }) => sum + quantity, 0);
}

export function pick<T>(values: readonly T[]): T {
  return values[Math.floor(Math.random() * values.length)]!;
}
