import type { JWTPayload } from "jose";
import { createAuthenticator, type AuthenticationInput, type Authenticator } from "../../gateway/auth/authenticator.ts";
import type { FindKey } from "../../gateway/auth/known-keys.ts";

export const AUDIENCE = "partline-api";
export const ORIGIN = "https://shop.example";
export const ISSUER = "https://identity.example";
export const ADMIN_TOKEN = "the-admin-token";

/** A clock that the test moves. */
export interface TestClock {
  now: number;
  advance(seconds: number): void;
}

export function testClock(): TestClock {
  const clock: TestClock = {
    now: Date.parse("2026-06-01T12:00:00Z"),
    advance: (seconds) => (clock.now += seconds * 1000),
  };
  return clock;
}

export function claimsAt(clock: TestClock, over: JWTPayload = {}): JWTPayload {
  const seconds = Math.floor(clock.now / 1000);
  return {
    sub: "user_1",
    email: "ada@shop.example",
    role: "customer",
    aud: AUDIENCE,
    azp: ORIGIN,
    iss: ISSUER,
    iat: seconds,
    nbf: seconds,
    exp: seconds + 3_600,
    ...over,
  };
}

export function testAuthenticator(
  jwksUrl: string,
  clock: TestClock,
  over: Partial<{
    issuer: string | undefined;
    loopback: boolean;
    production: boolean;
    timeoutMs: number;
    warnings: string[];
    findKey: FindKey;
  }> = {},
): Authenticator {
  const { loopback = true, production = false, timeoutMs, warnings = [], findKey = () => Promise.resolve(null) } = over;
  const issuer = "issuer" in over ? over.issuer : ISSUER;
  return createAuthenticator(
    {
      identity: {
        jwksUrl,
        issuer,
        audience: AUDIENCE,
        authorizedParties: ["https://admin.example", ORIGIN],
      },
      adminToken: ADMIN_TOKEN,
      loopback,
      production,
    },
    {
      logger: { warn: (message) => warnings.push(message) },
      findKey,
      loadOwnKeys: () => Promise.resolve({ keys: [] }),
      now: () => clock.now,
      timeoutMs,
    },
  );
}

export function withBearer(token: string, over: Partial<AuthenticationInput> = {}): AuthenticationInput {
  return { headers: { authorization: `Bearer ${token}` }, access: "user", entry: "payment", ...over };
}
