import { mkdtempSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { createRemoteJWKSet, decodeJwt, jwtVerify } from "jose";
import { Webhook } from "svix";
import { startIdentitySandbox, type IdentitySandbox } from "../../packages/sandbox/src/identity/server.ts";
import { eventually } from "../support/eventually.ts";

const SECRET = "whsec_dGVzdC1zZWNyZXQtb2YtdGhpcnR5LXR3by1ieXRlcw==";
const AUDIENCE = "partline-api";
const ORIGIN = "http://127.0.0.1:8000";

interface Delivery {
  path: string;
  id: string;
  event: { type: string; data: Record<string, unknown> };
}

/** Receives webhooks as a shop does: checks the signature, and refuses as often as the test asks. */
let receiver: Server;
let receiverUrl: string;
let received: Delivery[] = [];
let refusals = 0;
beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .on("end", () => {
        const headers = request.headers as Record<string, string>;
        const event = new Webhook(SECRET).verify(Buffer.concat(chunks).toString(), headers) as Delivery["event"];
        received.push({ path: request.url ?? "", id: headers["svix-id"]!, event });
        response.writeHead(refusals-- > 0 ? 503 : 200).end();
      });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
afterAll(() => new Promise<void>((resolve) => receiver.close(() => resolve())));

let sandbox: IdentitySandbox;
const start = (over: { dataDir?: string; port?: number } = {}) =>
  startIdentitySandbox({
    host: "127.0.0.1",
    port: 0,
    webhookSecret: SECRET,
    audience: AUDIENCE,
    authorizedParty: ORIGIN,
    webhookUrls: [`${receiverUrl}/payment`, `${receiverUrl}/user`],
    ...over,
  });
beforeEach(async () => {
  received = [];
  refusals = 0;
  sandbox = await start();
});
afterEach(() => sandbox.close());

async function ask<T = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: T }> {
  const response = await fetch(`${sandbox.url}${path}`, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as T };
}
const token = async (body: object): Promise<string> =>
  (await ask<{ token: string }>("POST", "/v1/tokens", body)).body.token;
const kids = async () =>
  (await ask<{ keys: { kid: string }[] }>("GET", "/.well-known/jwks.json")).body.keys.map(({ kid }) => kid);

describe("tokens", () => {
  test("are made bad on request", async () => {
    const claims = decodeJwt(
      await token({ user: "admin", expiresInSeconds: -60, claims: { aud: ["a", "b"], azp: null } }),
    );
    expect(claims).toMatchObject({ aud: ["a", "b"], sub: "user_sandbox_admin", role: "admin" });
    expect(claims).not.toHaveProperty("azp");
    expect(claims.exp!).toBeLessThan(Date.now() / 1000);
  });

  test.each([
    [{ user: "customer", template: "other" }, 404],
    [{}, 422],
    [{ user: "customer", role: "admin" }, 422],
    [{ user: "customer", expiresInSeconds: "1" }, 422],
    [[], 400],
  ])("asked for with %j are %d", async (body, status) => {
    expect(await ask("POST", "/v1/tokens", body)).toMatchObject({
      status,
      body: { errors: [expect.objectContaining({ code: expect.any(String) })] },
    });
  });
});

describe("keys", () => {
  const verify = (bearer: string) =>
    jwtVerify(bearer, createRemoteJWKSet(new URL(`${sandbox.url}/.well-known/jwks.json`)));

  test("are published without their private half", async () => {
    const { keys } = (await ask<{ keys: object[] }>("GET", "/.well-known/jwks.json")).body;
    expect(keys).toEqual([
      {
        kty: "EC",
        crv: "P-256",
        x: expect.any(String),
        y: expect.any(String),
        kid: expect.any(String),
        use: "sig",
        alg: "ES256",
      },
    ]);
  });

  test("rotate: the old one serves until it is retired", async () => {
    const old = await token({ user: "customer" });
    const { kid } = (await ask<{ kid: string }>("POST", "/v1/keys/rotate")).body;
    const renewed = await token({ user: "customer" });
    expect(await kids()).toEqual([kid, expect.any(String)]);
    expect((await verify(renewed)).protectedHeader.kid).toBe(kid);
    await expect(verify(old)).resolves.toBeDefined();
    await ask("POST", "/v1/keys/retire");
    expect(await kids()).toEqual([kid]);
    await expect(verify(old)).rejects.toMatchObject({ code: "ERR_JWKS_NO_MATCHING_KEY" });
  });
});

