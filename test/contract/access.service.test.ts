import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import { AUDIT, type AuditEntry } from "../../broker/audit/entry.ts";
import type { Caller, CallMeta } from "../../broker/contract/context.ts";
import { hashKey } from "../../broker/contract/keys.ts";
import { toPortSetting } from "../../broker/settings/addresses.ts";
import { createEntryPointService } from "../../gateway/http/entry-point.ts";
import { type DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import { createAudit } from "../../services/access/access.service.ts";
import accessService from "../../services/access/access.service.ts";
import { KEYS, type KeyRecord } from "../../services/access/access.service.ts";
import { call, outbox } from "../../services/contracts.ts";
import { eventually } from "../support/eventually.ts";
import { clerkEvent, clerkUser, svixHeaders } from "../support/identity-events.ts";
import { mongoSetting } from "../support/mongo.ts";
import { freePorts } from "../support/ports.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { freeze } from "./split/cluster.ts";
import { storeAway } from "../support/store-away.ts";

const admin: Caller = { admin: true, adminToken: true };
const KEPT = 10_000;
const keyAt = (index: number): string => `pl_live_${String(index).padStart(43, "x")}`;

describe("an entry point apart from the access service", () => {
  let system: TestBroker;
  let gateway: ServiceBroker;
  let port: number;

  beforeAll(async () => {
    port = await freePorts(1);
    system = await startTestBroker({
      transport: "fake",
      services: [
        accessService,
        (broker) => {
          gateway = broker;
          return createEntryPointService(broker, "gateway");
        },
      ],
      settings: testSettings({ [toPortSetting("gateway")]: String(port), ADMIN_TOKEN: "test-admin-token" }),
    });
    const records = system.documents.collection<KeyRecord>(KEYS);
    for (let at = 0; at < KEPT; at += 1_000) {
      await records.bulkWrite(
        Array.from({ length: 1_000 }, (_, index) => ({
          insertOne: {
            _id: `key_${at + index}`,
            hash: hashKey(keyAt(at + index)),
            name: "one of many",
            scopes: ["keys:read" as const],
            createdBy: "admin",
            createdAt: new Date(1_700_000_000_000 + at + index),
          },
        })),
      );
    }
  });
  afterAll(() => system?.stop());

  const statusWith = async (key: string): Promise<number> => {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`http://127.0.0.1:${port}/api/admin/keys?pageSize=1`, { headers });
    await answer.arrayBuffer();
    return answer.status;
  };

  test("takes any of 10,000 keys, and lists them page by page", async () => {
    for (const index of [0, 4_711, KEPT - 1]) expect(await statusWith(keyAt(index))).toBe(200);
    expect(await statusWith(keyAt(KEPT))).toBe(401);
    const { keys, pagination } = await call(system.as(admin), "access.keys", { page: 100, pageSize: 100 });
    expect([pagination.total, keys.length, keys.at(-1)!.keyId]).toEqual([KEPT, 100, "key_0"]);
  });

  test("takes a revoked key for less than five seconds although it is cut off, and refuses it afterwards", async () => {
    expect(await statusWith(keyAt(5))).toBe(200);
    const thaw = freeze(gateway);
    try {
      await call(system.as(admin), "access.revokeKey", { keyId: "key_5" });
      const since = performance.now();
      const ended = await eventually(async () => {
        const headers = { authorization: `Bearer ${keyAt(5)}` };
        // Of a route that asks nobody: what refuses is the door alone.
        const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers });
        await answer.arrayBuffer();
        return answer.status !== 200 && answer.status !== 403 && answer.status;
      });
      expect([503, 504]).toContain(ended);
      // The question itself waits three seconds for an answer.
      expect(performance.now() - since).toBeLessThan(8_500);
    } finally {
      thaw();
    }
    await eventually(async () => (await statusWith(keyAt(5))) === 401);
  }, 60_000);
});

