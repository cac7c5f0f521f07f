import type { IncomingHttpHeaders } from "node:http";
import type { Caller, TokenUser } from "../../broker/contract/context.ts";
import { isApp, type Access, type EntryPoint, type HttpRoute } from "../../broker/contract/define.ts";
import type { Settings } from "../../broker/settings.ts";
import { isForeignOrigin, isLoopbackHost } from "../../mixins/this-machine.ts";
import { forbidden, unauthorized } from "./headers.ts";

/** Valid credentials of a request. */
export interface Credentials {
  user?: TokenUser;
  adminToken: boolean;
}

/** `local`: programs of this machine except foreign web pages; admins from anywhere. */
export type PlainAccess = Exclude<Access, "internal"> | "local";

/**
 * `internal` is `local` on its own address of a machine that only its user reaches, and for admins elsewhere, on the
 * gateway and on apps: operators have no token of the identity provider.
 */
export function plainAccess(
  access: Access,
  entry: EntryPoint | "node",
  settings: Pick<Settings, "loopback" | "production">,
): PlainAccess {
  if (access !== "internal") return access;
  const isForProgramsHere = entry !== "gateway" && (entry === "node" || !isApp(entry));
  return isForProgramsHere && settings.loopback && !settings.production ? "local" : "admin-token";
}

/**
 * A foreign page can make its browser send requests here and, under a host name of its own that leads here, read the
 * answers.
 */
export function isForeignPage({ host, origin }: Pick<IncomingHttpHeaders, "host" | "origin">): boolean {
  return !isLoopbackHost(host) || isForeignOrigin(origin, host);
}

/**
 * Refuses insufficient credentials and, for `local`, foreign pages. A token with role admin opens what X-Admin-Token
 * opens; a customer's is 403 there.
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
    case "local":
      if (adminToken || user?.role === "admin") return;
      throw forbidden(
        "This is for programs of this machine: it takes a loopback name as Host and no foreign Origin, or an admin's credential",
      );
    case "admin":
    case "admin-token":
      if (adminToken || user?.role === "admin") return;
      if (user) throw forbidden();
      throw unauthorized(
        access === "admin" ? "Missing Authorization or X-Admin-Token header" : "Missing X-Admin-Token header",
      );
  }
}

/** Refuses a request without any of the credentials that an `optional` route takes. @throws UNAUTHORIZED */
export function requireOneOf(
  accepted: NonNullable<HttpRoute["credentials"]>,
  { user, admin, sessionId }: Caller,
): void {
  const sent = { bearer: user !== undefined, adminToken: admin, sessionId: sessionId !== undefined };
  if (accepted.some((credential) => sent[credential])) return;
  throw unauthorized(
    accepted.includes("sessionId") ? "Missing Authorization or X-Session-Id header" : "Missing Authorization header",
  );
}
