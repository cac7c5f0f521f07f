import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { ulid } from "ulid";
import { RUNS } from "@partline/moleculer-kit";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import type { DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import type { Caller } from "../../broker/contract/context.ts";
import type { Scope } from "../../broker/contract/scopes.ts";
import { call, outbox } from "../../services/contracts.ts";
import {
  ATTEMPTS,
  DELIVERIES,
  ENDPOINTS,
  PERSONAL,
  type AttemptDocument,
  type DeliveryDocument,
  type EndpointDocument,
  type PersonalDocument,
} from "../../services/webhook/collections.ts";
import { awaitNoEvents, eventually } from "../support/eventually.ts";
import { mongoSetting } from "../support/mongo.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { startReceiver } from "../support/webhook-receiver.ts";
import { admin } from "./order.support.ts";

type Receiver = Awaited<ReturnType<typeof startReceiver>>;
const DAY_MS = 24 * 60 * 60_000;

describe("Webhooks out", () => {
  let documents: DocumentStore;
  let running: TestBroker;
  const receivers: Receiver[] = [];

  beforeAll(async () => {
    const settings = testSettings(mongoSetting("webhooks"));
    documents = await openDocumentStore({ dataDir: settings.dataDir, mongoUrl: settings.mongoUrl });
    running = await startTestBroker({
      transport: "fake",
      settings,
      documents,
      services: ["webhook", "access", "user"],
    });
  });
  afterAll(async () => {
    await running.stop();
    await documents.close();
  });
  afterEach(async () => {
    const { endpoints } = await call(running.as(admin), "webhook.listEndpoints", { pageSize: 100 });
    for (const { endpointId } of endpoints) await call(running.as(admin), "webhook.deleteEndpoint", { endpointId });
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  });

  const receive = async (given: { ordered?: boolean; eventTypes?: string[] } = {}) => {
    const receiver = await startReceiver();
    receivers.push(receiver);
    const endpoint = await call(running.as(admin), "webhook.createEndpoint", {
      url: receiver.url,
      eventTypes: ["order.updated"],
      ...given,
    });
    receiver.verifyBy(endpoint.secret);
    return { receiver, endpointId: endpoint.endpointId, secret: endpoint.secret };
  };
  const states = { status: "processing", paymentStatus: "paid" } as const;
  const update = async (orderId: string, version: number, eventId = ulid(), changed = ["status"]) => {
    const payload = { orderId, version, actor: "admin", from: states, to: states, changed };
    await documents.atomically([outbox("order.updated", payload, eventId)]);
    running.channels.wake();
  };
  const deliveriesOf = (endpointId: string, state?: "waiting" | "delivered" | "failed") =>
    call(running.as(admin), "webhook.listDeliveries", { endpointId, ...(state ? { state } : {}), pageSize: 100 });
  const logOf = async (endpointId: string) => {
    const [delivery] = (await deliveriesOf(endpointId)).deliveries;
    return delivery && call(running.as(admin), "webhook.getDelivery", { endpointId, messageId: delivery.messageId });
  };
  /** The log of the endpoint's delivery, once it is so. */
  const logged = (endpointId: string, isSo: (read: NonNullable<Awaited<ReturnType<typeof logOf>>>) => boolean) =>
    eventually(async () => {
      const read = await logOf(endpointId);
      return read !== undefined && isSo(read) && read;
    });
  const tasksOf = async (endpointId: string) =>
    (await running.tasks.list({ kind: "webhook.deliver", limit: 100 })).filter(({ lane }) => lane === endpointId);
  /** Makes the retry that an endpoint waits for due, as its time would. */
  const hasten = async (endpointId: string) => {
    const waiting = await documents.collection<DeliveryDocument>(DELIVERIES).find({ endpointId, state: "waiting" });
    for (const { _id } of waiting) {
      await documents
        .collection<DeliveryDocument>(DELIVERIES)
        .updateOne({ _id }, { $set: { nextAttemptAt: new Date() } });
    }
    for (const { id } of await tasksOf(endpointId)) await running.tasks.retry(id);
  };

  it("send each event once, signed, to the endpoints that have its type", async () => {
    const { receiver, endpointId } = await receive();
    const other = await receive({ eventTypes: ["order.shipped"] });
    const eventId = ulid();
    await update("ord_1", 2, eventId);
    await update("ord_1", 2, eventId);
    await update("ord_2", 2);
    await eventually(() => receiver.received.length === 2);
    await eventually(async () => (await deliveriesOf(endpointId, "delivered")).pagination.total === 2);
    expect(receiver.refused).toEqual([]);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(2);
    const one = receiver.received.find(({ data }) => data.orderId === "ord_1");
    expect(one).toMatchObject({ type: "order.updated", data: { orderId: "ord_1", version: 2 } });
    expect(other.receiver.received).toEqual([]);
    expect(await logOf(endpointId)).toMatchObject({
      state: "delivered",
      log: [{ outcome: "delivered", status: 204 }],
    });
    await eventually(async () => (await running.tasks.list({ limit: 10 })).length === 0);
  });

  it("are tried by a test event, which every endpoint takes, signed and listed like any other", async () => {
    const { receiver, endpointId } = await receive({ eventTypes: ["order.shipped"] });
    const { messageId } = await call(running.as(admin), "webhook.sendTest", { endpointId });
    await eventually(() => receiver.received.length === 1);
    expect(receiver.received).toMatchObject([{ id: messageId, type: "webhook.test", data: { endpointId } }]);
    expect(receiver.refused).toEqual([]);
    await logged(endpointId, (read) => read.state === "delivered");
    await call(running.as(admin), "webhook.updateEndpoint", { endpointId, disabled: true });
    await expect(call(running.as(admin), "webhook.sendTest", { endpointId })).rejects.toMatchObject({
      code: "INVALID_TRANSITION",
    });
  });

  it("come with data of persons, which is kept apart and goes with the person", async () => {
    const { receiver, endpointId } = await receive({ eventTypes: ["order.created"] });
    receiver.answerBy((res) => res.writeHead(200).end("Taken: ada@example.com"));
    const userId = `user_${ulid()}`;
    const placed = {
      orderId: `ord_${ulid()}`,
      orderNumber: "ORD-1",
      userId,
      sessionId: null,
      paymentIntentId: null,
      cartId: null,
      items: [],
      subtotal: 0,
      tax: 0,
      shipping: 0,
      total: 0,
      currency: "usd",
      paymentStatus: "paid" as const,
      createdAt: new Date().toISOString(),
      contact: { email: "ada@example.com" },
      actor: "payment-provider",
    };
    await documents.atomically([outbox("order.created", placed, `order.created:${placed.orderId}`, 2)]);
    running.channels.wake();
    await eventually(() => receiver.received.length === 1);
    expect(receiver.received[0]!.data).toMatchObject({ contact: { email: "ada@example.com" } });
    expect(receiver.received[0]!.id).not.toContain(".");
    const delivered = await logged(endpointId, (read) => read.state === "delivered");
    expect(delivered.log).toEqual([expect.objectContaining({ status: 200 })]);
    expect(JSON.stringify(delivered.log)).not.toContain("ada@example.com");
    const kept = documents.collection<PersonalDocument>(PERSONAL);
    expect(await kept.count({ userId })).toBe(1);
    await documents.atomically([outbox("user.deleted", { userId })]);
    running.channels.wake();
    await eventually(async () => (await kept.count({ userId })) === 0);

    const erase = (orderId: string) =>
      documents.atomically([
        outbox("order.erased", {
          ...{ orderId, version: 2, actor: "system", from: states, to: states },
          ...{ reason: "guest_request", erased: ["contact"] },
        }),
      ]);
    // The second as a release without order.erased wrote it.
    for (const [n, forget] of [erase, (orderId: string) => update(orderId, 2, ulid(), ["contact"])].entries()) {
      const ofGuest = { ...placed, orderId: `ord_${ulid()}`, userId: "guest" };
      await documents.atomically([outbox("order.created", ofGuest, `order.created:${ofGuest.orderId}`, 2)]);
      running.channels.wake();
      await eventually(() => receiver.received.length === 2 + n);
      expect(await kept.count({ aggregateId: ofGuest.orderId })).toBe(1);
      await forget(ofGuest.orderId);
      running.channels.wake();
      await eventually(async () => (await kept.count({ aggregateId: ofGuest.orderId })) === 0);
    }
    // One day a contact may be edited: that is no erasure.
    const edited = { ...placed, orderId: `ord_${ulid()}` };
    await documents.atomically([outbox("order.created", edited, `order.created:${edited.orderId}`, 2)]);
    running.channels.wake();
    await eventually(() => receiver.received.length === 4);
    const change = { orderId: edited.orderId, version: 2, actor: "admin", from: states, to: states };
    await documents.atomically([outbox("order.updated", { ...change, changed: ["contact"] }, ulid(), 2)]);
    running.channels.wake();
    await awaitNoEvents(running.channels);
    expect(await kept.count({ aggregateId: edited.orderId })).toBe(1);
  });

  it("come again after a failure, with the same id and a new signature", async () => {
    const { receiver, endpointId } = await receive();
    receiver.answerBy((res, count) =>
      count === 1 ? res.writeHead(503).end("x".repeat(10_000)) : res.writeHead(200).end(),
    );
    await update("ord_1", 2);
    const failed = await logged(endpointId, (read) => read.attempts === 1);
    expect(failed.log[0]).toMatchObject({ outcome: "failed", status: 503, answer: "x".repeat(4_096) });
    expect(failed.nextAttemptAt!.getTime() - Date.now()).toBeGreaterThan(1_000);
    expect((await call(running.as(admin), "webhook.getEndpoint", { endpointId })).failingSince).toBeDefined();
    await hasten(endpointId);
    await eventually(() => receiver.received.length === 2);
    expect(receiver.received[1]!.id).toBe(receiver.received[0]!.id);
    await logged(endpointId, (read) => read.state === "delivered");
    expect((await call(running.as(admin), "webhook.getEndpoint", { endpointId })).failingSince).toBeUndefined();
  });

  it("are failed after the last retry, and can be replayed: one, all failed, a period", async () => {
    const { receiver, endpointId } = await receive();
    receiver.answerBy((res) => res.writeHead(500).end());
    await update("ord_1", 2);
    await logged(endpointId, (read) => read.attempts === 1);
    const rows = documents.collection<DeliveryDocument>(DELIVERIES);
    await rows.updateMany({ endpointId }, { $set: { tries: 9 } });
    await hasten(endpointId);
    const failed = await logged(endpointId, (read) => read.state === "failed");
    expect(failed.nextAttemptAt).toBeUndefined();
    receiver.answerBy((res) => res.writeHead(200).end());
    const { messageId } = failed;
    await call(running.as(admin), "webhook.replayDelivery", { endpointId, messageId });
    await logged(endpointId, (read) => read.state === "delivered");

    await rows.updateMany({ endpointId }, { $set: { state: "failed" } });
    await update("ord_2", 2);
    await eventually(async () => (await deliveriesOf(endpointId, "delivered")).pagination.total === 1);
    const before = receiver.received.length;
    expect(await call(running.as(admin), "webhook.replayDeliveries", { endpointId })).toMatchObject({
      deliveries: 1,
    });
    await eventually(() => receiver.received.length === before + 1);
    expect(receiver.received.at(-1)!.id).toBe(messageId);
    await eventually(async () => (await deliveriesOf(endpointId, "delivered")).pagination.total === 2);

    const all = { endpointId, state: "all" } as const;
    await expect(call(running.as(admin), "webhook.replayDeliveries", all)).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      data: [{ field: "from" }],
    });
    const from = new Date(Date.now() - DAY_MS);
    expect(await call(running.as(admin), "webhook.replayDeliveries", { ...all, from })).toMatchObject({
      deliveries: 2,
    });
    await eventually(() => receiver.received.length === before + 3);
    expect(await call(running.as(admin), "webhook.replayDeliveries", { ...all, from, to: from })).toMatchObject({
      deliveries: 0,
    });
  });

  it("are replayed once by a request with a key, also if its process died before it answered", async () => {
    const { receiver, endpointId } = await receive();
    await update("ord_1", 2);
    const { messageId } = (await logged(endpointId, (read) => read.state === "delivered"))!;
    const once = { id: `once-${endpointId}`, secret: "s", request: "r" };
    const replay = () =>
      call(running.as(admin), "webhook.replayDelivery", { endpointId, messageId }, { meta: { once } });
    await replay();
    await eventually(async () => receiver.received.length === 2 && (await logOf(endpointId))?.state === "delivered");
    const left = { $set: { heldUntil: new Date(0) }, $unset: { answer: true } } as const;
    expect(await documents.collection(RUNS).updateOne({ _id: once.id }, left)).toMatchObject({ matched: 1 });
    expect(await replay()).toMatchObject({ messageId, state: "delivered" });
    expect(await tasksOf(endpointId)).toEqual([]);
    expect(receiver.received).toHaveLength(2);
  });

  it("keep an order's events in order for an ordered endpoint, though they come and fail out of order", async () => {
    const { receiver, endpointId } = await receive({ ordered: true });
    receiver.answerBy((res, count) => res.writeHead(count === 2 ? 500 : 200).end());
    await update("ord_1", 1);
    await eventually(() => receiver.received.length === 1);
    await update("ord_1", 4);
    await update("ord_1", 3);
    await eventually(async () => (await deliveriesOf(endpointId, "waiting")).pagination.total === 2);
    await update("ord_1", 2);
    await update("ord_9", 1);
    await eventually(() => receiver.received.some(({ data }) => data.orderId === "ord_9"));
    await eventually(() => receiver.received.length >= 3);
    await eventually(async () => {
      await hasten(endpointId);
      return (await deliveriesOf(endpointId, "delivered")).pagination.total === 5;
    });
    const versions = receiver.received.filter(({ data }) => data.orderId === "ord_1").map(({ data }) => data.version);
    expect([...new Set(versions)]).toEqual([1, 2, 3, 4]);
  });

  it("sign with the secrets before too while one is rotated, then with the new one", async () => {
    const { receiver, endpointId, secret } = await receive();
    // Its answer was lost.
    await call(running.as(admin), "webhook.rotateSecret", { endpointId });
    const { secret: next, secretExpiresAt } = await call(running.as(admin), "webhook.rotateSecret", { endpointId });
    expect(secretExpiresAt).toBeDefined();
    await update("ord_1", 2);
    await eventually(() => receiver.received.length === 1);
    expect(receiver.received[0]!.signatures).toBe(3);
    receiver.verifyBy(next);
    await update("ord_1", 3);
    await eventually(() => receiver.received.length === 2);
    const last = await call(running.as(admin), "webhook.rotateSecret", { endpointId, overlapHours: 0 });
    receiver.verifyBy(last.secret);
    await update("ord_1", 4);
    await eventually(() => receiver.received.length === 3);
    expect(receiver.received[2]!.signatures).toBe(1);
    expect(receiver.refused).toEqual([]);
    const listed = JSON.stringify(await call(running.as(admin), "webhook.listEndpoints", {}));
    for (const one of [secret, next, last.secret]) expect(listed).not.toContain(one);
  });

  it("end for an endpoint that fails for five days, which the shop hears of, and what it misses can be replayed", async () => {
    const heard: string[] = [];
    running.channels.subscribe("webhook.disabled", {
      group: `test-${ulid()}`,
      handler: ({ payload }) => Promise.resolve(void heard.push(String(payload.endpointId))),
    });
    const { receiver, endpointId } = await receive();
    receiver.answerBy((res) => res.writeHead(500).end());
    await update("ord_1", 2);
    await logged(endpointId, (read) => read.attempts === 1);
    await documents
      .collection<EndpointDocument>(ENDPOINTS)
      .updateOne({ _id: endpointId }, { $set: { failingSince: new Date(Date.now() - 5 * DAY_MS) } });
    await hasten(endpointId);
    const endpoint = await eventually(async () => {
      const read = await call(running.as(admin), "webhook.getEndpoint", { endpointId });
      return read.disabled && read;
    });
    expect(endpoint.disabledReason).toBe("failing");
    await eventually(() => heard.includes(endpointId));
    const before = receiver.received.length;
    await update("ord_2", 2);
    await eventually(async () => (await deliveriesOf(endpointId, "failed")).pagination.total >= 1);
    await expect(call(running.as(admin), "webhook.replayDeliveries", { endpointId })).rejects.toMatchObject({
      code: "INVALID_TRANSITION",
    });
    receiver.answerBy((res) => res.writeHead(200).end());
    await call(running.as(admin), "webhook.updateEndpoint", { endpointId, disabled: false });
    // One waits for its retry, one failed as the endpoint was disabled.
    expect(await call(running.as(admin), "webhook.replayDeliveries", { endpointId })).toMatchObject({
      deliveries: 2,
    });
    await eventually(async () => (await deliveriesOf(endpointId, "delivered")).pagination.total === 2);
    expect(receiver.received.length).toBe(before + 2);
  });

  it("end for a receiver that says it is gone for good", async () => {
    const { receiver, endpointId } = await receive();
    receiver.answerBy((res) => res.writeHead(410).end());
    await update("ord_1", 2);
    const endpoint = await eventually(async () => {
      const read = await call(running.as(admin), "webhook.getEndpoint", { endpointId });
      return read.disabled && read;
    });
    expect(endpoint.disabledReason).toBe("gone");
    expect((await logOf(endpointId))!.log[0]).toMatchObject({
      status: 410,
      reason: "The receiver is gone for good (410)",
    });
    expect((await deliveriesOf(endpointId, "failed")).pagination.total).toBe(1);
    await update("ord_1", 3);
    await eventually(async () => (await deliveriesOf(endpointId, "failed")).pagination.total === 2);
    expect(receiver.received).toHaveLength(1);
  });

  it("wait as long as a busy receiver asks", async () => {
    const { receiver, endpointId } = await receive();
    receiver.answerBy((res) => res.writeHead(429, { "Retry-After": "7200" }).end());
    await update("ord_1", 2);
    const waiting = await logged(endpointId, (read) => read.attempts === 1);
    const inMinutes = (waiting.nextAttemptAt!.getTime() - Date.now()) / 60_000;
    expect(inMinutes).toBeGreaterThan(118);
    expect(inMinutes).toBeLessThan(133);
  });

  it("end with the key, or the role, of who made their endpoint, and the audit stream has it", async () => {
    const scopes: Scope[] = ["webhooks:write", "orders:read", "users:read"];
    const { keyId } = await call(running.as(admin), "access.createKey", { name: "ERP", scopes });
    const staff = { sub: "user_clerk", role: "owner", aud: "a", azp: "b" } as const;
    const makers: Caller[] = [
      { admin: true, key: { keyId, scopes } },
      { admin: true, user: staff },
    ];
    const made = await Promise.all(
      makers.map(async (maker) => {
        const { url } = await startReceiver();
        return call(running.as(maker), "webhook.createEndpoint", { url, eventTypes: ["order.updated"] });
      }),
    );
    expect(made.map(({ createdBy }) => createdBy)).toEqual([`key:${keyId}`, "user:user_clerk"]);
    const isEnded = async ({ endpointId }: { endpointId: string }) => {
      const { disabled, disabledReason } = await call(running.as(admin), "webhook.getEndpoint", { endpointId });
      return disabled && disabledReason;
    };
    const revoked = await call(running.as(admin), "access.revokeKey", { keyId });
    expect(revoked.webhookEndpoints).toEqual([made[0]!.endpointId]);
    expect(await eventually(() => isEnded(made[0]!))).toBe("maker_ended");
    expect(await isEnded(made[1]!)).toBe(false);
    const change = (role: "owner" | "clerk") =>
      documents
        .atomically([outbox("user.role_changed", { userId: staff.sub, role })])
        .then(() => running.channels.wake());
    await change("owner");
    await change("clerk");
    expect(await eventually(() => isEnded(made[1]!))).toBe("maker_ended");
    for (const { endpointId } of made) {
      const { entries } = await call(running.as(admin), "access.audit", { objectId: endpointId });
      expect(entries).toMatchObject([{ actor: "system", action: "webhook.disableMadeBy", outcome: "done" }]);
    }
    // Nodes know the key for some seconds yet: what it makes then, or enables, is disabled at once.
    const ended = running.as(makers[0]!);
    const { url } = await startReceiver();
    const late = await call(ended, "webhook.createEndpoint", { url, eventTypes: ["order.updated"] });
    expect(late).toMatchObject({ disabled: true, disabledReason: "maker_ended" });
    const enabled = await call(ended, "webhook.updateEndpoint", { endpointId: made[1]!.endpointId, disabled: false });
    expect(enabled).toMatchObject({ disabled: true, createdBy: `key:${keyId}` });
    // Who enables it again answers for it.
    const { endpointId } = made[0]!;
    const again = await call(running.as(admin), "webhook.updateEndpoint", { endpointId, disabled: false });
    expect(again.createdBy).toBe("admin");
  });

  it("of an endpoint that hangs delay no other's", async () => {
    const hanging = await receive();
    hanging.receiver.answerBy(() => undefined);
    const quick = await receive();
    for (let n = 0; n < 60; n += 1) await update(`ord_${n}`, 1);
    await eventually(() => quick.receiver.received.length === 60);
    expect((await deliveriesOf(hanging.endpointId, "delivered")).pagination.total).toBe(0);
    await hanging.receiver.close();
    receivers.splice(receivers.indexOf(hanging.receiver), 1);
  });

  it("stop for an endpoint that is deleted", async () => {
    const { receiver, endpointId } = await receive();
    receiver.answerBy((res) => res.writeHead(500).end());
    await update("ord_1", 2);
    await eventually(() => receiver.received.length === 1);
    await logged(endpointId, (read) => read.attempts === 1);
    await call(running.as(admin), "webhook.deleteEndpoint", { endpointId });
    await hasten(endpointId);
    await eventually(async () => (await tasksOf(endpointId)).length === 0);
    expect(receiver.received).toHaveLength(1);
    const attempts = await documents.collection<AttemptDocument>(ATTEMPTS).find({});
    expect(attempts.every(({ purgeAt }) => purgeAt.getTime() > Date.now() + 29 * DAY_MS)).toBe(true);
    await expect(call(running.as(admin), "webhook.getEndpoint", { endpointId })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("are for who may read what they send", async () => {
    const keyWith = (...scopes: Scope[]) => running.as({ admin: true, key: { keyId: "key_1", scopes } });
    const make = (origin: ReturnType<typeof keyWith>, eventTypes: string[]) =>
      call(origin, "webhook.createEndpoint", { url: "https://erp.example/hook", eventTypes });
    const writer = keyWith("webhooks:write");
    for (const [type, scope] of [
      ["order.updated", "orders:read"],
      ["catalog.synced", "events:read"],
    ] as const) {
      await expect(make(writer, [type])).rejects.toMatchObject({
        code: "FORBIDDEN",
        message: `Receiving ${type} also needs the scope ${scope}`,
      });
      await expect(make(keyWith("webhooks:write", scope), [type])).resolves.toBeDefined();
    }
    const reader = keyWith("webhooks:write", "orders:read");
    await expect(make(reader, ["order.updated", "order.created"])).rejects.toMatchObject({
      message: "Receiving order.created also needs the scope users:read",
    });
    const { endpointId } = await make(running.as(admin), ["order.updated"]);
    const url = "https://other.example/hook";
    const update = (origin: ReturnType<typeof keyWith>, change: object) =>
      call(origin, "webhook.updateEndpoint", { endpointId, ...change });
    await expect(update(writer, { url })).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(update(reader, { eventTypes: ["order.created"] })).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(update(reader, { url })).resolves.toMatchObject({ url });
  });

  it("are not replayed to the URL of who may not hear their type", async () => {
    const { endpointId } = await receive();
    const mine = await receive({ eventTypes: ["catalog.synced"] });
    await update("ord_1", 2);
    await eventually(async () => (await deliveriesOf(endpointId, "delivered")).pagination.total === 1);
    const key = running.as({ admin: true, key: { keyId: "key_1", scopes: ["webhooks:write", "events:read"] } });
    const { url } = mine.receiver;
    await call(key, "webhook.updateEndpoint", { endpointId, url, eventTypes: ["catalog.synced"] });
    const from = new Date(Date.now() - DAY_MS);
    const replay = await call(key, "webhook.replayDeliveries", { endpointId, state: "all", from });
    expect(replay).toMatchObject({ deliveries: 1 });
    await eventually(async () => (await deliveriesOf(endpointId, "failed")).pagination.total === 1);
    expect([...mine.receiver.received, ...mine.receiver.refused]).toEqual([]);
  });

  it("go one a second to an endpoint that is dead, and all at once when it answers again", async () => {
    const { receiver, endpointId } = await receive();
    const { url } = receiver;
    await receiver.close();
    receivers.splice(receivers.indexOf(receiver), 1);
    const events = 80;
    for (let n = 0; n < events; n += 1) await update(`ord_${n}`, 1);
    const ofEndpoint = { deliveryId: { $gte: `${endpointId}:`, $lt: `${endpointId};` } };
    const times = await eventually(async () => {
      const attempts = await documents.collection<AttemptDocument>(ATTEMPTS).find(ofEndpoint);
      const found = attempts.map(({ attemptedAt }) => attemptedAt.getTime()).sort();
      return found.at(-1)! - found.at(-3)! > 1_900 && found;
    });
    // With the 32nd failure 31 others may be under way. Without pauses, all were tried before the first retry.
    expect(times.length).toBeLessThan(32 + 31 + 10);

    const again = await startReceiver(Number(new URL(url).port));
    receivers.push(again);
    const { secret } = await call(running.as(admin), "webhook.rotateSecret", { endpointId });
    again.verifyBy(secret);
    await eventually(async () => {
      await hasten(endpointId);
      return (await deliveriesOf(endpointId, "delivered")).pagination.total === events;
    });
    expect(new Set(again.received.map(({ id }) => id)).size).toBe(events);
  });

  it.each([
    ["url", { url: "http://10.0.0.1/" }],
    ["url", { url: "https://ada:pw@erp.example/" }],
    ["url", { url: "https://localhost/" }],
    ["url", { url: "ftp://erp.example/" }],
    ["eventTypes[1]", { eventTypes: ["order.created", "order.lost"] }],
    ["eventTypes[0]", { eventTypes: ["user.deleted"] }],
    ["eventTypes", { eventTypes: [] }],
    ["secret", { secret: "whsec_c2hvcnQ=" }],
    ["secret", { secret: "secret" }],
    ["secret", { secret: `whsec_${"A".repeat(33)}` }],
    ["secret", { secret: `whsec_${"A".repeat(32)}==` }],
    ["secret", { secret: `whsec_${Buffer.alloc(65).toString("base64")}` }],
  ])("refuse a wrong %s: %j", async (field, wrong) => {
    const given = { url: "https://erp.example/hook", eventTypes: ["order.created"], ...wrong };
    await expect(call(running.as(admin), "webhook.createEndpoint", given)).rejects.toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ field })]) as unknown,
    });
  });
});