describe("the audit stream", () => {
  let system: TestBroker;
  let documents: DocumentStore;
  let audits: "written" | "not begun" | "not completed" = "written";

  beforeAll(async () => {
    const settings = testSettings(mongoSetting("access"));
    documents = await openDocumentStore({ dataDir: settings.dataDir, mongoUrl: settings.mongoUrl });
    const failing = storeAway(documents, (operation, names) => {
      if (!names.includes(AUDIT.name) || audits === "written") return false;
      return audits === "not begun" ? operation !== "find" : operation === "updateOne";
    });
    system = await startTestBroker({ services: ["access", "user"], settings, documents: failing, transport: "fake" });
  });
  afterAll(async () => {
    await system?.stop();
    await documents?.close();
  });

  // Moleculer keeps it as the context's own.
  const asked = (): CallMeta => ({ caller: admin, audit: true, client: "192.0.2.7" });
  const make = (name: string) =>
    call(system.broker, "access.createKey", { name, scopes: ["orders:read"] }, { meta: asked() });
  const names = async () => (await call(system.as(admin), "access.keys", {})).keys.map(({ name }) => name);
  const entries = async () => (await call(system.as(admin), "access.audit", {})).entries;

  test("has an entry before there is a change: without the one there is not the other", async () => {
    audits = "not begun";
    await expect(make("unseen")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(await names()).not.toContain("unseen");
    audits = "written";
  });

  test("keeps an entry without an outcome if that cannot be written, and the change stands", async () => {
    audits = "not completed";
    const { keyId } = await make("half seen");
    audits = "written";
    expect(await names()).toContain("half seen");
    const [entry] = await entries();
    expect(entry).toMatchObject({ action: "access.createKey", actor: "admin", outcome: null, address: "192.0.2.7" });
    expect(keyId).toMatch(/^key_/);
  });

  test("has one entry for what an action does, also if a request is repeated, and none for what it calls or what nobody asked for", async () => {
    const before = (await entries()).length;
    const { keyId } = await make("seen");
    await call(system.as(admin), "access.revokeKey", { keyId });
    const after = await entries();
    expect(after).toHaveLength(before + 1);
    expect(after[0]).toMatchObject({ objectId: keyId, outcome: "done", adminToken: true });
    const meta = { ...asked(), runId: "01KB0000000000000000000000" };
    for (const _again of [1, 2])
      await expect(call(system.broker, "access.revokeKey", { keyId: "key_none" }, { meta })).rejects.toThrow();
    expect(await entries()).toHaveLength(before + 2);
  });

  test("is listed by actor, object and period", async () => {
    const list = (query: object) => call(system.as(admin), "access.audit", query);
    const all = await list({});
    const createdEntries = all.entries.filter(({ action }) => action === "access.createKey");
    expect((await list({ actor: "admin", object: "key", action: "access.createKey" })).entries).toEqual(createdEntries);
    expect((await list({ actor: "user:nobody" })).entries).toEqual([]);
    expect((await list({ objectId: all.entries[0]!.objectId! })).entries).toEqual([all.entries[0]]);
    expect((await list({ to: all.entries.at(-1)!.at.toISOString() })).entries).toEqual([]);
    expect((await list({ from: all.entries[0]!.at.toISOString() })).entries[0]).toEqual(all.entries[0]);
  });

  test("keeps what a person did, and not from where, when the account is deleted", async () => {
    const user = { sub: "user_leaving", role: "owner", aud: "partline", azp: "shop" } as const;
    const meta = { caller: { admin: true, user }, audit: true, client: "192.0.2.8" } satisfies CallMeta;
    await call(system.broker, "access.createKey", { name: "last", scopes: ["orders:read"] }, { meta });
    const own = async () => (await call(system.as(admin), "access.audit", { actor: "user:user_leaving" })).entries;
    expect(await own()).toMatchObject([{ address: "192.0.2.8", outcome: "done" }]);
    await documents.atomically([outbox("user.deleted", { userId: user.sub }, "user.deleted:user_leaving")]);
    system.channels.wake();
    const [entry] = await eventually(async () => {
      const entries = await own();
      return entries.every(({ address }) => address === null) && entries;
    });
    expect(entry).toMatchObject({ actor: "user:user_leaving", action: "access.createKey", object: "key" });
    expect((await entries()).some(({ address }) => address === "192.0.2.7")).toBe(true);
  });

  test("keeps an entry for AUDIT_KEPT, and for good if that is off", async () => {
    const kept = async (given: Record<string, string>): Promise<number | undefined> => {
      const other = await startTestBroker({ services: ["access"], settings: testSettings(given) });
      try {
        await call(other.broker, "access.createKey", { name: "kept", scopes: ["orders:read"] }, { meta: asked() });
        const entry = await other.documents.collection<AuditEntry>(AUDIT).findOne({});
        return entry!.purgeAt && entry!.purgeAt.getTime() - entry!.at.getTime();
      } finally {
        await other.stop();
      }
    };
    expect(await kept({ AUDIT_KEPT: "30d" })).toBe(30 * 86_400_000);
    expect(await kept({ AUDIT_KEPT: "off" })).toBeUndefined();
  });

  test("gives an end to entries that have none, once", async () => {
    const settings = testSettings({ AUDIT_KEPT: "30d" });
    const documents = await openDocumentStore({ dataDir: settings.dataDir });
    const entries = documents.collection<AuditEntry>(AUDIT);
    const [dayMs, now] = [86_400_000, Date.now()];
    const at = (daysAgo: number) => new Date(now - daysAgo * dayMs);
    const rest = { actor: "admin", address: "192.0.2.9", requestId: "r", action: "access.createKey" };
    const own = at(-9);
    for (const days of [400, 32, 12.5, 12, 1]) await entries.insertOne({ _id: `aud_${days}`, at: at(days), ...rest });
    await entries.insertOne({ _id: "aud_own", at: at(1), purgeAt: own, ...rest });
    const other = await startTestBroker({ services: ["access"], settings, documents });
    try {
      const ends = await entries.find({}, { sort: { at: 1, _id: 1 } });
      expect(ends.map(({ _id, purgeAt }) => [_id, purgeAt])).toEqual([
        ["aud_12.5", at(12.5 - 31)],
        ["aud_12", at(12.5 - 31)],
        ["aud_1", at(1 - 31)],
        ["aud_own", own],
      ]);
      await createAudit(documents).endUnending(dayMs);
      expect(await entries.find({}, { sort: { at: 1, _id: 1 } })).toEqual(ends);
    } finally {
      await other.stop();
    }
  });

  test("has a webhook's entry if it has its change, and neither if the store fails between them", async () => {
    const userId = "user_hooked";
    const body = clerkEvent("user.created", clerkUser({ id: userId }));
    const headers = svixHeaders(system.settings.identity.webhookSecret, body);
    const send = () =>
      call(
        system.broker,
        "user.receiveIdentityEvent",
        { body, headers },
        { meta: { audit: true, client: "192.0.2.9" } },
      );
    const own = async () => (await call(system.as(admin), "access.audit", { objectId: userId })).entries;
    audits = "not begun";
    await expect(send()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    audits = "written";
    await expect(call(system.as(admin), "user.get", { id: userId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await own()).toEqual([]);
    expect([(await send()).outcome, (await send()).outcome]).toEqual(["applied", "duplicate"]);
    expect(await own()).toMatchObject([{ actor: "identity-provider", object: "user", outcome: "done" }]);
  });
});
