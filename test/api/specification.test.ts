import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import Stripe from "stripe";
import { ulid } from "ulid";
import { type HttpMethod } from "@partline/api-contracts";
import { ENTRY_POINTS, type EntryPoint } from "../../broker/contract/define.ts";
import { formsOf, submit } from "../contract/payment-sandbox.support.ts";
import { eventually } from "../support/eventually.ts";
import { saying, writtenPdf } from "../support/pdf.ts";
import { startProductionSystem } from "../support/production-system.ts";
import { joinSystem } from "../support/shared-system.ts";
import { ADMIN_TOKEN, type Answer, type RequestOptions, type SystemClient } from "../support/system.ts";

/** What a client is given of a running shop: addresses and ways to sign in. */
interface Shop {
  request: SystemClient["request"];
  token(role: "customer" | "admin", userId: string): Promise<string>;
  stripe: Stripe;
  /** Every field that a client leaves out. */
  isShippingPaid: boolean;
  /** Of the pipeline and the event store. */
  staff: RequestOptions;
  stop(): Promise<unknown>;
}

function makeShop(system: SystemClient, more: Partial<Shop> & Pick<Shop, "stop">): Shop {
  return {
    request: system.request,
    token: (role, sub) => system.token(role, { sub }),
    stripe: stripeAt(system.sandboxUrl("payment"), "sk_test_partline_sandbox"),
    isShippingPaid: false,
    staff: {},
    ...more,
  };
}

async function startDefault(): Promise<Shop> {
  const { system, end } = await joinSystem();
  return makeShop(system, { stop: end });
}

async function startProduction(): Promise<Shop> {
  const { system, identityUrl, payment, stop } = await startProductionSystem();
  return makeShop(system, {
    token: async (user, sub) => {
      const body = JSON.stringify({ user, claims: { sub } });
      const answer = await fetch(`${identityUrl}/v1/tokens`, { method: "POST", body });
      return ((await answer.json()) as { token: string }).token;
    },
    stripe: stripeAt(payment.url, payment.secretKey),
    isShippingPaid: true,
    staff: { adminToken: ADMIN_TOKEN },
    stop,
  });
}

function stripeAt(url: string, key: string): Stripe {
  const { hostname: host, port } = new URL(url);
  return new Stripe(key, { protocol: "http", host, port, telemetry: false });
}

const NUMBER = expect.any(Number);
const TEXT = expect.any(String);
const FLAG = expect.any(Boolean);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const LIST = expect.any(Array);
const listOf = (fields: object) => expect.arrayOf(expect.objectContaining(fields));
const CART_ITEM = { productId: TEXT, partNumber: TEXT, title: TEXT, quantity: NUMBER, unitPrice: NUMBER };
const CART = { items: listOf(CART_ITEM), subtotal: NUMBER, currency: TEXT };
const SYNCED = { items: listOf(CART_ITEM), total: NUMBER, itemCount: NUMBER, lastSyncedAt: TIME };
const USER_CART = { items: listOf(CART_ITEM), subtotal: NUMBER, currency: TEXT, updatedAt: TIME };
const ADDRESS = { name: TEXT, street: TEXT, city: TEXT, state: TEXT, postalCode: TEXT, country: TEXT, phone: TEXT };
const ORDER = {
  ...{ orderId: TEXT, orderNumber: TEXT, userId: TEXT, currency: TEXT, createdAt: TIME },
  items: listOf({ partNumber: TEXT, name: TEXT, quantity: NUMBER, price: NUMBER, total: NUMBER }),
  ...{ subtotal: NUMBER, tax: NUMBER, shipping: NUMBER, total: NUMBER },
  status: expect.stringMatching(/^(pending|processing|shipped|delivered|cancelled)$/),
  paymentStatus: expect.stringMatching(/^(pending|paid|failed|refunded|partially_refunded)$/),
};
const ORDER_FOUND = { orderId: TEXT, orderNumber: TEXT, status: "pending", createdAt: TIME };
const SHIP_TO = {
  ...{ name: "Ada Lovelace", street: "1 Main St", city: "Austin", state: "TX", postalCode: "78701" },
  ...{ country: "US", phone: "+15125550100" },
};

