import { AUDIT, type AuditEntry } from "../../../../../broker/audit/entry.ts";
import { call, enqueue, outbox } from "../../../../../services/contracts.ts";
import { USERS, type UserRecord } from "../../../../../services/user/collections.ts";
import {
  DELIVERIES as WEBHOOK_DELIVERIES,
  ENDPOINTS,
  toDeliveryId,
  type DeliveryDocument,
  type EndpointDocument,
} from "../../../../../services/webhook/collections.ts";
import { startTestBroker, type TestBroker } from "../../../../../test/support/test-broker.ts";
import type { DocumentStore } from "../../../../durable/src/document-store/port.ts";
import { DELIVERIES, type DeliveryRow } from "../../../../durable/src/channels/deliveries.ts";
import { OUTBOX, type OutboxRow } from "../../../../durable/src/channels/outbox.ts";
import { FREE, TASKS, type TaskDocument } from "../../../../durable/src/tasks/task.ts";
import { defineFamily, fillCollection, pickRow, placeInMonth, type Place } from "./family.ts";

const ENDPOINT = "we_growth";
const admin = { admin: true } as const;
const WEEK_MS = 7 * 86_400_000;
const addWeek = (): Date => new Date(Date.now() + WEEK_MS);
const payload = { orderId: "ord_1", version: 2, actor: "admin", changed: ["status"], text: "x".repeat(120) };

/** A task whose run resolves what waits for it. */
const arrivals = new Map<string, () => void>();

