import { hash } from "node:crypto";
import { jwtVerify, type JWTPayload, type JWTVerifyGetKey } from "jose";
import { LRUCache } from "lru-cache";
import type { TokenUser } from "../../broker/contract/context.ts";
import { toRole } from "../../broker/contract/scopes.ts";
import { PartlineError, errorCode } from "../../mixins/errors.ts";
import { createUnauthorizedError } from "./headers.ts";

const ALGORITHMS = ["RS256", "ES256"];
const TOLERANCE_SECONDS = 5;
const REMEMBERED_TOKENS = 10_000;
/** A token is verified again after this time: how long a withdrawn key may open something. */
const REMEMBERED_MS = 60_000;

interface TokenVerifierOptions {
  keys: JWTVerifyGetKey;
  issuer?: string;
  audience: string;
  authorizedParties: readonly string[];
  now: () => number;
}

/**
 * Returns a verifier of bearer tokens. A signature check costs about 100 µs, so a success is remembered for a minute
 * at most, never past the token's end. It throws UNAUTHORIZED, or PROVIDER_ERROR if the keys are unavailable.
 */
export function createTokenVerifier(options: TokenVerifierOptions): (token: string) => Promise<TokenUser> {
  const { keys, issuer, now } = options;
  const verified = new LRUCache<string, { user: TokenUser; until: number }>({ max: REMEMBERED_TOKENS });

  return async (token) => {
    const id = hash("sha256", token, "base64");
    const cachedToken = verified.get(id);
    if (cachedToken && now() < cachedToken.until) return cachedToken.user;
    const claims = await verifyClaims(token);
    const user = toTokenUser(claims, options);
    verified.set(id, { user, until: Math.min(now() + REMEMBERED_MS, (claims.exp + TOLERANCE_SECONDS) * 1000) });
    return user;
  };

  async function verifyClaims(token: string) {
    try {
      const { payload } = await jwtVerify<{ exp: number }>(token, keys, {
        algorithms: ALGORITHMS,
        clockTolerance: TOLERANCE_SECONDS,
        currentDate: new Date(now()),
        requiredClaims: ["exp", "sub"],
        issuer,
      });
      // The library takes any number.
      if (Number.isNaN(new Date(payload.exp * 1000).getTime())) throw createUnauthorizedError("Invalid token");
      return payload;
    } catch (error) {
      if (errorCode(error)) throw error;
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "ERR_JWT_EXPIRED") throw createUnauthorizedError("Token expired");
      // jose's own codes concern the token; anything else is an unusable key of the provider.
      if (typeof code === "string" && code.startsWith("ERR_J")) throw createUnauthorizedError("Invalid token");
      throw new PartlineError("PROVIDER_ERROR", "The identity provider's key cannot be used", undefined, {
        cause: error,
      });
    }
  }
}

/** Neither control characters nor half surrogate pairs: not every store distinguishes such ids. */
const SUBJECT = /^[^\p{Cc}\p{Cs}]{1,255}$/u;

/**
 * Returns the user of a token whose signature, issuer and times are verified. `aud` must equal the configured one (a
 * list is refused), `azp` must be an allowed origin. Source: commerce specification, section 5.
 * @throws UNAUTHORIZED
 */
function toTokenUser(claims: JWTPayload, { audience, authorizedParties }: TokenVerifierOptions): TokenUser {
  const { sub, aud, azp, email, email_verified: isVerified, role } = claims;
  if (aud !== audience) throw createUnauthorizedError("Invalid token audience");
  if (typeof azp !== "string" || !authorizedParties.includes(azp))
    throw createUnauthorizedError("Invalid token origin");
  if (typeof sub !== "string" || !SUBJECT.test(sub)) throw createUnauthorizedError("Invalid token");
  return Object.freeze({
    sub,
    ...(typeof email === "string" && email !== ""
      ? { email, ...(isVerified === true && { emailVerified: true }) }
      : {}),
    role: toRole(role),
    aud: audience,
    azp,
  });
}
