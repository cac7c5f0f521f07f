import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { IncomingHttpHeaders } from "node:http";
import type { Access } from "@partline/api-contracts";
import type { EntryPoint } from "../../broker/contract/define.ts";
import { ADMIN_TOKEN, claimsAt, testAuthenticator, testClock } from "../support/authentication.ts";
import { newSigningKey, startJwksServer, type JwksServer } from "../support/identity-provider.ts";

const clock = testClock();
let jwks: JwksServer;
const headers: Record<string, IncomingHttpHeaders> = {
  nothing: {},
  "X-Admin-Token": { "x-admin-token": ADMIN_TOKEN },
  "wrong X-Admin-Token": { "x-admin-token": `${ADMIN_TOKEN}x` },
};

beforeAll(async () => {
  const key = await newSigningKey("key");
  jwks = await startJwksServer(key);
  headers["customer"] = { authorization: `Bearer ${await key.sign(claimsAt(clock))}` };
  headers["admin"] = { authorization: `Bearer ${await key.sign(claimsAt(clock, { role: "admin", sub: "user_2" }))}` };
  const clerk = await key.sign(claimsAt(clock, { role: "clerk", sub: "user_3" }));
  const catalog = await key.sign(claimsAt(clock, { role: "catalog", sub: "user_4" }));
  headers["clerk"] = { authorization: `Bearer ${clerk}` };
  headers["catalog"] = { authorization: `Bearer ${catalog}` };
  headers["bad token"] = { authorization: "Bearer a.b.c" };
  headers["customer and X-Admin-Token"] = { ...headers["customer"], ...headers["X-Admin-Token"] };
  headers["bad token and X-Admin-Token"] = { ...headers["bad token"], ...headers["X-Admin-Token"] };
  headers["admin and wrong X-Admin-Token"] = { ...headers["admin"], ...headers["wrong X-Admin-Token"] };
});
afterAll(() => jwks.close());

const missingBearer = "401 Missing Authorization header";
const missingEither = "401 Missing Authorization or X-Admin-Token header";
const missingAdmin = "401 Missing X-Admin-Token header";
const wrongAdmin = "401 Invalid admin token";
const badToken = "401 Invalid token";
const forbidden = "403 This needs the role admin, or the scope orders:read";

const ofAdmins = {
  "X-Admin-Token": "admin",
  "wrong X-Admin-Token": wrongAdmin,
  customer: forbidden,
  admin: "admin user_2",
  clerk: "admin user_3",
  catalog: forbidden,
  "bad token": badToken,
  "customer and X-Admin-Token": "admin user_1",
  "bad token and X-Admin-Token": badToken,
  "admin and wrong X-Admin-Token": wrongAdmin,
};

const ofAll = {
  "wrong X-Admin-Token": wrongAdmin,
  customer: "user_1",
  admin: "admin user_2",
  clerk: "admin user_3",
  catalog: "user_4",
  "bad token": badToken,
  "customer and X-Admin-Token": "admin user_1",
  "bad token and X-Admin-Token": badToken,
  "admin and wrong X-Admin-Token": wrongAdmin,
};

/** What each access gives for what is sent: who gets in, or the refusal. */
const table: Record<Exclude<Access, "internal">, Record<string, string>> = {
  none: Object.fromEntries(["nothing", "X-Admin-Token", ...Object.keys(ofAll)].map((sent) => [sent, "nobody"])),
  optional: { nothing: "nobody", "X-Admin-Token": "admin", ...ofAll },
  user: { nothing: missingBearer, "X-Admin-Token": missingBearer, ...ofAll },
  admin: { nothing: missingEither, ...ofAdmins },
  "admin-token": { nothing: missingAdmin, ...ofAdmins },
};

