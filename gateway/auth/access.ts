import type { IncomingHttpHeaders } from "node:http";
import type { Caller } from "../../broker/contract/context.ts";
import { type Access } from "@partline/api-contracts";
import { isApp, type EntryPoint, type HttpRoute } from "../../broker/contract/define.ts";
import type { Scope } from "../../broker/contract/scopes.ts";
import type { Settings } from "../../broker/settings.ts";
import { PartlineError } from "../../mixins/errors.ts";
import { isForeignOrigin, isLoopbackHost } from "@partline/toolkit";
import { createForbiddenError, createUnauthorizedError } from "./headers.ts";

/** `local`: programs of this machine except foreign web pages; staff from anywhere. */
export type PlainAccess = Exclude<Access, "internal"> | "local";

/**
 * `internal`: on an entry point's own address, with a loopback HOST outside production, programs of this machine need
 * no credential. Elsewhere staff need the scope. The 401 names X-Admin-Token, because operators have no token of the
 * identity provider.
 */
export function toPlainAccess(
  access: Access,
  entry: EntryPoint | "node",
  settings: Pick<Settings, "loopback" | "production">,
): PlainAccess {
  if (access !== "internal") return access;
  const isForProgramsHere = entry !== "gateway" && (entry === "node" || !isApp(entry));
  return isForProgramsHere && settings.loopback && !settings.production ? "local" : "admin-token";
}

/** Returns whether a page of another origin sent a request: by Sec-Fetch-Site, else by Origin. */
export function isFromForeignPage(headers: IncomingHttpHeaders): boolean {
  const site = [headers["sec-fetch-site"] ?? []].flat()[0];
  return site === undefined ? isForeignOrigin(headers.origin, headers.host) : !["same-origin", "none"].includes(site);
}

/**
 * A foreign page can make its browser send requests here and, under a host name of its own that leads here, read the
 * answers. Origin counts besides Sec-Fetch-Site, which is `none` for an extension's requests.
 */
export function isForeignPage(headers: IncomingHttpHeaders): boolean {
  const { host, origin } = headers;
  return !isLoopbackHost(host) || isForeignOrigin(origin, host) || isFromForeignPage(headers);
}

/**
 * Refuses insufficient credentials and, for `local`, foreign pages. A customer's token is 403 where staff's is needed.
 * @throws UNAUTHORIZED, FORBIDDEN
 */
export function requireAccess(access: PlainAccess, scope: Scope | undefined, caller: Caller): void {
  switch (access) {
    case "none":
      return;
    case "optional":
      // Refuses a key without the scope here; treated as a guest, it would be refused for a missing credential.
      if (caller.key && scope && !caller.admin) throw createForbiddenError(scope);
      return;
    case "user":
      if (caller.user || (caller.key && caller.admin)) return;
      if (caller.key) throw createForbiddenError(scope);
      throw createUnauthorizedError("Missing Authorization header");
    case "local":
      if (caller.admin) return;
      throw new PartlineError(
        "FORBIDDEN",
        "This is for programs of this machine: it takes a loopback name as Host and no page of another origin, or a " +
          `credential with the scope ${scope}`,
      );
    case "admin":
    case "admin-token":
      if (caller.admin) return;
      if (caller.user || caller.key) throw createForbiddenError(scope);
      throw createUnauthorizedError(
        access === "admin" ? "Missing Authorization or X-Admin-Token header" : "Missing X-Admin-Token header",
      );
  }
}

/** Refuses a request without any of the credentials that an `optional` route takes. @throws UNAUTHORIZED */
export function requireCredential(
  accepted: NonNullable<HttpRoute["credentials"]>,
  { user, key, admin, sessionId }: Caller,
): void {
  const sentCredentials = {
    bearer: user !== undefined || key !== undefined,
    adminToken: admin,
    sessionId: sessionId !== undefined,
  };
  if (accepted.some((credential) => sentCredentials[credential])) return;
  throw createUnauthorizedError(
    accepted.includes("sessionId") ? "Missing Authorization or X-Session-Id header" : "Missing Authorization header",
  );
}
