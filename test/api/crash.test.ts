import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import sharp from "sharp";
import Stripe from "stripe";
import { ulid } from "ulid";
import { ENTRY_POINTS } from "../../broker/contract/define.ts";
import { buy } from "../support/buy.ts";
import { openStream } from "../support/event-stream.ts";
import { eventually } from "../support/eventually.ts";
import { clerkEvent, clerkUser, svixHeaders } from "../support/identity-events.ts";
import { quarters } from "../support/images.ts";
import { IDENTITY_WEBHOOK_SECRET } from "../support/shared-system.ts";
import { ADMIN_TOKEN, startSystem, type Answer, type System } from "../support/system.ts";

/** One crash serves all of these tests: a start takes longer than most of them. */
let system: System;
let isStopped = false;

const asAdmin = { adminToken: ADMIN_TOKEN };
const json = { "Content-Type": "application/json" };
const sellable = (name: string, unitPrice: number) => {
  const number = `9${String(Date.now()).slice(-8)}${name.length}`;
  return { productId: `bns-${number}`, partNumber: number, title: `Crash test ${name}`, unitPrice, quantity: 2 };
};
const FILTER = sellable("filter", 20);
const BELT = sellable("belt", 50);

/** A part of the shop before the crash; resolves with what must hold after it. */
type Preparation = () => Promise<() => Promise<void>>;

const kept: Record<string, Preparation> = {
  "a user that was acknowledged to the identity provider": async () => {
    const id = `user_${ulid()}`;
    const body = clerkEvent("user.created", clerkUser({ id }));
    const headers = { ...json, ...svixHeaders(IDENTITY_WEBHOOK_SECRET, body) };
    expect((await system.request("user", "POST", "/webhooks/clerk", { rawBody: body, headers })).status).toBe(200);
    return async () => expect((await system.request("user", "GET", `/api/users/${id}`, asAdmin)).status).toBe(200);
  },

  "the carts that were acknowledged": async () => {
    const cart = { productId: "a", partNumber: "PN-1", title: "Part", quantity: 1, unitPrice: 12.5 };
    const who = { sessionId: crypto.randomUUID() };
    const cartId = `cart_${ulid()}`;
    await system.request("cart", "POST", "/api/cart", { body: { cartId, items: [cart] } });
    const item = { ...cart, quantity: 3 };
    const acknowledged = await system.request("cart", "POST", "/api/cart/items", { ...who, body: { item } });
    return async () => {
      expect((await system.request("cart", "GET", "/api/cart", who)).body).toEqual(acknowledged.body);
      expect(await system.request("cart", "GET", `/api/cart/${cartId}`)).toMatchObject({ status: 200 });
    };
  },

  "events, to which others can be added": async () => {
    const id = ulid();
    const append = async (): Promise<Answer["body"]> =>
      (
        await system.request("eventstore", "POST", "/events", {
          body: { aggregate_id: id, aggregate_type: "thing", event_type: "THING_CHANGED", data: { n: 1 } },
        })
      ).body;
    const { position } = await append();
    return async () => {
      const { events } = (await system.request("eventstore", "GET", `/events?aggregate_id=${id}`)).body;
      expect(events).toMatchObject([{ position, version: 1 }]);
      expect((await append()).version).toBe(2);
    };
  },

  "what analytics had counted, and counts nothing twice": async () => {
    const read = async (path: string): Promise<Answer["body"]> =>
      (await system.request("analytics", "GET", `/api/analytics${path}`, asAdmin)).body;
    const pieces = async (): Promise<number> =>
      (await read("/parts?limit=100&sort=quantity")).parts.find(
        ({ productId }: { productId: string }) => productId === FILTER.productId,
      )?.quantity ?? 0;
    for (let n = 0; n < 3; n++) await buyPieces(FILTER);
    return async () => {
      await buyPieces(FILTER);
      await eventually(async () => (await read("/overview")).behind === 0 && (await pieces()) >= 8, 120_000);
      expect(await pieces()).toBe(8);
      const { orders } = await read("/overview");
      const stats = await system.request("payment", "GET", "/api/admin/orders/stats", asAdmin);
      expect(orders.totalOrders).toBe(stats.body.data.totalOrders);
    };
  },

  "a sync of the tires, which goes on and counts every tire once": async () => {
    const report = async (syncId: string): Promise<Answer["body"]> =>
      (await system.request("catalog", "GET", `/catalog/syncs/${syncId}`, asAdmin)).body;
    // The sandbox and its bad day end with the process.
    await control("tires", { kind: "stall", page: 3 });
    const { syncId } = (
      await system.request("catalog", "POST", "/catalog/kmt/batch-sync", { ...asAdmin, body: { pageSize: 50 } })
    ).body;
    await eventually(async () => (await report(syncId)).pages.done === 8);
    return async () => {
      const resumed = await eventually(async () => {
        const body = await report(syncId);
        return body.status !== "running" && body;
      }, 60_000);
      expect(resumed).toMatchObject({
        status: "completed",
        pages: { done: 9, failed: 0, total: 9 },
        rows: { read: 420, repeated: 0 },
      });
      const { body: listed } = await system.request("catalog", "GET", "/parts/kmt?pageSize=1");
      expect(listed.pagination.total).toBe(420);
    };
  },
};

