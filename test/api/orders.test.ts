import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import Stripe from "stripe";
import { ulid } from "ulid";
import { formsOf, submit } from "../contract/payment-sandbox.support.ts";
import { eventually } from "../support/eventually.ts";
import { useSystem } from "../support/use-started.ts";
import { ADMIN_TOKEN, type Answer, type RequestOptions } from "../support/system.ts";

const SHIPPED_TO = {
  name: "Ada Mechanic",
  street: "1 Main St",
  city: "Austin",
  state: "TX",
  postalCode: "78701",
  country: "US",
  phone: "+1 555 0100",
};

const system = useSystem();
let stripe: Stripe;
beforeAll(async () => {
  const sandbox = new URL(system.sandboxUrl("payment"));
  stripe = new Stripe("sk_test_partline_sandbox", {
    protocol: "http",
    host: sandbox.hostname,
    port: Number(sandbox.port),
    maxNetworkRetries: 0,
  });
  const rows = ["part_number,title,list_price", "900-001,Order test filter,20", "900-002,Order test belt,60"].join(
    "\n",
  );
  const imported = await system.request("catalog", "POST", "/catalog/import/bns", {
    rawBody: rows,
    adminToken: ADMIN_TOKEN,
    headers: { "Content-Type": "text/csv" },
  });
  expect(imported.status).toBe(200);
});
afterEach(() => control("/faults", undefined, "DELETE"));

