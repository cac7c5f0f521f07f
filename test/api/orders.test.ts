import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type Stripe from "stripe";
import { ulid } from "ulid";
import { formsOf, submit } from "../contract/payment-sandbox.support.ts";
import { AUSTIN } from "../support/addresses.ts";
import { eventually } from "../support/eventually.ts";
import { createSandboxStripe } from "../support/payment-sandbox.ts";
import { useSystem } from "../support/use-started.ts";
import { ADMIN_TOKEN, type Answer, type RequestOptions } from "../support/system.ts";
import { pageTexts } from "../support/pdf-text.ts";
import { importParts } from "../support/requests.ts";

const SHIPPED_TO = { ...AUSTIN, phone: "+1 555 0100" };

const system = useSystem();
let stripe: Stripe;
beforeAll(async () => {
  stripe = createSandboxStripe(system.sandboxUrl("payment"));
  const rows = ["part_number,title,list_price", "900-001,Order test filter,20", "900-002,Order test belt,60"].join(
    "\n",
  );
  const imported = await importParts(system, "bns", rows);
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

describe("Orders", () => {
  const get = (path: string, options: RequestOptions = {}) =>
    system.request("gateway", "GET", `/api/orders${path}`, options);
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
      `/by-session/${paymentIntentId}`,
      "/by-payment/pi_unknown",
      "/by-session/%20",
      `/by-payment/${"x".repeat(300)}`,
    ]) {
      expect(await get(path)).toMatchObject(error(404, "NOT_FOUND"));
    }
  });
});

describe("Admin orders", () => {
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
      "ORDER_REFUNDED",
      "ORDER_LINES_CANCELLED",
      ...["ORDER_REFUNDED", "ORDER_REFUNDED", "ORDER_CANCELLED"],
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

  it("are marked as packed, printed and exported together; what is refused is named", async () => {
    const [first, second, gone] = [await buy(), await buy(), await buy()].map(({ orderId }) => orderId);
    await admin("POST", `/${gone}/shipments`, {});
    await system.request("catalog", "PUT", "/api/admin/parts/bns-900002/stock", {
      adminToken: ADMIN_TOKEN,
      body: { place: "main", onHand: 9, bin: "B-12", reason: "counted" },
    });
    const orderIds = [first, gone, second, "ord_none", first];
    const marked = await admin("POST", "/packed", { orderIds });
    expect(marked.body.data).toMatchObject({
      marked: [first, second],
      refused: [
        { orderId: gone, code: "INVALID_TRANSITION" },
        { orderId: "ord_none", code: "NOT_FOUND" },
      ],
    });
    const inQueue = async () =>
      (await admin("GET", "?queue=packed&pageSize=100")).body.data.orders.map((order: Bought) => order.orderId);
    expect(await inQueue()).toEqual(expect.arrayContaining([first, second]));
    expect((await admin("POST", "/packed", { orderIds: Array.from({ length: 101 }, () => first) })).status).toBe(400);
    await admin("POST", "/packed", { orderIds: [second], packed: false });
    expect(await inQueue()).not.toContain(second);

    const fetchFile = (path: string) =>
      fetch(`${system.url("gateway")}/api/admin/${path}`, { headers: { "X-Admin-Token": ADMIN_TOKEN } });
    const slips = await fetchFile(`orders/packing-slips.pdf?orderIds=${[first, second, gone].join(",")}`);
    const pages = (await pageTexts(Buffer.from(await slips.arrayBuffer()))).map(({ texts }) =>
      texts.map(({ text }) => text).join(" "),
    );
    expect(pages).toEqual([
      expect.stringContaining("900-002 Order test belt B-12 1 0 0 1"),
      expect.stringContaining("Pieces to pack"),
      expect.stringContaining("Nothing to pack right now"),
    ]);
    expect((await fetchFile("orders/packing-slips.pdf?orderIds=ord_none")).status).toBe(404);
    const csv = await (await fetchFile(`export/orders?format=csv&orderIds=${first},${gone}`)).text();
    expect(
      csv
        .trim()
        .split("\n")
        .map((line) => line.slice(0, 30)),
    ).toEqual([expect.stringMatching(/^orderId,/), expect.stringContaining(first!), expect.stringContaining(gone!)]);
    const lines = await (await fetchFile(`export/order-lines?format=csv&orderIds=${second}`)).text();
    expect(lines.trim().split("\n")).toHaveLength(3);
  });
});
