import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { JWTPayload } from "jose";
import { newSigningKey, startJwksServer, type JwksServer, type SigningKey } from "../support/identity-provider.ts";
import { ADMIN_TOKEN, startSystem, type Answer, type System } from "../support/system.ts";

const AUDIENCE = "shop-api";
const ORIGIN = "https://shop.example";
const ISSUER = "https://identity.example";

let key: SigningKey;
let jwks: JwksServer;
let system: System;

beforeAll(async () => {
  key = await newSigningKey("first", "RS256");
  jwks = await startJwksServer(key);
  system = await startSystem({
    env: {
      IDENTITY_JWKS_URL: jwks.url,
      IDENTITY_ISSUER: ISSUER,
      IDENTITY_AUDIENCE: AUDIENCE,
      IDENTITY_AUTHORIZED_PARTIES: `https://admin.example,${ORIGIN}`,
      IDENTITY_WEBHOOK_SECRET: "whsec_dGVzdC1zZWNyZXQtb2YtdGhpcnR5LXR3by1ieXRlcw==",
    },
  });
});
afterAll(async () => {
  await system?.stop();
  await jwks.close();
});

function claims(over: JWTPayload = {}): JWTPayload {
  const now = Math.floor(Date.now() / 1000);
  return {
    sub: "user_ada",
    email: "ada@shop.example",
    role: "customer",
    iss: ISSUER,
    aud: AUDIENCE,
    azp: ORIGIN,
    iat: now,
    nbf: now - 1,
    exp: now + 600,
    ...over,
  };
}
const me = (token?: string): Promise<Answer> => system.request("user", "GET", "/api/users/me", { token });

function expectError(answer: Answer, status: number, code: string, message: string): void {
  expect({ status: answer.status, body: answer.body as unknown }).toEqual({
    status,
    body: { success: false, error: { code, message } },
  });
}

describe("a bearer token", () => {
  test("opens what is its bearer's", async () => {
    const token = await key.sign(claims());
    const answer = await system.request("gateway", "GET", "/api/users/me", { token });
    expect(answer).toMatchObject({
      status: 200,
      body: { success: true, data: { userId: "user_ada", email: "ada@shop.example", role: "customer" } },
    });
  });

  test("that is missing is 401, as is another scheme", async () => {
    expectError(await me(), 401, "UNAUTHORIZED", "Missing Authorization header");
    const basic = { headers: { Authorization: "Basic YWRhOnNlY3JldA==" } };
    expectError(await system.request("user", "GET", "/api/users/me", basic), 401, "UNAUTHORIZED", "Invalid token");
  });

  test("that is bad is refused where none is needed, and not looked at where the path is public", async () => {
    const bad = { token: "nonsense", sessionId: "3f2b8c1e-9d4a-4c55-8a21-0f6b1f3f9d10" };
    expectError(await system.request("cart", "GET", "/api/cart", bad), 401, "UNAUTHORIZED", "Invalid token");
    expect((await system.request("user", "GET", "/health/live", bad)).status).toBe(200);
  });
});

describe("what is the admin's", () => {
  const users = (credentials: { token?: string; adminToken?: string }) =>
    system.request("user", "GET", "/api/users", credentials);
  const orders = (credentials: { token?: string; adminToken?: string }) =>
    system.request("payment", "GET", "/api/admin/orders", credentials);

  test("is 403 to a customer and 401 to nobody", async () => {
    for (const role of ["customer", "Admin", ["admin"], undefined]) {
      const token = await key.sign(claims({ role }));
      for (const ask of [users, orders])
        expect(await ask({ token })).toMatchObject({ status: 403, body: { error: { code: "FORBIDDEN" } } });
    }
    expectError(await users({}), 401, "UNAUTHORIZED", "Missing Authorization or X-Admin-Token header");
    expectError(await orders({}), 401, "UNAUTHORIZED", "Missing X-Admin-Token header");
  });
});

const fromSite = (site: string): Record<string, string> => ({ "Sec-Fetch-Site": site });

test("what is open to this machine is closed to the web pages of elsewhere", async () => {
  const asked = [
    ["eventstore", "GET", "/events", "events:read"],
    ["pipeline", "POST", "/api/process-bucket-pdfs", "manuals:write"],
    ["cart", "GET", "/metrics", "system:read"],
  ] as const;
  for (const [entry, method, path, scope] of asked) {
    const reached = async (options: { headers: Record<string, string>; adminToken?: string }) =>
      (await system.request(entry, method, path, options)).status < 300;
    const ofExtension = { Origin: "chrome-extension://abcdef", ...fromSite("none") };
    for (const headers of [
      { Origin: "http://evil.example" },
      ofExtension,
      ...["cross-site", "same-site"].map(fromSite),
    ]) {
      expectError(
        await system.request(entry, method, path, { headers }),
        403,
        "FORBIDDEN",
        "This is for programs of this machine: it takes a loopback name as Host and no page of another origin, or a " +
          `credential with the scope ${scope}`,
      );
      expect(await reached({ headers, adminToken: ADMIN_TOKEN })).toBe(true);
    }
    const own = { Origin: system.url(entry) };
    for (const headers of [own, { ...own, ...fromSite("same-origin") }, ...["same-origin", "none"].map(fromSite)])
      expect([headers, await reached({ headers })]).toEqual([headers, true]);
  }
});

// The last of this file: it uses up the one fetch in 30 s that an unknown key may cause.
test("unavailable keys are the provider's fault; the known one serves on, and the log keeps tokens to itself", async () => {
  const known = await key.sign(claims());
  expect((await me(known)).status).toBe(200);
  jwks.mood = "fail";
  const unknown = await (await newSigningKey("second")).sign(claims());
  expect(await me(unknown)).toMatchObject({ status: 502, body: { error: { code: "PROVIDER_ERROR" } } });
  expect((await me(await key.sign(claims({ sub: "user_eve" })))).status).toBe(200);
  for (const token of [known, unknown]) expect(system.output()).not.toContain(token.slice(-20));
});