/** One after another, the crash in the middle of the last ones. */
const cutOff: Record<string, Preparation> = {
  "what a search finds": async () => {
    const search = () => system.request("search", "GET", "/api/search?q=carburetor+vanguard");
    const before = (await search()).body;
    return async () => expect((await search()).body).toEqual(before);
  },

  "a refund that was on its way, once, and the order is cancelled": async () => {
    const token = await system.token(`user_${ulid()}`);
    const { orderId, paymentIntentId } = await buyPieces(BELT, token);
    const refunds = async () => (await provider().refunds.list({ payment_intent: paymentIntentId, limit: 100 })).data;
    await control("payment", { match: "POST /v1/refunds", hang: true, afterWork: true });
    system
      .request("payment", "POST", `/api/orders/${orderId}/cancel`, { token, body: {} })
      .catch((cut: unknown) => cut);
    await eventually(async () => (await refunds()).length === 1);
    const order = async (): Promise<Answer["body"]> =>
      (await system.request("payment", "GET", `/api/admin/orders/${orderId}`, asAdmin)).body.data;
    return async () => {
      await eventually(async () => (await order()).status === "cancelled", 60_000);
      expect(await order()).toMatchObject({ paymentStatus: "refunded", refundedAmount: 100 });
      expect(await refunds()).toHaveLength(1);
    };
  },

  "a return whose refund was on its way: paid once, the piece back; what else became of the order, each with its mail":
    async () => {
      const { orderId, paymentIntentId } = await buyPieces(BELT, undefined, 4);
      const staff = (path: string, body: object = {}) =>
        system.request("payment", "POST", `/api/admin/orders/${orderId}${path}`, { ...asAdmin, body });
      const pieces = (quantity: number) => ({ lines: [{ partNumber: BELT.partNumber, quantity }] });
      const order = async (): Promise<Answer["body"]> =>
        (await system.request("payment", "GET", `/api/admin/orders/${orderId}`, asAdmin)).body.data;
      await staff("/lines/cancel", { ...pieces(1), reason: "other" });
      await staff("/shipments", { ...pieces(2), carrier: "ups" });
      const { returns } = (await staff("/returns", { ...pieces(1), reason: "defective" })).body.data;
      await control("payment", { match: "POST /v1/refunds", hang: true, afterWork: true });
      staff(`/returns/${returns[0].returnId}/receipt`).catch((cut: unknown) => cut);
      const refunds = async () => (await provider().refunds.list({ payment_intent: paymentIntentId, limit: 100 })).data;
      await eventually(async () => (await refunds()).length === 2);
      return async () => {
        await eventually(async () => (await order()).refundedAmount === 100, 60_000);
        expect(await refunds()).toHaveLength(2);
        expect(await staff("/shipments", pieces(2))).toMatchObject({ status: 409 });
        const { orderNumber, items, shipments } = await order();
        expect(shipments).toHaveLength(1);
        expect(items[0].quantities).toEqual({ open: 1, backordered: 0, shipped: 1, cancelled: 1, returned: 1 });
        const subjects = await eventually(async () => {
          const answer = await fetch(`${system.sandboxUrl("mailbox")}/sandbox/mails`);
          const { mails } = (await answer.json()) as { mails: { subject: string }[] };
          const own = mails.filter(({ subject }) => subject.includes(orderNumber)).map(({ subject }) => subject);
          return own.length >= 5 && own.sort();
        }, 60_000);
        expect(subjects).toEqual([
          `New order ${orderNumber} for $200.00`,
          `Part of your order ${orderNumber} is cancelled`,
          `Part of your order ${orderNumber} is on its way`,
          `We've received your return for order ${orderNumber}`,
          `Your order ${orderNumber}`,
        ]);
        const { mails } = (await system.request("payment", "GET", `/api/admin/orders/${orderId}/mails`, asAdmin)).body
          .data;
        // The instructions of a return are not sent once its pieces are here.
        const otherMails = mails.filter(({ kind }: { kind: string }) => kind !== "return-approved");
        expect(otherMails.map(({ state }: { state: string }) => state)).toEqual(subjects.map(() => "sent"));
      };
    },

  "an image, and nothing of another whose half had arrived": async () => {
    const put = (rawBody: Uint8Array) => system.request("media", "PUT", "/api/media", { rawBody, ...asAdmin });
    const get = async (path: string) => {
      const response = await fetch(`${system.url("media")}/api/media/${path}`);
      return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
    };
    const before = (await put(await quarters(77, 77).png().toBuffer())).body.id as string;
    const variant = await get(`${before}?w=7`);
    const sent = await sharp({
      create: {
        width: 500,
        height: 500,
        channels: 3,
        background: "#888",
        noise: { type: "gaussian", mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer();
    const { host, hostname, port } = new URL(system.url("media"));
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    await once(socket, "connect");
    socket.write(
      `PUT /api/media HTTP/1.1\r\nHost: ${host}\r\nX-Admin-Token: ${ADMIN_TOKEN}\r\nContent-Length: ${sent.length}\r\n\r\n`,
    );
    socket.write(sent.subarray(0, sent.length >> 1));
    await eventually(() => socket.writableLength === 0);
    return async () => {
      socket.destroy();
      const id = createHash("sha256").update(sent).digest("hex");
      expect((await get(id)).status).toBe(404);
      expect((await get(`${before}?w=7`)).body.equals(variant.body)).toBe(true);
      expect((await put(sent)).status).toBe(200);
      expect(await sharp((await get(id)).body).metadata()).toMatchObject({ width: 500, height: 500 });
    };
  },

  // An embedded system is killed as a whole: what it was is known from the store.
  "who was killed, and who took their place": async () => {
    const read = async (path: string): Promise<Answer["body"]> =>
      (await system.request("health-analytics", "GET", `/api/health-analytics${path}`, asAdmin)).body;
    const nodesBefore = await eventually(async () => {
      const { state, entryPoints } = await read("/overview");
      return state === "up" && entryPoints.length === ENTRY_POINTS.length && (await read("/nodes")).nodes;
    }, 30_000);
    return async () => {
      const ended = await eventually(async () => {
        const { incidents } = await read("/incidents?open=false");
        return incidents.find(({ kind }: { kind: string }) => kind === "node");
      }, 60_000);
      expect(ended).toMatchObject({ endedAt: expect.any(String), spells: 1 });
      const { nodes } = await read("/nodes");
      expect(nodes).toHaveLength(2 * nodesBefore.length);
      for (const { node } of nodesBefore)
        expect(nodes).toContainEqual(
          expect.objectContaining({ node, state: "gone", replacedBy: expect.any(Object) as object }),
        );
      expect(await read("/overview")).toMatchObject({
        nodes: { up: nodesBefore.length, gone: 0 },
        restarts: nodesBefore.length,
      });
    };
  },
};

const checks = new Map<string, () => Promise<void>>();

beforeAll(async () => {
  system = await startSystem({ env: { IDENTITY_WEBHOOK_SECRET } });
  const imported = await system.request("catalog", "POST", "/catalog/import/bns", {
    rawBody: [
      "part_number,title,list_price",
      ...[FILTER, BELT].map(({ partNumber, title, unitPrice }) => [partNumber, title, unitPrice].join()),
      "",
    ].join("\n"),
    headers: { "Content-Type": "text/csv" },
    ...asAdmin,
  });
  expect(imported.body).toMatchObject({ read: 2, refusedTotal: 0 });
  await noUsers();
  await Promise.all(Object.entries(kept).map(async ([name, prepare]) => checks.set(name, await prepare())));
  for (const [name, prepare] of Object.entries(cutOff)) checks.set(name, await prepare());
  await system.kill();
  await system.start();
}, 300_000);
afterAll(() => (isStopped ? undefined : system.stop()));

async function noUsers(): Promise<void> {
  expect(await system.request("gateway", "GET", "/api/users", asAdmin)).toMatchObject({
    status: 200,
    body: { success: true, data: { users: [], pagination: { page: 1, pageSize: 20, total: 0, totalPages: 0 } } },
  });
  const answer = await system.request("gateway", "GET", "/api/users/me", { token: await system.token("customer") });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      success: true,
      data: { email: "customer@partline.example", name: null, addresses: [], role: "customer", createdAt: null },
    },
  });
}

async function control(sandbox: "payment" | "tires", fault: object): Promise<void> {
  const answer = await fetch(`${system.sandboxUrl(sandbox)}/sandbox/faults`, {
    method: "POST",
    headers: json,
    body: JSON.stringify(fault),
  });
  expect(answer.ok).toBe(true);
}

function provider(): Stripe {
  const { hostname, port } = new URL(system.sandboxUrl("payment"));
  const at = { protocol: "http", host: hostname, port: Number(port), maxNetworkRetries: 0 } as const;
  return new Stripe("sk_test_partline_sandbox", at);
}

/** Pieces of a part, paid at the hosted page. */
async function buyPieces(
  part: typeof FILTER,
  token?: string,
  quantity = part.quantity,
): Promise<{ orderId: string; paymentIntentId: string }> {
  const me = token === undefined ? undefined : (await system.request("user", "GET", "/api/users/me", { token })).body;
  const checkout = { items: [{ ...part, quantity }], ...(me ? { customerId: me.data.userId } : {}) };
  const { orderId } = await buy(system, checkout, { token });
  const { paymentIntentId } = (await system.request("payment", "GET", `/api/admin/orders/${orderId}`, asAdmin)).body
    .data;
  return { orderId, paymentIntentId };
}

describe("kill -9 of every process leaves", () => {
  it.each([...Object.keys(kept), ...Object.keys(cutOff)])("%s", (name) => checks.get(name)!(), 150_000);
});

it("ends an event stream as an answer ends when the server drains", async () => {
  const stream = await openStream(`${system.url("eventstore")}/events/stream`);
  isStopped = true;
  await system.stop();
  await stream.ended;
});
