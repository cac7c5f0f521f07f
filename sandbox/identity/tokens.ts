import type { JWTPayload } from "jose";
import { primaryEmail, type ClerkUser } from "./users.ts";

/** The only token template; its claims are what a shop's API reads. */
export const TEMPLATE = "api";

export type TokenSubject = { user: ClerkUser; issuer: string; audience: string; authorizedParty: string };

export type TokenWishes = {
  /** Seconds from now; an hour unless given. Negative: a token that has expired. */
  expiresInSeconds?: number;
  /** Set over the template's claims; null takes one away. */
  claims?: Record<string, unknown>;
};

/** The claims of a token of template `api`. `now` is milliseconds since 1970. */
export function tokenClaims(
  { user, issuer, audience, authorizedParty }: TokenSubject,
  wishes: TokenWishes,
  now: number,
): JWTPayload {
  const issuedAt = Math.floor(now / 1000);
  const claims: Record<string, unknown> = {
    iss: issuer,
    sub: user.id,
    aud: audience,
    azp: authorizedParty,
    role: user.public_metadata["role"] === "admin" ? "admin" : "customer",
    email: primaryEmail(user),
    iat: issuedAt,
    nbf: issuedAt - 10,
    exp: issuedAt + (wishes.expiresInSeconds ?? 3_600),
    ...wishes.claims,
  };
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null && value !== undefined));
}
