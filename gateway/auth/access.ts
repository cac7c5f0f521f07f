import type { Caller, TokenUser } from "../../broker/contract/context.ts";
import type { Access, EntryPoint, HttpRoute } from "../../broker/contract/define.ts";
import type { Settings } from "../../broker/settings.ts";
import { forbidden, unauthorized } from "./refusals.ts";

/** What was sent with a request and found valid. */
export interface Credentials {
  user?: TokenUser;
  adminToken: boolean;
}

export type PlainAccess = Exclude<Access, "internal">;

/** `internal` is open on its own address of a machine that only its user reaches, and the admin's everywhere else. */
export function plainAccess(access: Access, entry: EntryPoint | "node", settings: Pick<Settings, "loopback" | "production">): PlainAccess {
  if (access !== "internal") return access;
  return entry !== "gateway" && settings.loopback && !settings.production ? "none" : "admin";
}

/**
 * Refuses credentials that do not suffice. A token with role admin opens what X-Admin-Token opens; a customer's is 403 there.
 * @throws UNAUTHORIZED, FORBIDDEN
 */
export function requireAccess(access: PlainAccess, { user, adminToken }: Credentials): void {
  switch (access) {
    case "none":
    case "optional":
      return;
    case "user":
      if (!user) throw unauthorized("Missing Authorization header");
      return;
    case "admin":
    case "admin-token":
      if (adminToken || user?.role === "admin") return;
      if (user) throw forbidden();
      throw unauthorized(access === "admin" ? "Missing Authorization header" : "Missing X-Admin-Token header");
  }
}

/**
 * Refuses who sent none of the credentials that a route with access `optional` takes, in the words of the service behind it.
 * @throws UNAUTHORIZED
 */
export function requireOneOf(accepted: NonNullable<HttpRoute["credentials"]>, { user, admin, sessionId }: Caller): void {
  const sent = { bearer: user !== undefined, adminToken: admin, sessionId: sessionId !== undefined };
  if (accepted.some((credential) => sent[credential])) return;
  throw unauthorized(accepted.includes("sessionId") ? "Missing Authorization or X-Session-Id header" : "Missing Authorization header");
}
