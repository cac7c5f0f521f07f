import { createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { JWTPayload } from "jose";
import type { Authenticator } from "../../gateway/auth/authenticator.ts";
import {
  AUDIENCE,
  claimsAt,
  ORIGIN,
  testAuthenticator,
  testClock,
  withBearer,
  type TestClock,
} from "../support/authentication.ts";
import { newSigningKey, startJwksServer, type JwksServer, type SigningKey } from "../support/identity-provider.ts";

let es: SigningKey;
let rs: SigningKey;
let jwks: JwksServer;
let clock: TestClock;
let authenticator: Authenticator;

beforeAll(async () => {
  [es, rs] = await Promise.all([newSigningKey("es"), newSigningKey("rs", "RS256")]);
  jwks = await startJwksServer(es, rs);
});
afterAll(() => jwks.close());
beforeEach(() => {
  clock = testClock();
  authenticator = testAuthenticator(jwks.url, clock);
});

const base64url = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
const verify = (token: string) => authenticator.authenticate(withBearer(token));
const refusal = (message: string) => ({ code: "UNAUTHORIZED", message });
const expectRefused = (token: string, message = "Invalid token") =>
  expect(verify(token)).rejects.toMatchObject(refusal(message));
/** The caller that claims give, signed well. */
const callerOf = async (over: JWTPayload) => verify(await es.sign(claimsAt(clock, over)));

describe("a good token", () => {
  test.each(["ES256", "RS256"])("signed with %s gives the caller", async (alg) => {
    const token = await (alg === "ES256" ? es : rs).sign(claimsAt(clock));
    await expect(verify(token)).resolves.toEqual({
      admin: false,
      user: { sub: "user_1", email: "ada@shop.example", role: "customer", aud: AUDIENCE, azp: ORIGIN },
    });
  });

  test("with role admin makes an admin", async () => {
    expect(await callerOf({ role: "admin" })).toMatchObject({ admin: true, user: { role: "admin" } });
  });

  test.each([["Admin"], ["superadmin"], [["admin"]], [{ admin: true }], [true], [undefined]])(
    "with role %j makes a customer",
    async (role) => {
      expect(await callerOf({ role })).toMatchObject({ admin: false, user: { role: "customer" } });
    },
  );

  test("needs no issuer where none is configured", async () => {
    authenticator = testAuthenticator(jwks.url, clock, { issuer: undefined });
    expect(await callerOf({ iss: undefined })).toMatchObject({ user: { sub: "user_1" } });
  });

  test("may name its scheme in any case", async () => {
    const token = await es.sign(claimsAt(clock));
    const input = { headers: { authorization: `bearer ${token}` }, access: "user", entry: "payment" } as const;
    await expect(authenticator.authenticate(input)).resolves.toMatchObject({ user: { sub: "user_1" } });
  });
});

describe("a token is refused", () => {
  test("when another key with the same kid signed it", async () => {
    const impostor = await newSigningKey("es");
    await expectRefused(await impostor.sign(claimsAt(clock)));
  });

  test("with alg none, with and without a signature", async () => {
    const unsigned = `${base64url({ alg: "none", typ: "JWT", kid: "es" })}.${base64url(claimsAt(clock))}`;
    await expectRefused(`${unsigned}.`);
    await expectRefused(`${unsigned}.${base64url("x")}`);
  });

  test.each(["es", "rs"])("with HS256 keyed by the public key %s", async (kid) => {
    const unsigned = `${base64url({ alg: "HS256", typ: "JWT", kid })}.${base64url(claimsAt(clock))}`;
    const publicKey = JSON.stringify((kid === "es" ? es : rs).publicJwk);
    const signature = createHmac("sha256", publicKey).update(unsigned).digest("base64url");
    await expectRefused(`${unsigned}.${signature}`);
  });

  test("with an algorithm that is sound but not ours", async () => {
    const es384 = await newSigningKey("es384", "ES384");
    const server = await startJwksServer(es384);
    authenticator = testAuthenticator(server.url, clock);
    await expectRefused(await es384.sign(claimsAt(clock)));
    await server.close();
  });

  test("without a kid", async () => {
    await expectRefused(await es.sign(claimsAt(clock), { kid: undefined }));
  });

  test.each<[string, JWTPayload, string]>([
    ["another audience", { aud: "another-api" }, "Invalid token audience"],
    ["an audience in another case", { aud: AUDIENCE.toUpperCase() }, "Invalid token audience"],
    ["the audience in a list", { aud: [AUDIENCE] }, "Invalid token audience"],
    ["the audience among others", { aud: [AUDIENCE, "another-api"] }, "Invalid token audience"],
    ["no audience", { aud: undefined }, "Invalid token audience"],
    ["another origin", { azp: "https://evil.example" }, "Invalid token origin"],
    ["an origin that begins like ours", { azp: `${ORIGIN}.evil.example` }, "Invalid token origin"],
    ["origins in a list", { azp: [ORIGIN] }, "Invalid token origin"],
    ["no origin", { azp: undefined }, "Invalid token origin"],
    ["another issuer", { iss: "https://evil.example" }, "Invalid token"],
    ["no issuer", { iss: undefined }, "Invalid token"],
    ["no subject", { sub: undefined }, "Invalid token"],
    ["an empty subject", { sub: "" }, "Invalid token"],
    ["a null character in its subject", { sub: "user\u0000" }, "Invalid token"],
    ["half a surrogate pair in its subject", { sub: "\ud800" }, "Invalid token"],
    ["no end", { exp: undefined }, "Invalid token"],
    ["an end that is no date", { exp: 1e300 }, "Invalid token"],
  ])("with %s", async (_what, over, message) => {
    await expectRefused(await es.sign(claimsAt(clock, over)), message);
  });

  test("when it is no token at all", async () => {
    const bearers = ["", " ", " a b", " x", " a.b.c", " ☃"].map((rest) => `Bearer${rest}`);
    for (const authorization of [...bearers, "Basic dXNlcjpwdw==", "Token x"]) {
      const input = { headers: { authorization }, access: "user", entry: "payment" } as const;
      await expect(authenticator.authenticate(input)).rejects.toMatchObject(refusal("Invalid token"));
    }
  });

  test("for any content, and never with another error", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.json(), fc.json(), async (text, header, payload) => {
        const token = [base64url(header), base64url(payload), base64url(text)].join(".");
        await expectRefused(token);
      }),
      { numRuns: 200 },
    );
  });
});

describe("time", () => {
  const at = (over: JWTPayload) => es.sign(claimsAt(clock, over));
  const seconds = () => Math.floor(clock.now / 1000);

  test("an expired token is tolerated for less than 5 s", async () => {
    await expect(verify(await at({ exp: seconds() - 4 }))).resolves.toBeDefined();
    await expectRefused(await at({ exp: seconds() - 5 }), "Token expired");
  });

  test("a token from the future is tolerated for 5 s", async () => {
    await expect(verify(await at({ nbf: seconds() + 5 }))).resolves.toBeDefined();
    await expectRefused(await at({ nbf: seconds() + 6 }));
  });

  test("a token that was accepted is refused once it has expired", async () => {
    const token = await at({ exp: seconds() + 30 });
    await expect(verify(token)).resolves.toBeDefined();
    clock.advance(34);
    await expect(verify(token)).resolves.toBeDefined();
    clock.advance(1);
    await expectRefused(token, "Token expired");
  });
});
