import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "../../gateway/http/pages.ts";
import type { EdgeRequest } from "@partline/http-edge";
import { createBrowserSession } from "../../gateway/http/web/browser-session.ts";
import { CALLBACK_PATH, createSignInPages } from "../../gateway/http/web/sign-in.ts";
import { claimsAt, testAuthenticator, testClock, withBearer } from "../support/authentication.ts";
import { newSigningKey, startJwksServer, type JwksServer, type SigningKey } from "../support/identity-provider.ts";

let key: SigningKey;
let jwks: JwksServer;
beforeAll(async () => {
  key = await newSigningKey("es");
  jwks = await startJwksServer(key);
});
afterAll(() => jwks.close());

const clock = testClock();
clock.now = Date.now();

/** Where the way back from a provider that gives this token leads. */
async function cameBack(token: string) {
  const warnings: string[] = [];
  const authenticator = testAuthenticator(jwks.url, clock);
  const pages = new Map(
    createSignInPages({
      session: createBrowserSession("shop", "http://shop.example"),
      provider: { begin: () => Promise.reject(new Error("not asked")), end: () => Promise.resolve(token) },
      verify: (given) => authenticator.authenticate(withBearer(given)),
      warn: (message) => warnings.push(message),
    }),
  );
  const attempt = encodeURIComponent(JSON.stringify({ state: "s", nonce: "n", verifier: "v", back: "/orders" }));
  const { headers } = await (pages.get(CALLBACK_PATH) as Page).answer({
    headers: { cookie: `partline_shop_sign_in=${attempt}` },
    exchange: { query: "code=c" },
  } as unknown as EdgeRequest);
  const cookies = [headers!["Set-Cookie"]!].flat().map((text) => text.split("=")[0]);
  return { to: headers!["Location"], cookies, warnings };
}

test("a token that the shop accepts is kept, and the browser goes back to its page", async () => {
  expect(await cameBack(await key.sign(claimsAt(clock)))).toEqual({
    to: "/orders",
    cookies: ["partline_shop_token", "partline_shop_sign_in"],
    warnings: [],
  });
});

test("a token that it does not accept, or that no cookie holds, ends at a page and is not kept", async () => {
  const refused = [
    [claimsAt(clock, { aud: "another" }), "Invalid token audience"],
    [claimsAt(clock, { azp: "https://other.example" }), "Invalid token origin"],
    [claimsAt(clock, { exp: Math.floor(clock.now / 1_000) - 60 }), "Token expired"],
    [claimsAt(clock, { groups: "x".repeat(4_000) }), "The token is too long for a cookie"],
  ] as const;
  for (const [claims, reason] of refused)
    expect(await cameBack(await key.sign(claims))).toEqual({
      to: "/sign-in-failed?why=token",
      cookies: ["partline_shop_sign_in"],
      warnings: [`A sign-in failed: ${reason}`],
    });
});

test("while the provider's keys cannot be read, signing in again may help", async () => {
  jwks.mood = "fail";
  expect(await cameBack(await key.sign(claimsAt(clock)))).toMatchObject({ to: "/sign-in-failed?return=%2Forders" });
  jwks.mood = "answer";
});