async function outcome(
  access: Access,
  sent: string,
  {
    entry = "payment",
    page = {},
    ...over
  }: { entry?: EntryPoint; page?: IncomingHttpHeaders; loopback?: boolean; production?: boolean } = {},
): Promise<string> {
  const authenticator = testAuthenticator(jwks.url, clock, over);
  try {
    const { admin, user } = await authenticator.authenticate({
      headers: { ...headers[sent], ...page },
      access,
      scope: "orders:read",
      entry,
    });
    return [admin ? "admin" : [], user?.sub ?? []].flat().join(" ") || "nobody";
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code === "UNAUTHORIZED" ? 401 : code === "FORBIDDEN" ? 403 : code} ${message}`;
  }
}

const cases = Object.entries(table).flatMap(([access, row]) =>
  Object.entries(row).map(([sent, expected]) => [access as Access, sent, expected] as const),
);

test.each(cases)("access %s, %s: %s", async (access, sent, expected) => {
  expect(await outcome(access, sent)).toBe(expected);
});

describe("internal", () => {
  const own = { entry: "eventstore", loopback: true } as const;

  test.each([
    { host: "127.0.0.1:8002" },
    { host: "localhost" },
    { host: "LocalHost:8002", origin: "http://localhost:8002" },
    { host: "[::1]:8002", origin: "http://[::1]:8002" },
    { host: "localhost", "sec-fetch-site": "same-origin" },
    { host: "localhost", "sec-fetch-site": "none" },
  ])("is open on its own address of a machine that only its user reaches: %j", async (sent: IncomingHttpHeaders) => {
    const by = (credential: string): Promise<string> => outcome("internal", credential, { ...own, page: sent });
    expect(await by("nothing")).toBe("nobody");
    // A credential that nobody asked for counts, and is refused if it is bad.
    expect(await by("X-Admin-Token")).toBe("admin");
    expect(await by("clerk")).toBe("admin user_3");
    expect(await by("customer")).toBe("user_1");
    expect(await by("wrong X-Admin-Token")).toBe(wrongAdmin);
    expect(await by("bad token")).toBe(badToken);
  });

  test.each([
    ["of a name that leads here", { host: "evil.example:8002" }],
    ["of a name that leads here, as its own", { host: "evil.example", origin: "http://evil.example" }],
    ["of a name that looks like ours", { host: "127.0.0.1.evil.example" }],
    ["of elsewhere", { host: "127.0.0.1:8002", origin: "http://evil.example" }],
    ["of another program here", { host: "localhost:8002", origin: "http://localhost:3000" }],
    ["that hides where it is from", { host: "127.0.0.1:8002", origin: "null" }],
    ["without a Host", {}],
    ["of an extension", { host: "localhost", origin: "chrome-extension://abcdef", "sec-fetch-site": "none" }],
    ["of elsewhere, as the browser says", { host: "localhost", "sec-fetch-site": "cross-site" }],
    ["of another program here, as the browser says", { host: "localhost", "sec-fetch-site": "same-site" }],
  ])("is closed to the page %s, except for admins", async (_page, page: IncomingHttpHeaders) => {
    const by = (access: Access, credential: string): Promise<string> => outcome(access, credential, { ...own, page });
    expect(await by("internal", "nothing")).toMatch(/^403 This is for programs of this machine/);
    expect(await by("internal", "customer")).toMatch(/^403 /);
    expect(await by("internal", "wrong X-Admin-Token")).toBe(wrongAdmin);
    expect(await by("internal", "X-Admin-Token")).toBe("admin");
    expect(await by("internal", "admin")).toBe("admin user_2");
    expect(await by("none", "nothing")).toBe("nobody");
  });

  test.each([
    ["through the gateway", { entry: "gateway" }],
    ["in production", { entry: "eventstore", production: true }],
    ["where HOST is not loopback", { entry: "eventstore", loopback: false }],
  ] as const)("is the admin's %s", async (_where, over) => {
    expect(await outcome("internal", "nothing", over)).toBe(missingAdmin);
    expect(await outcome("internal", "customer", over)).toBe(forbidden);
    expect(await outcome("internal", "X-Admin-Token", over)).toBe("admin");
    expect(await outcome("internal", "admin", over)).toBe("admin user_2");
  });
});

test.each([
  [
    ["bearer", "sessionId"],
    {
      nothing: "401 Missing Authorization or X-Session-Id header",
      "X-Admin-Token": "401 Missing Authorization or X-Session-Id header",
      customer: "in",
      session: "in",
    },
  ],
  [["bearer", "adminToken"], { nothing: missingBearer, session: missingBearer, customer: "in", "X-Admin-Token": "in" }],
] as const)("a route that takes %j turns away who sends neither", async (credentials, expected) => {
  for (const [sent, outcome] of Object.entries(expected)) {
    const given = sent === "session" ? { "x-session-id": "abcd1234" } : headers[sent]!;
    const answer = testAuthenticator(jwks.url, clock).authenticate({
      headers: given,
      access: "optional",
      session: true,
      credentials,
      entry: "cart",
    });
    expect([
      sent,
      await answer.then(
        () => "in",
        (error: Error) => `401 ${error.message}`,
      ),
    ]).toEqual([sent, outcome]);
  }
});

describe("X-Session-Id", () => {
  const sessionOf = (value: string | undefined, route: { session?: true } = { session: true }) =>
    testAuthenticator(jwks.url, clock).authenticate({
      headers: { "x-session-id": value },
      access: "optional",
      entry: "cart",
      ...route,
    });

  test.each(["3f2b8c1e-9d4a-4c55-8a21-0f6b1f3f9d10", "abcd1234", "a_b-".repeat(32)])("%s is taken", async (value) => {
    await expect(sessionOf(value)).resolves.toEqual({ admin: false, sessionId: value });
  });

  test.each(["short", "a".repeat(129), "with space", "semi;colon", "first-session, second-session", "ümlaut-id"])(
    "%s is refused",
    async (value) => {
      await expect(sessionOf(value)).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
        data: [{ field: "X-Session-Id" }],
      });
    },
  );

  test("is not looked at where the route does not read it", async () => {
    await expect(sessionOf("short", {})).resolves.toEqual({ admin: false });
    await expect(sessionOf(undefined)).resolves.toEqual({ admin: false });
  });
});
