import { beforeAll, describe, expect, it } from "@jest/globals";
import Stripe from "stripe";
import { ulid } from "ulid";
import { formsOf, submit } from "../contract/payment-sandbox.support.ts";
import { eventually } from "../support/eventually.ts";
import { useSystem } from "../support/use-started.ts";
import { ADMIN_TOKEN, type RequestOptions } from "../support/system.ts";

const system = useSystem();
beforeAll(async () => {
  const imported = await system.request("catalog", "POST", "/catalog/import/bns", {
    rawBody: "part_number,title,list_price\n700-001,Part 700-001,10",
    adminToken: ADMIN_TOKEN,
    headers: { "Content-Type": "text/csv" },
  });
  expect(imported.status).toBe(200);
});

const post = (path: string, body: object, options: RequestOptions = {}) =>
  system.request("gateway", "POST", path, { body, ...options });
const get = (path: string, options: RequestOptions = {}) => system.request("gateway", "GET", path, options);

/** Who signs in, and the fields of the cart and of the payment that name them. */
interface Person {
  userId: string;
  token: string;
  sessionId: string;
}

const SHIPPING = {
  shippingRate: { provider: "ups", serviceType: "ground", cost: 5, estimatedDays: 3 },
  shippingAddress: {
    name: "Ada Lovelace",
    street: "1 Main St",
    city: "Austin",
    state: "TX",
    postalCode: "78701",
    country: "US",
    phone: "+15125550100",
  },
};
const METADATA = {
  orderSource: "web",
  lines: 3,
  gift: true,
  note: null,
  userId: "x",
  cartId: "y",
  shop: "z",
  items_1: "i",
};

async function walk(pay: "session" | "intent", cartFields: object, payFields: object, person: Person) {
  const { token, sessionId: browserSession } = person;
  const as = { token, sessionId: browserSession };
  const found = await get("/api/search?q=700-001");
  const items = [{ ...found.body.parts[0], quantity: 2 }];
  const cartId = `cart_${Date.now()}_${ulid().toLowerCase()}`;
  expect(await post("/api/cart", { cartId, items, ...cartFields }, as)).toMatchObject({ status: 201 });
  expect(await get(`/api/cart/${cartId}`, as)).toMatchObject({ status: 200, body: { data: { subtotal: 20 } } });
  const lookUp =
    pay === "session" ? await paySession(items, cartId, payFields, as) : await payIntent(cartId, payFields, as);
  const placed = await eventually(async () => {
    const answer = await get(lookUp);
    return answer.status === 200 ? answer.body.data : undefined;
  });
  return get(`/api/orders/${placed.orderId}`, { token });
}

async function paySession(items: object[], cartId: string, fields: object, as: RequestOptions): Promise<string> {
  const opened = await post("/api/checkout/session", { items, cartId, ...fields }, as);
  expect(opened.status).toBe(200);
  const { sessionId, url } = opened.body.data;
  await submit(formsOf(await (await fetch(url)).text(), url)[0]!);
  return `/api/orders/by-session/${sessionId}`;
}

async function payIntent(cartId: string, fields: object, as: RequestOptions): Promise<string> {
  const made = await post("/api/payment-intent", { amount: 2_000, cartId, ...fields }, as);
  expect(made.status).toBe(200);
  const { port, hostname } = new URL(system.sandboxUrl("payment"));
  const stripe = new Stripe("sk_test_partline_sandbox", { protocol: "http", host: hostname, port });
  const { paymentIntentId } = made.body.data;
  await stripe.paymentIntents.confirm(paymentIntentId, {
    payment_method: "pm_card_visa",
    return_url: "http://shop.test/",
  });
  return `/api/orders/by-payment/${paymentIntentId}`;
}

/** Each optional field of the specification by itself, none, and all. */
const CARTS: [string, (person: Person) => object][] = [
  ["none", () => ({})],
  ["userId", ({ userId }) => ({ userId })],
  ["sessionId", ({ sessionId }) => ({ sessionId })],
];
const OF_SESSION: typeof CARTS = [
  ["none", () => ({})],
  ["customerId", ({ userId: customerId }) => ({ customerId })],
  [
    "successUrl and cancelUrl",
    () => ({ successUrl: "http://s.test/{CHECKOUT_SESSION_ID}", cancelUrl: "http://s.test/" }),
  ],
  ["shippingRate", () => ({ shippingRate: SHIPPING.shippingRate })],
  ["shippingAddress", () => ({ shippingAddress: SHIPPING.shippingAddress })],
  ["currency", () => ({ currency: "eur" })],
  ["metadata", () => ({ metadata: METADATA })],
  ["all", ({ userId: customerId }) => ({ customerId, ...SHIPPING, currency: "usd", metadata: METADATA })],
];
const OF_INTENT: typeof CARTS = [
  ["none", () => ({})],
  ["customerId", ({ userId: customerId }) => ({ customerId })],
  ["currency", () => ({ currency: "usd" })],
];
type Fields = (typeof CARTS)[number];
const walkOf = (pay: "session" | "intent", [cart, ofCart]: Fields, [fields, ofPayment]: Fields) =>
  [pay, cart, fields, ofCart, ofPayment] as const;
const WALKS = [
  ...OF_SESSION.map((fields) => walkOf("session", CARTS[0]!, fields)),
  ...OF_INTENT.map((fields) => walkOf("intent", CARTS[0]!, fields)),
  ...CARTS.slice(1).flatMap((cart) => [walkOf("session", cart, OF_SESSION[0]!), walkOf("intent", cart, OF_INTENT[0]!)]),
];

describe("A client that knows the specification alone walks its seven steps", () => {
  it.each(WALKS)("signed in: %s, in the cart %s, in the payment %s", async (pay, _cart, _fields, cart, fields) => {
    const userId = `user_${ulid()}`;
    const person = { userId, token: await system.token("customer", { sub: userId }), sessionId: crypto.randomUUID() };
    const sent = fields(person);
    const order = await walk(pay, cart(person), sent, person);
    expect(order).toMatchObject({ status: 200, body: { data: { userId, subtotal: 20, status: "pending" } } });
    const { metadata } = order.body.data;
    if ("metadata" in sent) {
      const { note: _absent, ...kept } = METADATA;
      expect(metadata).toEqual({ ...kept, lines: "3", gift: "true" });
    } else expect(metadata).toBeUndefined();
    expect((await get(`/api/orders/user/${userId}`, { token: person.token })).body.data.orders).toMatchObject([
      { userId },
    ]);
  });

  it("leaves an order to the user whose cart staff check out, else to the staff's own token", async () => {
    const [userId, staffId] = [`user_${ulid()}`, `user_${ulid()}`];
    const admin = await system.token("admin", { sub: staffId });
    for (const [owner, cart] of [
      [staffId, {}],
      [userId, { userId }],
    ] as const) {
      const order = await walk("session", cart, {}, { userId, token: admin, sessionId: crypto.randomUUID() });
      expect(order).toMatchObject({ status: 200, body: { data: { userId: owner } } });
    }
  });
});
