import { afterEach, beforeEach, expect, test } from "@jest/globals";
import type { Authenticator } from "../../gateway/auth/authenticator.ts";
import { claimsAt, testAuthenticator, testClock, withBearer, type TestClock } from "../support/authentication.ts";
import { eventually } from "../support/eventually.ts";
import { newSigningKey, startJwksServer, type JwksServer, type SigningKey } from "../support/identity-provider.ts";

let key: SigningKey;
let jwks: JwksServer;
let clock: TestClock;
let warnings: string[];
let authenticator: Authenticator;

beforeEach(async () => {
  key = await newSigningKey("first");
  jwks = await startJwksServer(key);
  clock = testClock();
  warnings = [];
  authenticator = testAuthenticator(jwks.url, clock, { timeoutMs: 1_000, warnings });
});
afterEach(async () => {
  await jwks.close();
});

let serial = 0;
/** A token that was not seen before, so that its signature is really checked. */
const fresh = (by: SigningKey = key) => by.sign(claimsAt(clock, { jti: String((serial += 1)) }));
const verify = async (token: string | Promise<string>) => authenticator.authenticate(withBearer(await token));
const invalid = { code: "UNAUTHORIZED", message: "Invalid token" };
const unreachable = { code: "PROVIDER_ERROR" };

test("the keys are fetched once for many requests at the same moment", async () => {
  const tokens = await Promise.all(Array.from({ length: 20 }, () => fresh()));
  await Promise.all(tokens.map(verify));
  expect(jwks.requests).toBe(1);
});

test("an unknown kid causes one fetch in 30 s, however many tokens name it", async () => {
  await verify(fresh());
  const stranger = await newSigningKey("unknown");
  const another = await newSigningKey("unknown too");
  await expect(verify(fresh(stranger))).rejects.toMatchObject(invalid);
  expect(jwks.requests).toBe(2);
  for (let i = 0; i < 10; i++) await expect(verify(fresh(i % 2 ? stranger : another))).rejects.toMatchObject(invalid);
  clock.advance(29);
  await expect(verify(fresh(another))).rejects.toMatchObject(invalid);
  expect(jwks.requests).toBe(2);
  clock.advance(1);
  await expect(verify(fresh(stranger))).rejects.toMatchObject(invalid);
  expect(jwks.requests).toBe(3);
});

test("a new key is found by its first token, and the old one serves while it is published", async () => {
  await verify(fresh());
  const second = await newSigningKey("second");
  jwks.keys = [second, key];
  await expect(verify(fresh(second))).resolves.toBeDefined();
  await expect(verify(fresh())).resolves.toBeDefined();
  expect(jwks.requests).toBe(2);
});

test("a key that was withdrawn stops counting", async () => {
  const token = await fresh();
  await verify(token);
  jwks.keys = [await newSigningKey("second")];
  clock.advance(301);
  await verify(fresh());
  await eventually(() => jwks.requests === 2);
  await eventually(async () =>
    verify(fresh()).then(
      () => false,
      () => true,
    ),
  );
  await expect(verify(token)).rejects.toMatchObject(invalid);
});

test("a remembered token is checked again after a minute", async () => {
  const token = await fresh();
  await verify(token);
  jwks.keys = [await newSigningKey("second")];
  await expect(verify(fresh(jwks.keys[0]))).resolves.toBeDefined();
  clock.advance(59);
  await expect(verify(token)).resolves.toBeDefined();
  clock.advance(1);
  await expect(verify(token)).rejects.toMatchObject(invalid);
});

test.each(["fail", "nonsense", "hang"] as const)(
  "unavailable keys (%s) are the provider's fault, and soon tried again",
  async (mood) => {
    jwks.mood = mood;
    await expect(verify(fresh())).rejects.toMatchObject(unreachable);
    await expect(verify(fresh())).rejects.toMatchObject(unreachable);
    expect(jwks.requests).toBe(1);
    expect(warnings).toHaveLength(1);
    jwks.mood = "answer";
    clock.advance(1);
    await expect(verify(fresh())).resolves.toBeDefined();
  },
);

test("known keys outlive an outage, and a token that cannot be checked in it is the provider's fault", async () => {
  await verify(fresh());
  jwks.mood = "fail";
  const stranger = await newSigningKey("unknown");
  for (let i = 0; i < 5; i++) await expect(verify(fresh(stranger))).rejects.toMatchObject(unreachable);
  expect(jwks.requests).toBe(2);
  clock.advance(6 * 3_600);
  await expect(verify(fresh())).resolves.toBeDefined();
  clock.advance(25 * 3_600);
  await expect(verify(fresh())).rejects.toMatchObject(unreachable);
});

test("a warning names no token", async () => {
  jwks.mood = "fail";
  const token = await fresh();
  await expect(verify(token)).rejects.not.toHaveProperty("message", expect.stringContaining(token.slice(0, 10)));
  expect(warnings.join()).not.toContain(token.slice(0, 10));
});
