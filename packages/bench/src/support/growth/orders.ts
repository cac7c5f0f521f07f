import { setTimeout as delay } from "node:timers/promises";
import { call, outbox } from "../../../../../services/contracts.ts";
import {
  OWN_CARTS,
  SAVED_CARTS,
  type Line,
  type OwnCart,
  type SavedCart,
} from "../../../../../services/cart/collections.ts";
import {
  ORDER_PARTS,
  ORDERS,
  type OrderDocument,
  type OrderPartDocument,
} from "../../../../../services/order/collections.ts";
import {
  CHECKOUTS,
  PAYMENTS,
  WEBHOOK_EVENTS,
  type Checkout,
  type Payment,
  type WebhookEvent,
} from "../../../../../services/payment/collections.ts";
import { item, newCartId, startShop, user } from "../../../../../test/contract/payment.shop.ts";
import { DELIVERIES, type DeliveryRow } from "../../../../durable/src/channels/deliveries.ts";
import { GROUPS } from "../../../../durable/src/channels/stored/relay.ts";
import { getAt } from "../../../../toolkit/src/get-at.ts";
import { generatedOrders } from "../orders.ts";
import { defineFamily, fillCollection, pickRow, placeInMonth, type Place } from "./family.ts";
import { fillHistory } from "./work.ts";

const staff = { admin: true } as const;
const addMonths = (): Date => new Date(Date.now() + 60 * 86_400_000);
const line: Line = { productId: "bns-1", partNumber: "BNS-1", title: "Part 1", quantity: 2, unitPrice: 10 };
/** Orders of the period that is asked for, at every size. */
const OF_A_DAY = 100;
/** Orders of the customer that is erased. */
const OF_THE_ERASED = 3;

type Shop = Awaited<ReturnType<typeof startShop>>;

/** A shop's orders with their payments, webhooks and carts, and the whole way from a paid webhook to its order. */
export const orders = defineFamily({
  name: "orders",
  kinds: {
    "webhook to order": "write",
    "save a cart": "write",
    "add to an own cart": "write",
    "read a cart": "look-up",
    "an order": "look-up",
    "the newest orders": "look-up",
    "orders from the middle": "look-up",
    "a queue": "look-up",
    "counts of the queues": "count",
    "orders of a user, a page": "look-up",
    "all orders, a page": "count",
    "search: an order's number": "look-up",
    "search: an email address": "look-up",
    "search: a part": "look-up",
    "search: text of an old order": "look-up",
    "search: text of none": "count",
    "statistics of 100 orders": "look-up",
    "statistics of all": "count",
    "export, a page": "look-up",
    "erase a customer": "write",
  },
  async fill(place, rows) {
    const { documents } = place;
    await (await openShop(place)).stop();
    await fillHistory(documents, rows);
    const generated = generatedOrders(rows);
    const parts: OrderPartDocument[] = [];
    await fillCollection(documents, ORDERS, rows, (): OrderDocument => {
      const { order, rows: partRows } = generated.next().value as { order: OrderDocument; rows: OrderPartDocument[] };
      parts.push(...partRows);
      return order;
    });
    await fillCollection(documents, ORDER_PARTS, parts.length, (n) => getAt(parts, n));
    await fillCollection(documents, PAYMENTS, rows, (n): Payment => ({
      _id: `cs_${String(n).padStart(8, "0")}`,
      orderId: `ord_${String(n).padStart(8, "0")}`,
      sessionId: `cs_${String(n).padStart(8, "0")}`,
      paymentIntentId: `pi_${String(n).padStart(8, "0")}`,
      cartId: `cart_${n}`,
      amount: 2_000,
      currency: "usd",
      createdAt: placeInMonth(n, rows),
    }));
    await fillCollection(documents, CHECKOUTS, rows, (n): Checkout => ({
      _id: `cs_${String(n).padStart(8, "0")}`,
      kind: "session",
      purchase: {
        cartId: `cart_${n}`,
        userId: `user_${n}`,
        owner: { userId: `user_${n}` },
        items: [{ productId: "bns-1", partNumber: "BNS-1", name: "Part 1", quantity: 2, price: 1_000 }],
        subtotal: 2_000,
        currency: "usd",
      },
      status: "complete",
      createdAt: placeInMonth(n, rows),
      purgeAt: addMonths(),
    }));
    await fillCollection(documents, WEBHOOK_EVENTS, rows, (n): WebhookEvent => ({
      _id: `evt_${n}`,
      type: "checkout.session.completed",
      state: "done",
      command: { kind: "expire", paymentKey: `cs_${n}` },
      receivedAt: placeInMonth(n, rows),
      purgeAt: addMonths(),
    }));
    await fillCollection(documents, SAVED_CARTS, rows, (n): SavedCart => ({
      _id: `cart_saved_${n}`,
      userId: `user_${n}`,
      items: [line],
      createdAt: placeInMonth(n, rows),
      expiresAt: addMonths(),
    }));
    await fillCollection(documents, OWN_CARTS, rows, (n): OwnCart => ({
      _id: `user:user_${n}`,
      items: [line],
      revision: `r${n}`,
      updatedAt: placeInMonth(n, rows),
    }));
  },
  async open(place, rows) {
    const { documents } = place;
    const shop = await openShop(place);
    const asStaff = shop.as(staff);
    const newest = await documents
      .collection<OrderDocument>(ORDERS)
      .find({}, { sort: { createdAt: -1 }, limit: 1, skip: OF_A_DAY - 1 });
    const from = getAt(newest, 0).createdAt.toISOString();
    const middle = await findMiddle(shop, rows);
    const formatNumber = (round: number): string => String(pickRow(round, rows)).padStart(8, "0");
    const search = (query: object) => call(asStaff, "order.adminSearch", { pageSize: 50, ...query });
    return {
      operations: {
        "webhook to order": async () => {
          const event = await shop.payCart(newCartId());
          const startedAt = performance.now();
          await shop.deliver(event);
          return performance.now() - startedAt;
        },
        "save a cart": () => call(shop.broker, "cart.saveForCheckout", { cartId: newCartId(), items: [item("bns-1")] }),
        "add to an own cart": (round) =>
          call(shop.as(user(`user_${pickRow(round, rows)}`)), "cart.addItem", { item: item("bns-2") }),
        "read a cart": (round) => call(shop.as(user(`user_${pickRow(round, rows)}`)), "cart.current", {}),
        "an order": (round) => call(asStaff, "order.adminGet", { orderId: `ord_${formatNumber(round)}` }),
        "the newest orders": () => search({}),
        "orders from the middle": () => search({ cursor: middle }),
        "a queue": () => search({ queue: "to_pack", sort: "oldest" }),
        "counts of the queues": () => call(asStaff, "order.adminQueues", {}),
        "orders of a user, a page": (round) =>
          call(asStaff, "order.listForUser", { userId: `user_${pickRow(round, Math.min(rows, 20_000))}` }),
        "all orders, a page": () => call(asStaff, "order.adminList", {}),
        "search: an order's number": async (round) => {
          const { orderNumber } = await call(asStaff, "order.adminGet", { orderId: `ord_${formatNumber(round)}` });
          const startedAt = performance.now();
          await search({ q: orderNumber });
          return performance.now() - startedAt;
        },
        "search: an email address": (round) =>
          search({ email: `buyer${pickRow(round, Math.min(rows, 20_000))}@example.com` }),
        "search: a part": (round) =>
          call(asStaff, "order.adminList", { q: `BNS-${100_000 + ((round * 7_919) % 900)}`, pageSize: 1 }),
        "search: text of an old order": () => search({ q: "buyer7@example" }),
        "search: text of none": () => search({ q: "nobody at all" }),
        "statistics of 100 orders": () => call(asStaff, "order.adminStats", { from }),
        "statistics of all": () => call(asStaff, "order.adminStats", {}),
        "export, a page": () => call(asStaff, "order.export", { from, format: "ndjson" }),
        "erase a customer": (round) => eraseCustomer(shop, `erased_${rows}_${round}`),
      },
      close: () => shop.stop(),
    };
  },
});

