import type { JWTPayload } from "jose";
import type { TokenUser } from "../../broker/contract/context.ts";
import { unauthorized } from "./refusals.ts";

/** Neither control characters nor half surrogate pairs: not every store tells such ids apart. */
const SUBJECT = /^[^\p{Cc}\p{Cs}]{1,255}$/u;

export interface ExpectedClaims {
  audience: string;
  authorizedParties: readonly string[];
}

/**
 * Returns the user of a token whose signature, issuer and times are verified. `aud` must equal the configured one (a
 * list is refused), `azp` must be an allowed origin. Source: commerce specification, section 5.
 * @throws UNAUTHORIZED
 */
export function userOfClaims(claims: JWTPayload, { audience, authorizedParties }: ExpectedClaims): TokenUser {
  const { sub, aud, azp, email, role } = claims;
  if (aud !== audience) throw unauthorized("Invalid token audience");
  if (typeof azp !== "string" || !authorizedParties.includes(azp)) throw unauthorized("Invalid token origin");
  if (typeof sub !== "string" || !SUBJECT.test(sub)) throw unauthorized("Invalid token");
  return Object.freeze({
    sub,
    ...(typeof email === "string" && email !== "" ? { email } : {}),
    role: role === "admin" ? "admin" : "customer",
    aud: audience,
    azp,
  });
}