describe("users", () => {
  const ada = {
    email_address: ["ada@shop.example"],
    first_name: "Ada",
    phone_number: ["+15550100"],
    public_metadata: { role: "admin" },
  };

  test("changes are sent to every address under one id, signed, until it takes them", async () => {
    refusals = 3;
    const { body: user } = await ask<{ id: string }>("POST", "/v1/users", ada);
    await ask("PATCH", `/v1/users/${user.id}`, { last_name: "Mechanic" });
    await ask("DELETE", `/v1/users/${user.id}`);
    await eventually(() => received.length === 9);
    const byType = Map.groupBy(received, ({ event }) => event.type);
    expect([...byType.keys()].toSorted()).toEqual(["user.created", "user.deleted", "user.updated"]);
    for (const deliveries of byType.values()) {
      expect(new Set(deliveries.map(({ id }) => id)).size).toBe(1);
      expect(new Set(deliveries.map(({ path }) => path))).toEqual(new Set(["/payment", "/user"]));
    }
    const data = (type: string) => byType.get(type)![0]!.event.data;
    expect(data("user.created")).toMatchObject({
      id: user.id,
      first_name: "Ada",
      last_name: null,
      email_addresses: [{ id: data("user.created")["primary_email_address_id"], email_address: "ada@shop.example" }],
      phone_numbers: [{ phone_number: "+15550100" }],
      public_metadata: { role: "admin" },
    });
    expect(data("user.updated")).toMatchObject({ id: user.id, last_name: "Mechanic" });
    expect(Number(data("user.updated")["updated_at"])).toBeGreaterThan(Number(data("user.created")["updated_at"]));
    expect(data("user.deleted")).toEqual({ id: user.id, object: "user", deleted: true });
  });

  test("that are built in sign up by their first sign-in", async () => {
    const signIn = async (user: string): Promise<number> => {
      const form = new URLSearchParams({
        user,
        response_type: "code",
        client_id: "shop",
        redirect_uri: `${ORIGIN}/session/callback`,
        state: "s",
        code_challenge: "c".repeat(43),
        code_challenge_method: "S256",
      });
      const answer = await fetch(`${sandbox.url}/oauth/authorize`, { method: "POST", body: form, redirect: "manual" });
      return answer.status;
    };
    expect(await signIn("user_sandbox_customer")).toBe(303);
    await eventually(() => received.length === 2);
    expect(await signIn("user_sandbox_customer")).toBe(303);
    await ask("POST", "/v1/users", {});
    await eventually(() => received.length === 4);
    expect(received.map(({ event: { type, data } }) => [type, data["id"] === "user_sandbox_customer"]).sort()).toEqual([
      ["user.created", false],
      ["user.created", false],
      ["user.created", true],
      ["user.created", true],
    ]);
  });

  test("that are built in come without a webhook and cannot be deleted", async () => {
    expect(await ask("DELETE", "/v1/users/user_sandbox_admin")).toMatchObject({ status: 403 });
    expect((await ask<object[]>("GET", "/v1/users")).body).toHaveLength(2);
    expect(received).toEqual([]);
  });

  test("and keys, and webhooks that wait, survive a restart", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "identity-sandbox-"));
    await sandbox.close();
    sandbox = await start({ dataDir });
    const { port } = sandbox;
    const bearer = (await sandbox.tokens()).customer;
    const before = await kids();
    refusals = 2;
    const { body: user } = await ask<{ id: string }>("POST", "/v1/users", ada);
    await eventually(() => received.length >= 2);
    await sandbox.close();
    sandbox = await start({ dataDir, port });
    expect(await kids()).toEqual(before);
    await expect(
      jwtVerify(bearer, createRemoteJWKSet(new URL(`${sandbox.url}/.well-known/jwks.json`))),
    ).resolves.toBeDefined();
    expect(await ask("GET", `/v1/users/${user.id}`)).toMatchObject({ status: 200, body: { first_name: "Ada" } });
    await eventually(() => received.filter(({ event }) => event.data["id"] === user.id).length === 4);
  });
});

describe("the index page", () => {
  test("shows tokens to a person on this machine, and nothing that was put into it as markup", async () => {
    await ask("POST", "/v1/users", { email_address: ["<b>eve</b>@shop.example"] });
    const page = await (await fetch(sandbox.url)).text();
    expect(page).toContain("customer@partline.example");
    expect(page.match(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g)).toHaveLength(3);
    expect(page).not.toContain("<b>eve");
  });
});