const control = async (path: string, body?: object, method = "POST"): Promise<void> => {
  const answer = await fetch(`${system.sandboxUrl("payment")}/sandbox${path}`, {
    method,
    headers: { "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
};

interface Bought {
  orderId: string;
  sessionId: string;
  paymentIntentId: string;
  userId: string;
  token: string;
}

/** An order of 100.00, paid at the hosted page: two filters at 20.00 and a belt at 60.00. */
async function buy({ userId = `user_${ulid()}`, guest = false, paymentMethod = "pm_card_visa" } = {}): Promise<Bought> {
  const token = await system.token("customer", { sub: userId });
  const items = [
    { productId: "bns-900001", partNumber: "900-001", title: "Order test filter", unitPrice: 20, quantity: 2 },
    { productId: "bns-900002", partNumber: "900-002", title: "Order test belt", unitPrice: 60, quantity: 1 },
  ];
  const opened = await system.request("payment", "POST", "/api/checkout/session", {
    body: {
      items,
      ...(guest ? {} : { customerId: userId }),
      shippingAddress: SHIPPED_TO,
    },
    ...(guest ? {} : { token }),
  });
  expect(opened.status).toBe(200);
  const { sessionId, url } = opened.body.data;
  await submit(formsOf(await (await fetch(url)).text(), url)[0]!, { payment_method: paymentMethod });
  const orderId = await eventually(async () => {
    const answer = await system.request("payment", "GET", `/api/orders/by-session/${sessionId}`);
    return answer.status === 200 && (answer.body.data.orderId as string);
  }, 30_000);
  const { paymentIntentId } = (await admin("GET", `/${orderId}`)).body.data;
  return { orderId, sessionId, paymentIntentId, userId, token };
}

const admin = (method: "GET" | "POST" | "PATCH", path: string, body?: object): Promise<Answer> =>
  system.request("payment", method, `/api/admin/orders${path}`, { adminToken: ADMIN_TOKEN, body });
const refundsAtProvider = async (paymentIntentId: string) =>
  (await stripe.refunds.list({ payment_intent: paymentIntentId, limit: 100 })).data;
const error = (status: number, code: string, message?: unknown) => ({
  status,
  body: { success: false, error: { code, message: message ?? expect.any(String) } },
});

describe.each(["payment", "gateway"] as const)("Orders on the %s address", (entry) => {
  const get = (path: string, options: RequestOptions = {}) =>
    system.request(entry, "GET", `/api/orders${path}`, options);
  const cancel = (orderId: string, options: RequestOptions = {}) =>
    system.request(entry, "POST", `/api/orders/${orderId}/cancel`, options);

  it("are looked up by session and payment without a credential, with five fields", async () => {
    const { orderId, sessionId, paymentIntentId } = await buy();
    for (const path of [`/by-session/${sessionId}`, `/by-payment/${paymentIntentId}`]) {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        success: true,
        data: {
          orderId,
          orderNumber: expect.stringMatching(/^ORD-\d{8}-\d{6}$/),
          status: "pending",
          paymentStatus: "paid",
          createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      });
    }
    for (const path of [
      "/by-session/cs_unknown",
      "/by-payment/pi_unknown",
      "/by-session/%20",
      `/by-payment/${"x".repeat(300)}`,
    ]) {
      expect(await get(path)).toMatchObject(error(404, "NOT_FOUND"));
    }
  });

  it("are read by their owner and by admins", async () => {
    const { orderId, userId, token } = await buy();
    const answer = await get(`/${orderId}`, { token });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: {
          orderId,
          userId,
          subtotal: 100,
          tax: 0,
          shipping: 0,
          total: 100,
          currency: "usd",
          status: "pending",
          paymentStatus: "paid",
          items: [
            { partNumber: "900-001", name: "Order test filter", quantity: 2, price: 20, total: 40 },
            { partNumber: "900-002", total: 60 },
          ],
          shippingAddress: SHIPPED_TO,
        },
      },
    });
    expect((await get(`/${orderId}`, { token: await system.token("admin") })).body).toEqual(answer.body);
    expect(await get(`/${orderId}`)).toMatchObject(error(401, "UNAUTHORIZED", "Missing Authorization header"));
    expect(await get(`/${orderId}`, { token: "not.a.token" })).toMatchObject(
      error(401, "UNAUTHORIZED", "Invalid token"),
    );
    expect(await get(`/${orderId}`, { token: await system.token("customer", { sub: "somebody_else" }) })).toMatchObject(
      error(403, "FORBIDDEN"),
    );
    expect(await get("/ord_unknown", { token })).toMatchObject(error(404, "NOT_FOUND", "Order ord_unknown not found"));
  });

  it("of a guest are nobody's but the admins'", async () => {
    const { orderId, token } = await buy({ guest: true });
    expect(await get(`/${orderId}`, { token })).toMatchObject(error(403, "FORBIDDEN"));
    expect(await get(`/${orderId}`, { token: await system.token("admin") })).toMatchObject({
      status: 200,
      body: { data: { userId: "guest" } },
    });
  });

  it("are listed for their user", async () => {
    const { orderId, userId, token } = await buy();
    const second = await buy({ userId });
    const answer = await get(`/user/${userId}?pageSize=1`, { token });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: { orders: [{ orderId: second.orderId }], pagination: { page: 1, pageSize: 1, total: 2, totalPages: 2 } },
      },
    });
    expect(
      (await get(`/user/${userId}?sort=oldest&status=pending&from=2020-01-01`, { token })).body.data.orders[0].orderId,
    ).toBe(orderId);
    expect(await get(`/user/${userId}`)).toMatchObject(error(401, "UNAUTHORIZED"));
    expect(
      await get(`/user/${userId}`, { token: await system.token("customer", { sub: "somebody_else" }) }),
    ).toMatchObject(error(403, "FORBIDDEN"));
    expect((await get("/user/user_without_orders", { token: await system.token("admin") })).body.data.orders).toEqual(
      [],
    );
    expect(await get(`/user/${userId}?pageSize=101`, { token })).toMatchObject(
      error(400, "VALIDATION_FAILED", expect.stringContaining("pageSize")),
    );
  });

  it("are cancelled by their owner, with a full refund, once", async () => {
    const { orderId, paymentIntentId, token } = await buy();
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => cancel(orderId, { token, body: { reason: "duplicate" } })),
    );
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: answers[0]!.body });
    expect(answers[0]!.body.data).toMatchObject({
      orderId,
      status: "cancelled",
      paymentStatus: "refunded",
      refundedAmount: 100,
      refund: { refundId: expect.any(String), amount: 100, status: "succeeded" },
    });
    expect(await refundsAtProvider(paymentIntentId)).toMatchObject([
      { amount: 10_000, reason: "duplicate", status: "succeeded" },
    ]);
    // Later, without a body at all: it is cancelled already, and no second refund is made.
    expect(await cancel(orderId, { token })).toMatchObject(error(409, "ORDER_NOT_CANCELLABLE"));
    expect(await refundsAtProvider(paymentIntentId)).toHaveLength(1);
  });

  it("refuse a cancellation that is not allowed or not well-formed", async () => {
    const { orderId, token } = await buy();
    const stranger = await system.token("customer", { sub: "somebody_else" });
    expect(await cancel(orderId, { body: {} })).toMatchObject(
      error(401, "UNAUTHORIZED", "Missing Authorization header"),
    );
    expect(await cancel(orderId, { token: stranger, body: {} })).toMatchObject(error(403, "FORBIDDEN"));
    expect(await cancel(orderId, { token, body: { adminNote: "n" } })).toMatchObject(
      error(403, "FORBIDDEN", expect.stringContaining("adminNote")),
    );
    expect(await cancel(orderId, { token, body: { forceCancel: true } })).toMatchObject(
      error(403, "FORBIDDEN", expect.stringContaining("forceCancel")),
    );
    expect(await cancel(orderId, { token, body: { reason: "bored" } })).toMatchObject(
      error(400, "VALIDATION_FAILED", expect.stringContaining("reason")),
    );
    expect(await cancel(orderId, { token, body: { refund: false } })).toMatchObject(
      error(400, "VALIDATION_FAILED", expect.stringContaining("refund")),
    );
    expect(await cancel(orderId, { adminToken: ADMIN_TOKEN, body: { adminNote: "x".repeat(501) } })).toMatchObject(
      error(400, "VALIDATION_FAILED", expect.stringContaining("adminNote")),
    );
    expect(await cancel("ord_unknown", { token, body: {} })).toMatchObject(error(404, "NOT_FOUND"));
    await admin("PATCH", `/${orderId}`, { status: "processing" });
    await admin("PATCH", `/${orderId}`, { status: "shipped" });
    expect(await cancel(orderId, { token, body: {} })).toMatchObject(error(409, "ORDER_NOT_CANCELLABLE"));
    expect((await get(`/${orderId}`, { token })).body.data).toMatchObject({ status: "shipped", paymentStatus: "paid" });
  });

  it("stay as they are when the provider refuses the refund, and are cancelled by force all the same", async () => {
    const { orderId, paymentIntentId, token } = await buy();
    const before = (await admin("GET", `/${orderId}`)).body;
    await control("/faults", { match: "POST /v1/refunds", status: 400 });
    expect(await cancel(orderId, { token, body: {} })).toMatchObject(error(502, "PROVIDER_ERROR"));
    expect((await admin("GET", `/${orderId}`)).body).toEqual(before);
    const forced = await cancel(orderId, { adminToken: ADMIN_TOKEN, body: { forceCancel: true, adminNote: "angry" } });
    expect(forced).toMatchObject({
      status: 200,
      body: { data: { status: "cancelled", paymentStatus: "paid", refund: { amount: 100, status: "pending" } } },
    });
    expect(forced.text).not.toContain("angry");
    await control("/faults", undefined, "DELETE");
    await eventually(async () => (await get(`/${orderId}`, { token })).body.data.paymentStatus === "refunded");
    expect(await refundsAtProvider(paymentIntentId)).toMatchObject([{ amount: 10_000 }]);
  }, 60_000);
});