/** What the services leave behind: events that were relayed, tasks and deliveries that ended, audit, accounts. */
export const work = defineFamily({
  name: "work",
  kinds: {
    "an event to its handler": "write",
    "a task to its run": "write",
    "depth of the queues": "look-up",
    "tasks that gave up": "look-up",
    "the first tasks": "look-up",
    "audit, of an object": "look-up",
    "audit, all, a page": "count",
    "deliveries of an endpoint, a page": "count",
    "a delivery": "look-up",
    "accounts, a page": "count",
    "accounts by name": "count",
    "start of the services": "look-up",
  },
  async fill(place, rows) {
    const { documents } = place;
    await (await startServices(place)).stop();
    await fillHistory(documents, rows);
    await fillCollection(documents, TASKS, rows, (n): TaskDocument => ({
      _id: `webhook.replay:rep-${n}`,
      kind: "webhook.replay",
      key: `rep-${n}`,
      payload: {},
      state: "done",
      enqueued: 1,
      attempts: 1,
      failures: 0,
      wantedAt: placeInMonth(n, rows),
      dueAt: placeInMonth(n, rows),
      ...FREE,
      expiresAt: addWeek(),
    }));
    await fillCollection(documents, AUDIT, rows, (n): AuditEntry => ({
      _id: `aud_${String(n).padStart(10, "0")}`,
      at: placeInMonth(n, rows),
      actor: `user:staff_${n % 20}`,
      requestId: `req-${n}`,
      action: n % 2 === 0 ? "order.adminUpdate" : "order.adminGet",
      object: "order",
      objectId: `ord_${Math.floor(n / 5)}`,
      outcome: "done",
      purgeAt: addWeek(),
    }));
    await documents.collection<EndpointDocument>(ENDPOINTS).insertOne({
      _id: ENDPOINT,
      url: "https://hooks.example.com/",
      eventTypes: ["order.shipped"],
      ordered: false,
      disabled: false,
      createdBy: "admin",
      secrets: [{ value: "whsec_growth" }],
      createdAt: new Date(),
      updatedAt: new Date(),
    });
    await fillCollection(documents, WEBHOOK_DELIVERIES, rows, (n): DeliveryDocument => ({
      _id: toDeliveryId(ENDPOINT, `msg_${n}`),
      endpointId: ENDPOINT,
      messageId: `msg_${n}`,
      type: "order.shipped",
      occurredAt: placeInMonth(n, rows),
      state: "delivered",
      position: 1,
      attempts: 1,
      tries: 1,
      deliveredAt: placeInMonth(n, rows),
      purgeAt: addWeek(),
    }));
    await fillCollection(documents, USERS, rows, (n): UserRecord => ({
      _id: `user_${n}`,
      version: 1,
      email: `buyer${n}@example.com`,
      identityName: `Ada Mechanic ${n}`,
      role: "customer",
      addresses: [],
      createdAt: placeInMonth(n, rows),
      updatedAt: placeInMonth(n, rows),
    }));
  },
  async open(place, rows) {
    let test = await startServices(place);
    const waitForArrival = async (id: string, write: Promise<unknown>, wake: () => void): Promise<void> => {
      const arrived = new Promise<void>((resolve) => arrivals.set(id, resolve));
      await write;
      wake();
      await arrived;
      arrivals.delete(id);
    };
    return {
      operations: {
        "an event to its handler": (round) => {
          const id = `growth-${round}`;
          const event = outbox("key.revoked", { keyId: id }, id);
          return waitForArrival(id, test.documents.atomically([event]), () => test.channels.wake());
        },
        "a task to its run": (round) => {
          const key = `growth-${round}`;
          const task = enqueue("mail.sendLink", key, { requestId: key, orderId: undefined });
          return waitForArrival(key, test.documents.atomically([task]), () => test.tasks.wake());
        },
        "depth of the queues": () => Promise.all([test.channels.depth(), test.tasks.depth()]),
        "tasks that gave up": () => test.tasks.list({ state: "dead", limit: 100 }),
        "the first tasks": () => test.tasks.list({ limit: 100 }),
        "audit, of an object": (round) => {
          const objectId = `ord_${Math.floor(pickRow(round, rows) / 5)}`;
          return call(test.as(admin), "access.audit", { object: "order", objectId });
        },
        "audit, all, a page": () => call(test.as(admin), "access.audit", {}),
        "deliveries of an endpoint, a page": () =>
          call(test.as(admin), "webhook.listDeliveries", { endpointId: ENDPOINT }),
        "a delivery": (round) =>
          call(test.as(admin), "webhook.getDelivery", {
            endpointId: ENDPOINT,
            messageId: `msg_${pickRow(round, rows)}`,
          }),
        "accounts, a page": () => call(test.as(admin), "user.list", {}),
        "accounts by name": (round) => call(test.as(admin), "user.search", { q: `mechanic ${pickRow(round, rows)}` }),
        "start of the services": async () => {
          await test.stop();
          const startedAt = performance.now();
          test = await startServices(place);
          return performance.now() - startedAt;
        },
      },
      close: () => test.stop(),
    };
  },
});

async function startServices({ documents, settings }: Place): Promise<TestBroker> {
  const test = await startTestBroker({ services: ["access", "user", "webhook"], documents, settings });
  test.channels.subscribe("key.revoked", {
    group: "growth",
    handler: async ({ payload: { keyId } }) => arrivals.get(String(keyId))?.(),
  });
  test.tasks.handle("mail.sendLink", { run: async ({ requestId }) => arrivals.get(String(requestId))?.() });
  return test;
}

/**
 * Fills the outbox and the deliveries with events that every group has had. The groups must be known before: a new one
 * would get them all.
 */
export async function fillHistory(documents: DocumentStore, rows: number): Promise<void> {
  await fillCollection(documents, OUTBOX, rows, (n): OutboxRow => ({
    _id: `event-${n}`,
    channel: "order.updated",
    occurredAt: placeInMonth(n, rows),
    payload,
    state: "relayed",
    expiresAt: addWeek(),
  }));
  await fillCollection(documents, DELIVERIES, rows, (n): DeliveryRow => ({
    _id: `eventstore:event-${n}`,
    channel: "order.updated",
    group: "eventstore",
    eventId: `event-${n}`,
    occurredAt: placeInMonth(n, rows),
    payload: {},
    state: "done",
    attempts: 1,
    dueAt: placeInMonth(n, rows),
    expiresAt: addWeek(),
  }));
}
