import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Scope } from "../../broker/contract/scopes.ts";
import { sessionIdRule } from "../../broker/contract/common.ts";
import { PartlineError, validationFailed } from "../../mixins/errors.ts";

/** RFC 6750: the scheme in any case, then a `b64token`. */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

/** The unverified bearer token; an empty header counts as none. @throws UNAUTHORIZED for another scheme */
export function getBearerToken(headers: IncomingHttpHeaders): string | undefined {
  const value = headers.authorization;
  if (!value) return undefined;
  const token = BEARER.exec(value)?.[1];
  if (!token) throw createUnauthorizedError("Invalid token");
  return token;
}

/** Returns whether the right X-Admin-Token was sent; false without one. @throws UNAUTHORIZED for a wrong one */
export function hasAdminToken(headers: IncomingHttpHeaders, expectedDigest: Buffer): boolean {
  const value = headers["x-admin-token"];
  if (!value) return false;
  if (!timingSafeEqual(computeDigest(String(value)), expectedDigest))
    throw createUnauthorizedError("Invalid admin token");
  return true;
}

/** Digests have one length: comparing them reveals nothing about the secret's. */
export function computeDigest(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

export function getSessionId(headers: IncomingHttpHeaders): string | undefined {
  const value = headers["x-session-id"];
  if (!value) return undefined;
  if (typeof value === "string" && sessionIdRule.pattern.test(value)) return value;
  throw validationFailed({
    field: "X-Session-Id",
    message: "The 'X-Session-Id' header must be a UUID, or 8 to 128 letters, digits, '_' and '-'.",
  });
}

/** The reasons are those of the design's table. */
export function createUnauthorizedError(reason: string): PartlineError {
  return new PartlineError("UNAUTHORIZED", reason);
}

/** @param scope that the credential lacks; without one, the route is for users, or for those who may do everything */
export function createForbiddenError(scope: Scope | undefined): PartlineError {
  return new PartlineError(
    "FORBIDDEN",
    scope === undefined ? "This needs a user's token" : `This needs the role admin, or the scope ${scope}`,
  );
}