const METADATA = { count: 3, gift: true, cartId: "x", userId: "y" };

/** Sends a request as its answer must be: other than a success is an error that shows both. */
async function send(shop: Shop, entry: EntryPoint, method: HttpMethod, path: string, options: RequestOptions = {}) {
  const answer = await shop.request(entry, method, path, options);
  if (answer.status < 200 || answer.status > 299)
    throw new Error(`${method} ${path} of ${JSON.stringify(options)}: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** The ways of a generated client to send an optional field, or to leave it out. */
const given = <T>(...values: T[]) => fc.constantFrom<T | null | undefined>(undefined, null, ...values);
const CHOICES = fc.record({
  caller: fc.constantFrom("guest with X-Session-Id", "guest", "user"),
  pays: fc.constantFrom("session", "intent"),
  userId: given("own", ""),
  sessionId: given("own", ""),
  itemExtras: given(
    { currency: "usd", availability: "in_stock" },
    { currency: "", availability: "", imageUrl: "", manufacturer: "" },
    { currency: null, availability: null, imageUrl: null, manufacturer: null },
  ),
  cartId: given("own", ""),
  customerId: given("own", ""),
  currency: given("usd", "eur", ""),
  successUrl: given("https://shop.example/thanks?session={CHECKOUT_SESSION_ID}", ""),
  cancelUrl: given("https://shop.example/cart", ""),
  shippingRate: given({ provider: "ups", serviceType: "ground", cost: 12.5, estimatedDays: 3 }),
  shippingAddress: given<Partial<typeof SHIP_TO>>(SHIP_TO, {}),
  metadata: given<Partial<typeof METADATA>>(METADATA, {}),
});
type Choice = typeof CHOICES extends fc.Arbitrary<infer T> ? T : never;
const PLAIN: Partial<Choice> = { caller: "user", pays: "session" };

/** Walks the seven steps of the specification, and returns its order. */
async function walk(shop: Shop, choice: Partial<Choice>) {
  const { caller, pays, shippingRate, shippingAddress, currency, metadata, successUrl, cancelUrl } = choice;
  const own = { userId: `user_${ulid()}`, sessionId: randomUUID(), cartId: `cart_${Date.now()}_${ulid()}` };
  const filled = (name: keyof typeof own, value: string | null | undefined) => (value === "own" ? own[name] : value);
  const isUser = caller === "user";
  const token = isUser ? await shop.token("customer", own.userId) : undefined;
  const as = { token, sessionId: caller === "guest with X-Session-Id" ? own.sessionId : undefined };
  const get = (path: string) => send(shop, "gateway", "GET", path, as);
  const post = (path: string, body: object) => send(shop, "gateway", "POST", path, { ...as, body });

  const [hit] = (await get("/api/search?q=spark%20plug&limit=3")).parts;
  expect(hit).toMatchObject({ productId: TEXT, partNumber: TEXT, title: TEXT, unitPrice: NUMBER, imageUrl: TEXT });
  const { productId, partNumber, title, unitPrice, manufacturer, imageUrl } = hit;
  const items = [
    { productId, partNumber, title, unitPrice, manufacturer, imageUrl, quantity: 2, ...choice.itemExtras },
  ];
  const { cartId } = own;
  // A guest's `sessionId` is for requests with its header.
  const owner = {
    ...(isUser && { userId: filled("userId", choice.userId) }),
    ...(caller !== "guest" && { sessionId: filled("sessionId", choice.sessionId) }),
  };
  const saved = await post("/api/cart", { cartId, items, ...owner });
  expect(saved).toMatchObject({ success: true, data: { cartId, ...CART, subtotal: 2 * unitPrice } });
  expect(await get(`/api/cart/${cartId}`)).toEqual(saved);

  const customer = {
    currency,
    ...(isUser && { customerId: choice.customerId === "own" ? own.userId : choice.customerId }),
  };
  const lookUp = pays === "session" ? await paySession() : await payIntent();
  async function paySession(): Promise<string> {
    const delivery = { shippingRate, shippingAddress };
    const urls = { successUrl, cancelUrl };
    const body = { items, cartId: filled("cartId", choice.cartId), ...customer, ...delivery, metadata, ...urls };
    const open = (sent: object) => post("/api/checkout/session", sent);
    // Like a changed price: it is refused with those that are offered.
    const opened = await open(body).catch((error: Error) => {
      if (!shippingRate || !error.message.includes("is not offered")) throw error;
      return open({ ...body, shippingRate: undefined });
    });
    expect(opened).toMatchObject({ success: true, data: { sessionId: TEXT, url: TEXT } });
    const { sessionId, url } = opened.data;
    if (body.cartId) expect(await open({ ...body, shippingRate: undefined })).toEqual(opened);
    const paid = await submit(formsOf(await (await fetch(url)).text(), url)[0]!);
    expect([paid.status, await paid.text()]).toEqual([303, ""]);
    return `/api/orders/by-session/${sessionId}`;
  }
  async function payIntent(): Promise<string> {
    const make = (amount: number) => post("/api/payment-intent", { amount, cartId, ...customer });
    // Where shipping has a cost, a refusal says which amount is enough.
    const made = await make(Math.round(saved.data.subtotal * 100)).catch((error: Error) => {
      const [, enough] = /at least (\d+) cents/.exec(error.message) ?? [];
      if (enough === undefined) throw error;
      return make(Number(enough));
    });
    expect(made).toMatchObject({ success: true, data: { clientSecret: TEXT, paymentIntentId: TEXT } });
    const { paymentIntentId } = made.data;
    const form = { payment_method: "pm_card_visa", return_url: "https://shop.example/" };
    await shop.stripe.paymentIntents.confirm(paymentIntentId, form);
    await get(`/api/payment/verify/${paymentIntentId}`);
    return `/api/orders/by-payment/${paymentIntentId}`;
  }

  const placed = await eventually(() => send(shop, "gateway", "GET", lookUp));
  expect(placed).toMatchObject({ success: true, data: ORDER_FOUND });
  const path = `/api/orders/${placed.data.orderId}`;
  // The last step takes a bearer token: for a guest's order, of staff.
  if (!isUser) expect((await shop.request("gateway", "GET", path, as)).status).toBe(401);
  const reader = token ?? (await shop.token("admin", `user_${ulid()}`));
  const order = await send(shop, "gateway", "GET", path, { token: reader });
  expect(order).toMatchObject({
    success: true,
    data: { ...ORDER, userId: isUser ? own.userId : "guest", status: "pending", paymentStatus: "paid" },
  });
  if (pays === "session" && metadata?.count)
    expect(order.data.metadata).toEqual({ count: "3", gift: "true", cartId: "x", userId: "y" });
  expect(order.data.shipping > 0).toBe(shop.isShippingPaid || (pays === "session" && shippingRate != null));
  if (pays === "session" && shippingAddress?.name) expect(order.data.shippingAddress).toMatchObject(SHIP_TO);
  else if (order.data.shippingAddress) expect(order.data.shippingAddress).toMatchObject(ADDRESS);
  return { path, token: reader, userId: own.userId };
}

const ENTRIES = ENTRY_POINTS.filter((entry) => !["gateway", "shop", "console"].includes(entry));
const SHOPS: [string, () => Promise<Shop>][] = [
  ["with nothing configured", startDefault],
  ["in production, where shipping costs", startProduction],
];

describe.each(SHOPS)("A client made from the specification, %s", (_name, start) => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await start();
  });
  afterAll(() => shop?.stop());

  it("walks the seven steps", async () => {
    await fc.assert(
      fc.asyncProperty(CHOICES, async (choice) => void (await walk(shop, choice))),
      { numRuns: 25 },
    );
  });

  it("cancels with each body", async () => {
    const bodies = [
      undefined,
      {},
      { reason: null, adminNote: null, forceCancel: null },
      { reason: "", adminNote: "", forceCancel: false },
      ...["requested_by_customer", "duplicate", "fraudulent", "other"].map((reason) => ({ reason })),
    ];
    for (const body of bodies) {
      const { path, token } = await walk(shop, PLAIN);
      await send(shop, "gateway", "POST", `${path}/cancel`, { token, body });
      const { data } = await send(shop, "gateway", "GET", path, { token });
      expect(data).toMatchObject({ ...ORDER, status: "cancelled" });
    }
    const { path } = await walk(shop, PLAIN);
    const token = await shop.token("admin", `user_${ulid()}`);
    const cancel = { token, body: { reason: "other", adminNote: "x".repeat(500), forceCancel: true } };
    await send(shop, "gateway", "POST", `${path}/cancel`, cancel);
    expect((await shop.request("gateway", "POST", `${path}/cancel`, cancel)).status).toBe(409);
  });

  it("syncs carts, sending back what it read", async () => {
    const userId = `user_${ulid()}`;
    const token = await shop.token("customer", userId);
    const items = [{ productId: "bns-1", partNumber: "1", title: "Plug", quantity: 1, unitPrice: 2.5 }];
    const own = (method: HttpMethod, path: string, as: RequestOptions, body?: object) =>
      send(shop, "cart", method, path, { ...as, body });
    for (const as of [{ token }, { sessionId: randomUUID() }]) {
      expect(await own("PUT", "/api/cart/sync", as, { items })).toMatchObject({ success: true, data: SYNCED });
      const { data } = await own("GET", "/api/cart", as);
      expect(data).toMatchObject({ ...SYNCED, total: 2.5, itemCount: 1 });
      const again = await own("PUT", "/api/cart/sync", as, data);
      expect(again.data).toMatchObject({ items: data.items, total: 2.5 });
      await own("POST", "/api/cart/clear", as);
      expect((await own("GET", "/api/cart", as)).data).toMatchObject({ items: [], total: 0, itemCount: 0 });
    }
    const path = `/api/cart/user/${userId}`;
    await own("PUT", path, { token }, { items });
    const { data } = await own("GET", path, { token });
    expect(data).toMatchObject({ userId, ...USER_CART, subtotal: 2.5 });
    expect((await own("PUT", path, { token }, data)).data).toMatchObject({ userId, items: data.items, subtotal: 2.5 });
    await own("DELETE", path, { token });
    expect((await own("GET", path, { token })).data).toMatchObject({ userId, items: [], subtotal: 0 });
  });

  it("manages customers, and orders as an administrator", async () => {
    const { path, token, userId } = await walk(shop, PLAIN);
    const asUser = (method: HttpMethod, at: string, body?: object) =>
      send(shop, "gateway", method, at, { token, body });
    const { data: customer } = await asUser("POST", "/api/customers", {});
    const at = `/api/customers/${customer.customerId}`;
    expect(await asUser("GET", at)).toEqual({ success: true, data: customer });
    const { clientSecret } = (await asUser("POST", `${at}/setup-intent`)).data;
    await shop.stripe.setupIntents.confirm(clientSecret.split("_secret_")[0], { payment_method: "pm_card_visa" });
    const [{ id: paymentMethodId }] = (await asUser("GET", `${at}/payment-methods`)).data;
    await asUser("PUT", `${at}/default-payment-method`, { paymentMethodId });
    await asUser("DELETE", `${at}/payment-methods/${paymentMethodId}`);
    expect(await asUser("GET", `${at}/payment-methods`)).toEqual({ success: true, data: [] });
    expect((await asUser("GET", `/api/orders/user/${userId}`)).data.orders).toMatchObject([{ ...ORDER, userId }]);

    const orderId = path.split("/").at(-1);
    const asAdmin = (method: HttpMethod, under: string, body?: object) =>
      send(shop, "gateway", method, `/api/admin/orders${under}`, { adminToken: ADMIN_TOKEN, body });
    expect((await asAdmin("GET", "")).data.orders).toEqual(listOf(ORDER));
    expect((await asAdmin("GET", "/stats")).success).toBe(true);
    expect((await asAdmin("GET", `/${orderId}`)).data).toMatchObject({ ...ORDER, orderId });
    const changed = await asAdmin("PATCH", `/${orderId}`, { status: "processing" });
    expect(changed).toMatchObject({ success: true, data: { ...ORDER, status: "processing" } });
  });

  it("searches, and asks for availability", async () => {
    const query = "q=belt&limit=5&category=Belts&manufacturer=BNS&page=1&offset=0&utm_source=mail&sort=";
    const facets = { manufacturer: LIST, category: LIST, price: expect.any(Object) };
    const found = await send(shop, "gateway", "GET", `/api/search?${query}`);
    const pagination = { page: 1, pageSize: 5, total: NUMBER, totalPages: NUMBER };
    expect(found).toMatchObject({ parts: { length: 5 }, pagination, facets });
    const filters = await send(shop, "search", "GET", `/api/filters?${query}`);
    expect(filters).toMatchObject({ facets, total: found.pagination.total });
    const { hits } = await send(shop, "search", "GET", "/api/ai?q=belt&limit=3");
    await send(shop, "gateway", "GET", `/api/ai/parts/${hits[0].id}`);
    await send(shop, "gateway", "GET", `/api/ai/equipment?part=${hits[0].partNumber}`);
    await send(shop, "gateway", "GET", `/api/ai/diagrams?part=${hits[0].partNumber}`);

    const partNumbers = [hits[0].partNumber, "no such number"];
    const available = await send(shop, "gateway", "POST", "/api/ai/availability", { body: { partNumbers } });
    const stocked = { found: true, title: TEXT, price: NUMBER, availability: TEXT, stock: NUMBER };
    const [partNumber, unknown] = partNumbers;
    expect(available).toMatchObject({
      results: [
        { partNumber, ...stocked },
        { partNumber: unknown, found: false },
      ],
      summary: expect.any(Object),
    });
    for (const count of [0, 11]) {
      const body = { partNumbers: Array.from({ length: count }, () => partNumber) };
      expect((await shop.request("gateway", "POST", "/api/ai/availability", { body })).status).toBe(400);
    }
  });

  it("asks the agent, which gives store links once they are confirmed", async () => {
    const answer = { answer: TEXT, needs_confirmation: FLAG };
    const flags = { available_for_purchase: FLAG, in_stock: FLAG };
    const part = { part_number: TEXT, description: TEXT, schemas: LIST, ...flags, price: NUMBER };
    const query = "Which spark plugs do you have?";
    const ask = (body: object, as: RequestOptions = {}) =>
      send(shop, "gateway", "POST", "/api/ai/query", { ...as, body });
    const linked = { ...answer, parts: listOf({ ...part, store_link: TEXT }), needs_confirmation: false };
    const asks = { ...answer, parts: listOf(part), needs_confirmation: true, store_link_question: TEXT };
    expect(await ask({ query, include_store_link: true })).toMatchObject({ ...linked, store_link_question: null });
    const callers = [{ sessionId: randomUUID() }, { token: await shop.token("customer", `user_${ulid()}`) }];
    for (const as of callers) {
      expect(await ask({ query, include_store_link: null }, as)).toMatchObject(asks);
      const confirmed = await ask({ query: "Yes, please" }, as);
      expect(confirmed).toMatchObject(linked);
      expect(confirmed.parts).not.toEqual([]);
    }
    const anonymous = await ask({ query, include_store_link: false });
    expect(anonymous).toMatchObject({ ...asks, store_link_question: expect.stringContaining("include_store_link") });
    expect(await send(shop, "ai", "POST", "/query", { body: { query } })).toMatchObject(asks);
    const refused = await shop.request("gateway", "POST", "/api/ai/query", { body: {} });
    expect(refused).toMatchObject({ status: 400, body: { detail: "query field is required" } });
    const tried = await send(shop, "ai", "GET", "/test-chat", shop.staff);
    const state = { parts_found: NUMBER, needs_confirmation: FLAG };
    const model = { model_name: TEXT, temperature: NUMBER, provider: TEXT };
    const chat = { status: TEXT, model_config: model, test_query: TEXT, agent_response: TEXT, agent_state: state };
    expect(tried).toMatchObject(chat);
  });

  it("stores documents and reads events, state and jobs", async () => {
    const call = (method: HttpMethod, path: string, body?: object) =>
      send(shop, "eventstore", method, path, { ...shop.staff, body });
    const metadata = { of: ulid(), $a: 1, "b.c": null, list: [true, { content: "" }], aggregate_id: "x", timestamp: 5 };
    const since = new Date().toISOString();
    const documents = [metadata, {}].map((each) => ({ content: "Torque: 5 Nm", metadata: each }));
    await call("POST", "/store", { documents });
    const filter = `aggregate_type=document&since=${encodeURIComponent(since)}`;
    const { events } = await call("GET", `/events?event_type=DOCUMENT_CREATED&${filter}&aggregate_id=&limit=100`);
    const event = { aggregate_id: TEXT, aggregate_type: "document", event_type: "DOCUMENT_CREATED", timestamp: TIME };
    expect(events).toEqual(listOf({ ...event, data: expect.objectContaining({ embedding_model: TEXT }) }));
    const { data, aggregate_id, timestamp } = events.find(
      (found: Answer["body"]) => found.data.metadata.of === metadata.of,
    );
    expect(data.metadata).toEqual(metadata);
    for (const at of ["", `?at_time=${timestamp}`])
      expect((await call("GET", `/events/${aggregate_id}/state${at}`)).state).toMatchObject({ metadata });
    expect(await call("GET", `/events/stats?${filter}`)).toMatchObject({ total_events: NUMBER });
    const searched = await eventually(async () => {
      const read = await call("GET", "/events?event_type=SEARCH_PERFORMED&limit=1");
      return read.events.length > 0 && read;
    });
    expect(searched.events[0].data).toMatchObject({ query: TEXT, results_count: NUMBER });

    const pdf = Uint8Array.from(writtenPdf([saying("Part No. 491055S")]));
    const form = new FormData();
    form.append("file", new Blob([pdf], { type: "application/pdf" }), "manual.pdf");
    const upload = new Response(form);
    const rawBody = new Uint8Array(await upload.arrayBuffer());
    const headers = { "Content-Type": upload.headers.get("content-type") ?? "" };
    const job = await send(shop, "pipeline", "POST", "/api/upload-pdf", { ...shop.staff, rawBody, headers });
    await send(shop, "pipeline", "GET", `/api/jobs/${job.batch_id}`, shop.staff);
    expect((await send(shop, "pipeline", "GET", "/api/jobs", shop.staff)).jobs).toContainEqual(
      expect.objectContaining({ batch_id: job.batch_id }),
    );
  });

  it("reads the catalog, and the health and the documents of each service", async () => {
    expect((await send(shop, "catalog", "GET", "/parts/bns")).parts).toEqual(
      listOf({ id: TEXT, slug: TEXT, sku: TEXT, partNumber: TEXT, pnNorm: TEXT, title: TEXT, status: TEXT }),
    );
    await send(shop, "catalog", "POST", "/catalog/kmt/sync", { adminToken: ADMIN_TOKEN });
    for (const entry of ENTRIES)
      for (const path of ["/health", "/health/ready", "/health/live", "/openapi.json", "/docs"])
        await send(shop, entry, "GET", path);
    expect(await send(shop, "search", "GET", "/health")).toMatchObject({
      ...{ elasticsearch: "ok", mongodb: "ok", docCount_es: NUMBER, docCount_api: NUMBER, delta: NUMBER },
      aliasTarget: expect.anything(),
    });
    expect((await send(shop, "eventstore", "GET", "/health")).data_management.event_sourcing_ready).toBe(true);
    for (const path of ["/api/cart", "/api/cart/user/user_1"])
      expect((await shop.request("gateway", "GET", path, { sessionId: randomUUID() })).status).toBe(404);
  });
});
