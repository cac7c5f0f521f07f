import { beforeAll, describe, expect, test } from "@jest/globals";
import { openStream } from "../support/event-stream.ts";
import { eventually } from "../support/eventually.ts";
import { useSystem } from "../support/use-started.ts";
import { ADMIN_TOKEN, type Answer } from "../support/system.ts";

const system = useSystem();
let owner: string;
beforeAll(async () => {
  owner = await system.token("user_access_owner", { role: "owner" });
});

const make = (body: object, token = owner): Promise<Answer> =>
  system.request("gateway", "POST", "/api/admin/keys", { token, body });
async function keyWith(...scopes: string[]): Promise<{ keyId: string; key: string }> {
  const { status, body } = await make({ name: "Test", scopes });
  expect(status).toBe(201);
  return body.data;
}
const orders = (token: string, entry: "gateway" | "payment" = "gateway"): Promise<Answer> =>
  system.request(entry, "GET", "/api/admin/orders", { token });
const trail = async (query: Record<string, string>): Promise<Record<string, unknown>[]> => {
  const path = `/api/admin/audit?${new URLSearchParams(query).toString()}`;
  const { status, body } = await system.request("gateway", "GET", path, { token: owner });
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data.entries;
};

/** A user at the identity provider, once its webhook has come. */
async function signUp(fields: object): Promise<string> {
  const made = await fetch(`${system.sandboxUrl("identity")}/v1/users`, {
    method: "POST",
    body: JSON.stringify(fields),
  });
  const { id } = (await made.json()) as { id: string };
  await eventually(
    async () => (await system.request("user", "GET", `/api/users/${id}`, { token: owner })).status === 200,
  );
  return id;
}

describe("a system's key", () => {
  test("opens what its scopes say, at every entry point, and nothing else", async () => {
    const { key } = await keyWith("orders:read");
    expect(key).toMatch(/^pl_live_[\w-]{43}$/);
    expect([(await orders(key)).status, (await orders(key, "payment")).status]).toEqual([200, 200]);
    const refused = await system.request("gateway", "GET", "/api/users", { token: key });
    expect([refused.status, refused.body.error]).toEqual([
      403,
      { code: "FORBIDDEN", message: "This needs the role admin, or the scope users:read" },
    ]);
    const own = await system.request("gateway", "GET", "/api/users/me", { token: key });
    expect([own.status, own.body.error.message]).toEqual([403, "This needs a user's token"]);
    expect((await orders(`${key.slice(0, -1)}!`)).status).toBe(401);
    expect((await orders(`pl_live_${"x".repeat(43)}`)).body.error.message).toBe("Invalid key");
  });

  test("ends the event streams that it has opened with its revocation", async () => {
    const { keyId, key } = await keyWith("events:read");
    // Under a foreign host name, also a program of this machine needs a credential.
    const headers = { Authorization: `Bearer ${key}`, Host: "events.example" };
    const stream = await openStream(`${system.url("eventstore")}/events/stream`, headers);
    expect(stream.status).toBe(200);
    const revoked = await system.request("gateway", "DELETE", `/api/admin/keys/${keyId}`, { token: owner });
    expect(revoked.status).toBe(200);
    const since = performance.now();
    await stream.ended;
    // Remembered for four seconds, and looked at each second; the rest is the machine's.
    expect(performance.now() - since).toBeLessThan(10_000);
  });

  test("ends within five seconds of its revocation, wherever it was used", async () => {
    const { keyId, key } = await keyWith("orders:read");
    await Promise.all([orders(key), orders(key, "payment")]);
    const revoked = await system.request("user", "DELETE", `/api/admin/keys/${keyId}`, { token: owner });
    expect([revoked.status, revoked.body.data.keyId]).toEqual([200, keyId]);
    const since = Date.now();
    await eventually(async () => {
      const answers = await Promise.all([orders(key), orders(key, "payment")]);
      return answers.every(({ status }) => status === 401);
    });
    expect(Date.now() - since).toBeLessThan(5_000);
    const again = await system.request("user", "DELETE", `/api/admin/keys/${keyId}`, { token: owner });
    expect(again.body.data.revokedAt).toBe(revoked.body.data.revokedAt);
  });

  test("is listed with its last use, and never shown again", async () => {
    const { keyId, key } = await keyWith("orders:read", "catalog:read");
    await orders(key);
    const read = await eventually(async () => {
      const { body } = await system.request("gateway", "GET", `/api/admin/keys/${keyId}`, { token: owner });
      return body.data.lastUsedAt !== null && body;
    });
    expect(read.data).toMatchObject({ name: "Test", scopes: ["orders:read", "catalog:read"], revokedAt: null });
    const list = await system.request("gateway", "GET", "/api/admin/keys", { token: owner });
    const { webhookEndpoints, ...listed } = read.data;
    expect(webhookEndpoints).toEqual([]);
    expect(list.body.data.keys).toContainEqual(listed);
    expect(list.text + JSON.stringify(read)).not.toContain(key.slice("pl_live_".length));
  });

  test("is made by people, not by keys", async () => {
    const { key } = await keyWith("keys:write", "orders:read");
    const more = await make({ name: "x", scopes: ["orders:read"] }, key);
    expect([more.status, more.body.error.code]).toEqual([403, "FORBIDDEN"]);
  });
});

