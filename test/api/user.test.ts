import { describe, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { clerkEvent, clerkUser, svixHeaders } from "../support/identity-events.ts";
import { IDENTITY_WEBHOOK_SECRET } from "../support/shared-system.ts";
import { useSystem } from "../support/use-started.ts";
import { ADMIN_TOKEN, type Answer } from "../support/system.ts";

const system = useSystem();

const admin = { adminToken: ADMIN_TOKEN };
const getUser = (id: string): Promise<Answer> =>
  system.request("user", "GET", `/api/users/${encodeURIComponent(id)}`, admin);

/** A user at the identity provider, as its own dashboard would make one. */
async function signUp(fields: object): Promise<string> {
  const response = await fetch(`${system.sandboxUrl("identity")}/v1/users`, {
    method: "POST",
    body: JSON.stringify(fields),
  });
  return ((await response.json()) as { id: string }).id;
}
const atProvider = (method: string, id: string, body?: object) =>
  fetch(`${system.sandboxUrl("identity")}/v1/users/${id}`, { method, body: body && JSON.stringify(body) });

describe("users of the identity provider", () => {
  test("appear by its webhook, are found and changed by an admin, and keep what was set here", async () => {
    const id = await signUp({
      email_address: ["grace@shop.example"],
      first_name: "Grace",
      phone_number: ["+15550111"],
    });
    const created = await eventually(async () => {
      const answer = await getUser(id);
      return answer.status === 200 && answer;
    });
    expect(created.body).toMatchObject({
      data: { userId: id, email: "grace@shop.example", name: "Grace", phone: "+15550111", role: "customer" },
    });
    expect((await system.request("user", "GET", "/api/users?q=GRACE@", admin)).body).toMatchObject({
      data: { users: [{ userId: id }], pagination: { total: 1 } },
    });

    const changed = await system.request("gateway", "PATCH", `/api/users/${id}`, {
      ...admin,
      body: { name: "Grace H." },
    });
    expect(changed).toMatchObject({ status: 200, body: { data: { name: "Grace H." } } });
    await atProvider("PATCH", id, {
      first_name: "Gracie",
      email_address: ["gracie@shop.example"],
      public_metadata: { role: "admin" },
    });
    await eventually(async () => (await getUser(id)).body.data.email === "gracie@shop.example");
    expect((await getUser(id)).body).toMatchObject({ data: { name: "Grace H.", role: "admin" } });
  });
});

describe("POST /webhooks/clerk", () => {
  const post = (entry: "user" | "payment" | "gateway", body: string, headers: Record<string, string>) =>
    system.request(entry, "POST", "/webhooks/clerk", {
      rawBody: body,
      headers: { "Content-Type": "application/json", ...headers },
    });

  test("is on the payment and user addresses; what comes to both takes effect once", async () => {
    const body = clerkEvent("user.created", clerkUser({ id: "user_twice" }));
    const headers = svixHeaders(IDENTITY_WEBHOOK_SECRET, body);
    expect(await post("payment", body, headers)).toMatchObject({
      status: 200,
      body: { success: true, data: { received: true, outcome: "applied" } },
    });
    expect(await post("user", body, headers)).toMatchObject({ status: 200, body: { data: { outcome: "duplicate" } } });
    expect((await getUser("user_twice")).status).toBe(200);
  });

  test("checks the signature over the exact bytes", async () => {
    const body = `  ${clerkEvent("user.created", clerkUser({ id: "user_bytes", firstName: "Zoë ☃" }))}\n`;
    const headers = svixHeaders(IDENTITY_WEBHOOK_SECRET, body);
    const refused = { status: 400, body: { success: false, error: { code: "INVALID_SIGNATURE" } } };
    expect(await post("user", body.trim(), headers)).toMatchObject(refused);
    expect(await post("user", body, {})).toMatchObject(refused);
    expect(
      await post("user", body, svixHeaders(IDENTITY_WEBHOOK_SECRET, body, { at: new Date(Date.now() - 301_000) })),
    ).toMatchObject(refused);
    expect((await getUser("user_bytes")).status).toBe(404);
    expect((await post("user", body, headers)).status).toBe(200);
    expect((await getUser("user_bytes")).body).toMatchObject({ data: { name: "Zoë ☃ Mechanic" } });
  });
});