function openShop({ documents, settings: { dataDir, mongoUrl } }: Place): Promise<Shop> {
  const env = { DATA_DIR: dataDir, ...(mongoUrl === undefined ? {} : { MONGO_URL: mongoUrl }) };
  return startShop({ services: ["order", "customer", "eventstore", "access"], documents, env });
}

async function findMiddle(shop: Shop, rows: number): Promise<string | undefined> {
  let cursor: string | undefined;
  for (let offset = 0; offset < rows / 2; offset += 100)
    cursor = (
      await call(shop.as(staff), "order.adminSearch", { sort: "newest", pageSize: 100, ...(cursor ? { cursor } : {}) })
    ).nextCursor;
  return cursor;
}

/** Returns the milliseconds from the account's deletion until every service has forgotten the person. */
async function eraseCustomer({ documents, broker, channels }: Shop, userId: string): Promise<number> {
  for (let n = 0; n < OF_THE_ERASED; n += 1) {
    const paymentKey = `cs_${userId}_${n}`;
    await call(broker, "order.createFromPayment", {
      paymentKey,
      sessionId: paymentKey,
      paymentIntentId: null,
      cartId: null,
      userId,
      items: [{ productId: "bns-1", partNumber: "BNS-1", name: "Part 1", quantity: 1, price: 1_000 }],
      subtotal: 1_000,
      tax: 0,
      shipping: 0,
      total: 1_000,
      currency: "usd",
      paymentStatus: "paid",
    });
  }
  const groups = await documents.collection<{ _id: string; group: string }>(GROUPS).find({ channel: "user.deleted" });
  const ids = groups.map(({ group }) => `${group}:${userId}`);
  const startedAt = performance.now();
  await documents.atomically([outbox("user.deleted", { userId }, userId)]);
  channels.wake();
  for (;;) {
    const done = await documents.collection<DeliveryRow>(DELIVERIES).find({ _id: { $in: ids }, state: "done" });
    if (done.length === ids.length) return performance.now() - startedAt;
    await delay(1);
  }
}
