import type { TokenUser } from "../../broker/contract/context.ts";
import type { Access, EntryPoint } from "../../broker/contract/define.ts";
import type { Settings } from "../../broker/settings.ts";
import { forbidden, unauthorized } from "./refusals.ts";

/** What was sent with a request and found valid. */
export interface Credentials {
  user?: TokenUser;
  adminToken: boolean;
}

export type PlainAccess = Exclude<Access, "internal">;

/** `internal` is open on its own address of a machine that only its user reaches, and the admin's everywhere else. */
export function plainAccess(access: Access, entry: EntryPoint, settings: Pick<Settings, "loopback" | "production">): PlainAccess {
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