describe("the audit stream", () => {
  test("records what a key changed, from where, and of a person only that it changed", async () => {
    const userId = await signUp({ email_address: ["audited@shop.example"], first_name: "Grace" });
    const { keyId, key } = await keyWith("users:write");
    const changed = await system.request("gateway", "PATCH", `/api/users/${userId}`, {
      token: key,
      body: { phone: "+1 555 0123" },
      headers: { "X-Request-Id": `audit-${userId}` },
    });
    expect(changed.status).toBe(200);
    const [entry, ...others] = await trail({ object: "user", objectId: userId, actor: `key:${keyId}` });
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      actor: `key:${keyId}`,
      adminToken: false,
      address: expect.stringMatching(/^198\.1[89]\./) as unknown,
      requestId: `audit-${userId}`,
      action: "user.update",
      outcome: "done",
    });
    expect(entry!["changes"]).toContainEqual({ field: "phone", before: null, after: "***" });
    expect(JSON.stringify(entry)).not.toMatch(/0123|audited@|Grace/);
  });

  test("records how many rows a price file changed, and what a place had before a count", async () => {
    const imported = await system.request("catalog", "POST", "/catalog/import/kni", {
      rawBody: "part_number,title,list_price\nAUDIT-77.01,Audited Brush,1.50\nAUDIT-77.02,,2\n",
      adminToken: ADMIN_TOKEN,
      headers: { "Content-Type": "text/csv", "X-Request-Id": `import-${Date.now()}` },
    });
    expect(imported.body).toMatchObject({ read: 2, written: 1, refusedTotal: 1 });
    const [entry] = await trail({ object: "vendor", objectId: "kni" });
    expect(entry).toMatchObject({ action: "catalog.import", outcome: "done" });
    expect(entry!["changes"]).toEqual([
      { field: "dryRun", before: null, after: false },
      { field: "read", before: null, after: 2 },
      { field: "written", before: null, after: 1 },
      { field: "unchanged", before: null, after: 0 },
      { field: "refusedTotal", before: null, after: 1 },
    ]);
    const count = (onHand: number) =>
      system.request("catalog", "PUT", "/api/admin/parts/kni-audit7701/stock", {
        body: { onHand, reason: "Counted" },
        adminToken: ADMIN_TOKEN,
      });
    expect([(await count(5)).status, (await count(7)).status]).toEqual([200, 200]);
    const [counted] = await trail({ object: "part", objectId: "kni-audit7701" });
    expect(counted!["changes"]).toEqual(
      expect.arrayContaining([
        { field: "places.0.onHand", before: 5, after: 7 },
        { field: "reason", before: null, after: "Counted" },
      ]),
    );
  });

  test("records every use of the admin token, also of a read, and a refusal by its code", async () => {
    const from = new Date().toISOString();
    const headers = { "X-Request-Id": `use-${Date.now()}` };
    await system.request("gateway", "GET", "/api/admin/orders/ord_none", { adminToken: ADMIN_TOKEN, headers });
    await system.request("gateway", "PATCH", "/api/admin/orders/ord_none", {
      adminToken: ADMIN_TOKEN,
      body: { adminNote: "x" },
      headers,
    });
    // An address that takes it without a credential, from this machine.
    await system.request("eventstore", "GET", "/events?limit=1", { adminToken: ADMIN_TOKEN, headers });
    const entries = (await trail({ actor: "admin", from })).filter(
      ({ requestId }) => requestId === headers["X-Request-Id"],
    );
    expect(entries).toMatchObject([
      { action: "eventstore.list", outcome: null, adminToken: true },
      { action: "order.adminUpdate", objectId: "ord_none", outcome: "NOT_FOUND", adminToken: true, changes: null },
      { action: "order.adminGet", outcome: null, adminToken: true },
    ]);
    const token = await system.token("user_access_reader", { role: "read-only" });
    await system.request("gateway", "GET", "/api/admin/orders", { token, headers });
    expect(await trail({ actor: "user:user_access_reader" })).toEqual([]);
  });

  test("records that the admin token has read metrics", async () => {
    const from = new Date().toISOString();
    const metrics = await system.request("gateway", "GET", "/metrics", { adminToken: ADMIN_TOKEN });
    expect(metrics.status).toBe(200);
    const [entry] = await eventually(async () => {
      const found = await trail({ object: "page", from });
      return found.length > 0 && found;
    });
    expect(entry).toMatchObject({ actor: "admin", action: "access.usePage", objectId: "/metrics", adminToken: true });
  });

  test("has the name of a key that was made, and not the key", async () => {
    const { keyId, key } = await keyWith("media:write");
    const [entry] = await trail({ object: "key", objectId: keyId });
    expect(entry).toMatchObject({ actor: "user:user_access_owner", action: "access.createKey", outcome: "done" });
    expect(entry!["changes"]).toContainEqual({ field: "scopes.0", before: null, after: "media:write" });
    expect(JSON.stringify(entry)).not.toContain(key);
  });
});