describe("Admin orders", () => {
  it("need the admin token", async () => {
    for (const path of ["", "/stats", "/ord_x", "/ord_x/history"]) {
      const url = `/api/admin/orders${path}`;
      expect(await system.request("gateway", "GET", url)).toMatchObject(
        error(401, "UNAUTHORIZED", "Missing X-Admin-Token header"),
      );
      expect(await system.request("gateway", "GET", url, { adminToken: "wrong" })).toMatchObject(
        error(401, "UNAUTHORIZED", "Invalid admin token"),
      );
      expect(await system.request("gateway", "GET", url, { token: await system.token("customer") })).toMatchObject(
        error(403, "FORBIDDEN"),
      );
    }
    expect(await system.request("gateway", "PATCH", "/api/admin/orders/ord_x", { body: {} })).toMatchObject(
      error(401, "UNAUTHORIZED"),
    );
    expect(await admin("GET", "/ord_x")).toMatchObject(error(404, "NOT_FOUND"));
    expect(await admin("GET", "/ord_x/history")).toMatchObject(error(404, "NOT_FOUND"));
  });

  it("are listed and searched", async () => {
    const { orderId } = await buy();
    const { orderNumber } = (await admin("GET", `/${orderId}`)).body.data;
    for (const q of [orderNumber, orderId]) {
      expect((await admin("GET", `?q=${q}`)).body).toMatchObject({
        success: true,
        data: { orders: [{ orderId, version: 1 }], pagination: { total: 1 } },
      });
    }
    const today = new Date().toISOString().slice(0, 10);
    expect(
      (await admin("GET", `?q=900%20001&from=${today}&to=${today}&paymentStatus=paid&sort=newest`)).body.data.orders[0]
        .orderId,
    ).toBe(orderId);
    for (const query of ["page=0", "status=lost", "from=soon", "from=2026-02-02&to=2026-02-01", "sort=best"]) {
      expect(await admin("GET", `?${query}`)).toMatchObject(
        error(400, "VALIDATION_FAILED", expect.stringContaining(query.split("=")[0]!)),
      );
    }
  });

  it("go their way step by step, and no other", async () => {
    const { orderId, token } = await buy();
    expect(await admin("PATCH", `/${orderId}`, { status: "delivered" })).toMatchObject(
      error(409, "INVALID_TRANSITION"),
    );
    expect(await admin("PATCH", `/${orderId}`, { status: "processing", version: 1 })).toMatchObject({
      status: 200,
      body: { data: { status: "processing", version: 2 } },
    });
    expect(await admin("PATCH", `/${orderId}`, { status: "shipped", version: 1 })).toMatchObject(
      error(409, "VERSION_CONFLICT"),
    );
    const tracking = { trackingNumber: "1Z999", carrier: "ups", adminNote: "fragile" };
    expect(await admin("PATCH", `/${orderId}`, { status: "shipped", ...tracking })).toMatchObject({
      status: 200,
      body: { data: { ...tracking, version: 3 } },
    });
    const seen = await system.request("gateway", "GET", `/api/orders/${orderId}`, { token });
    expect(seen.body.data).toMatchObject({ status: "shipped", trackingNumber: "1Z999" });
    expect(seen.text).not.toContain("fragile");
    expect(await admin("PATCH", `/${orderId}`, { status: "delivered" })).toMatchObject({ status: 200 });
    expect(await admin("PATCH", `/${orderId}`, { status: "cancelled" })).toMatchObject(
      error(409, "ORDER_NOT_CANCELLABLE"),
    );
    expect(await admin("PATCH", `/${orderId}`, { total: 1 })).toMatchObject(
      error(400, "VALIDATION_FAILED", expect.stringContaining("total")),
    );
    const { body: delivered } = await admin("PATCH", `/${orderId}`, { status: null });
    expect(delivered.data).toMatchObject({ status: "delivered", adminNote: "fragile" });
    expect(await admin("PATCH", "/ord_x", {})).toMatchObject(error(404, "NOT_FOUND"));
  });

  it("are refunded in parts, capped by what is left, and their history shows it", async () => {
    const { orderId, paymentIntentId } = await buy();
    const first = await admin("POST", `/${orderId}/refunds`, { amount: 12.5, reason: "other" });
    expect(first).toMatchObject({
      status: 200,
      body: {
        data: {
          paymentStatus: "partially_refunded",
          refundedAmount: 12.5,
          refund: { amount: 12.5, status: "succeeded" },
        },
      },
    });
    expect(
      await admin("POST", `/${orderId}/refunds`, { items: [{ partNumber: "900-002", quantity: 1 }] }),
    ).toMatchObject({ body: { data: { refundedAmount: 72.5 } } });
    expect(await admin("POST", `/${orderId}/refunds`, { amount: 27.51 })).toMatchObject(
      error(400, "VALIDATION_FAILED", expect.stringContaining("'amount'")),
    );
    expect(await admin("POST", `/${orderId}/refunds`, { amount: 0.001 })).toMatchObject(
      error(400, "VALIDATION_FAILED", expect.stringContaining("'amount'")),
    );
    expect(await admin("POST", `/${orderId}/refunds`, { items: [] })).toMatchObject(
      error(400, "VALIDATION_FAILED", expect.stringContaining("'items'")),
    );
    const rest = await Promise.all(
      Array.from({ length: 5 }, () => admin("POST", `/${orderId}/refunds`, { amount: 10 })),
    );
    expect(rest.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400, 400]);
    expect(await admin("POST", `/${orderId}/refunds`)).toMatchObject({
      body: { data: { paymentStatus: "refunded", refund: { amount: 7.5 } } },
    });
    expect(await admin("POST", `/${orderId}/refunds`)).toMatchObject(error(409, "INVALID_TRANSITION"));
    expect((await refundsAtProvider(paymentIntentId)).reduce((sum, { amount }) => sum + amount, 0)).toBe(10_000);

    const { events } = await eventually(async () => {
      const { data } = (await admin("GET", `/${orderId}/history`)).body;
      return (
        data.events.length >= 6 &&
        (data as { events: { event_type: string; version: number; data: { actor: string; amount?: number } }[] })
      );
    });
    expect(events.map(({ event_type }) => event_type)).toEqual([
      "ORDER_CREATED",
      ...Array.from({ length: 5 }, () => "ORDER_REFUNDED"),
    ]);
    expect(events.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6]);
    // Whether the answer to our request or the provider's webhook was faster.
    expect(events.map(({ data }) => data.actor)).toEqual([
      "payment-provider",
      ...Array.from({ length: 5 }, () => "admin"),
    ]);
    expect(events.slice(1).reduce((sum, { data }) => sum + data.amount!, 0)).toBe(10_000);
    expect(JSON.stringify(events)).not.toMatch(/Ada|555 0100|Main St/);
    // What the provider reports of these refunds changes nothing any more.
    await eventually(async () =>
      (await stripe.events.list({ type: "charge.refunded", limit: 100 })).data.every(
        ({ pending_webhooks }) => pending_webhooks === 0,
      ),
    );
    expect((await admin("GET", `/${orderId}`)).body.data).toMatchObject({ version: 6, refundedAmount: 100 });
  }, 60_000);

  it("never end cancelled with the money kept, when the bank sends the refund back", async () => {
    const { orderId, token } = await buy({ paymentMethod: "pm_card_refundFail" });
    const cancelled = await system.request("payment", "POST", `/api/orders/${orderId}/cancel`, { token, body: {} });
    if (cancelled.status === 200) {
      // The failure was reported after the answer.
      await eventually(async () => (await admin("GET", `/${orderId}`)).body.data.refundDue === 100);
    } else {
      expect(cancelled).toMatchObject(error(502, "PROVIDER_ERROR"));
      expect((await admin("GET", `/${orderId}`)).body.data).toMatchObject({
        status: "pending",
        paymentStatus: "paid",
        refundedAmount: 0,
      });
      const forced = await system.request("payment", "POST", `/api/orders/${orderId}/cancel`, {
        adminToken: ADMIN_TOKEN,
        body: { forceCancel: true },
      });
      expect(forced).toMatchObject({ status: 200, body: { data: { status: "cancelled" } } });
      await eventually(async () => (await admin("GET", `/${orderId}`)).body.data.refundDue === 100);
    }
    expect((await admin("GET", `/${orderId}`)).body.data).toMatchObject({
      status: "cancelled",
      paymentStatus: "paid",
      refundedAmount: 0,
    });
    const again = await system.request("payment", "POST", `/api/orders/${orderId}/cancel`, { token, body: {} });
    const due = "The order is cancelled already. 100.00 is still to be refunded, and is tried again";
    expect(again).toMatchObject(error(409, "ORDER_NOT_CANCELLABLE", due));
    expect((await admin("GET", "?refundDue=true")).body.data.orders).toContainEqual(
      expect.objectContaining({ orderId, refundDue: 100 }),
    );
    expect((await admin("GET", "?refundDue=true&status=pending")).body.data.orders).toEqual([]);
  }, 60_000);

  it("take over a refund that was made at the provider's console", async () => {
    const { orderId, paymentIntentId, token } = await buy();
    await stripe.refunds.create({ payment_intent: paymentIntentId, amount: 3_000 });
    await eventually(async () => (await admin("GET", `/${orderId}`)).body.data.refundedAmount === 30);
    const cancelled = await system.request("payment", "POST", `/api/orders/${orderId}/cancel`, { token, body: {} });
    expect(cancelled.body.data).toMatchObject({ refundedAmount: 100, refund: { amount: 70 } });
  });
});
