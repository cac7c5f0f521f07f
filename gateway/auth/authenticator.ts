import type { IncomingHttpHeaders } from "node:http";
import type { ServiceBroker } from "moleculer";
import type { Caller, CallMeta } from "../../broker/contract/context.ts";
import { type EntryPoint, type HttpRoute, isApp, type Access } from "../../broker/contract/define.ts";
import { holds, type Scope } from "../../broker/contract/scopes.ts";
import { throttledWarning } from "../../broker/logging.ts";
import type { Settings } from "../../broker/settings.ts";
import { PartlineError } from "../../mixins/errors.ts";
import { isForeignOrigin, isLoopbackHost } from "../../mixins/this-machine.ts";
import { call } from "../../services/contracts.ts";
import type { ClientAddress } from "../client-address.ts";
import type { Page } from "../pages.ts";
import { exchangeOf, type EdgeRequest } from "../request/edge-request.ts";
import { bearerToken, digestOf, forbidden, hasAdminToken, sessionId, unauthorized } from "./headers.ts";
import { createKeySet } from "./key-set.ts";
import { createKnownKeys, isKey, type FindKey } from "./known-keys.ts";
import { createTokenVerifier } from "./token-verifier.ts";

export interface AuthenticationInput extends Pick<HttpRoute, "access" | "scope" | "session" | "credentials"> {
  headers: IncomingHttpHeaders;
  entry: EntryPoint | "node";
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

interface AuthenticatorDeps {
  logger: { warn(message: string): void };
  findKey: FindKey;
  /** For tests. */
  now?: () => number;
  timeoutMs?: number;
}

export function createAuthenticator(
  settings: Pick<Settings, "adminToken" | "loopback" | "production"> & {
    identity: Omit<Settings["identity"], "signIn">;
  },
  { logger, findKey, now = Date.now, timeoutMs = 3_000 }: AuthenticatorDeps,
) {
  const { jwksUrl, issuer, audience, authorizedParties } = settings.identity;
  const keys = createKeySet({
    url: jwksUrl,
    now,
    timeoutMs,
    onFailure: (reason) => logger.warn(`The identity provider's keys cannot be fetched: ${reason}`),
  });
  const verify = createTokenVerifier({ keys, issuer, audience, authorizedParties, now });
  const keyOf = createKnownKeys(findKey, now);
  const adminTokenDigest = digestOf(settings.adminToken);

  return {
    /**
     * Verifies the credential, unless the route is public.
     * @throws UNAUTHORIZED, FORBIDDEN, VALIDATION_FAILED (X-Session-Id), PROVIDER_ERROR (the identity provider's keys),
     * SERVICE_UNAVAILABLE or TIMEOUT (the access service)
     */
    async authenticate(input: AuthenticationInput): Promise<Caller> {
      const { headers, access, scope, entry, session, credentials } = input;
      const needed = plainAccess(access, entry, settings);
      const caller: Caller = { admin: false };
      if (needed !== "none") {
        if (hasAdminToken(headers, adminTokenDigest)) caller.adminToken = true;
        const token = bearerToken(headers);
        if (token !== undefined && isKey(token)) caller.key = await keyOf(token);
        else if (token !== undefined) caller.user = await verify(token);
        caller.admin = holds(caller, scope);
        // Programs of this machine need none, but the audit stream names who it was.
        if (needed !== "local" || isForeignPage(headers)) requireAccess(needed, scope, caller);
      }
      const guest = session ? sessionId(headers) : undefined;
      if (guest !== undefined) caller.sessionId = guest;
      if (credentials) requireOneOf(credentials, caller);
      return caller;
    },
    close: (): void => keys.close(),
  };
}

/** `local`: programs of this machine except foreign web pages; staff from anywhere. */
export type PlainAccess = Exclude<Access, "internal"> | "local";

/**
 * `internal`: with a loopback HOST outside production, programs of this machine need no credential on an entry point's
 * own address. Elsewhere staff need the scope; the 401 names X-Admin-Token, as operators have no user's token.
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

/** Whether a page of another origin sent a request: by Sec-Fetch-Site, else by Origin. */
export function isFromForeignPage(headers: IncomingHttpHeaders): boolean {
  const site = [headers["sec-fetch-site"] ?? []].flat()[0];
  return site === undefined ? isForeignOrigin(headers.origin, headers.host) : !["same-origin", "none"].includes(site);
}

/**
 * A foreign page can make its browser send requests here and, under a host name of its own that leads here, read the
 * answers. Origin counts too: Sec-Fetch-Site is `none` for an extension's requests.
 */
function isForeignPage(headers: IncomingHttpHeaders): boolean {
  const { host, origin } = headers;
  return !isLoopbackHost(host) || isForeignOrigin(origin, host) || isFromForeignPage(headers);
}

/**
 * Refuses insufficient credentials. A customer's token is 403 where staff's is needed.
 * @throws UNAUTHORIZED, FORBIDDEN
 */
function requireAccess(access: PlainAccess, scope: Scope | undefined, caller: Caller): void {
  switch (access) {
    case "none":
      return;
    case "optional":
      // As a guest, it would be refused for a missing credential.
      if (caller.key && scope && !caller.admin) throw forbidden(scope);
      return;
    case "user":
      if (caller.user || (caller.key && caller.admin)) return;
      if (caller.key) throw forbidden(scope);
      throw unauthorized("Missing Authorization header");
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
      if (caller.user || caller.key) throw forbidden(scope);
      throw unauthorized(
        access === "admin" ? "Missing Authorization or X-Admin-Token header" : "Missing X-Admin-Token header",
      );
  }
}

/** Refuses a request without any of the credentials that an `optional` route takes. @throws UNAUTHORIZED */
function requireOneOf(accepted: NonNullable<HttpRoute["credentials"]>, { user, key, admin, sessionId }: Caller): void {
  const sent = {
    bearer: user !== undefined || key !== undefined,
    adminToken: admin,
    sessionId: sessionId !== undefined,
  };
  if (accepted.some((credential) => sent[credential])) return;
  throw unauthorized(
    accepted.includes("sessionId") ? "Missing Authorization or X-Session-Id header" : "Missing Authorization header",
  );
}

interface PageAccessDeps {
  broker: ServiceBroker;
  authenticator: Pick<Authenticator, "authenticate">;
  clientOf: ClientAddress;
  entry: EntryPoint | "node";
}

/**
 * Returns what lets in who may see a page. A use of the admin token is audited beside the answer: metrics are there
 * without the audit stream.
 */
export function createPageAccess({ broker, authenticator, clientOf, entry }: PageAccessDeps) {
  const warn = throttledWarning(broker.logger, "A page's use by the admin token could not be recorded");
  return async (req: EdgeRequest, { access = "none", scope }: Page): Promise<void> => {
    const caller = await authenticator.authenticate({ headers: req.headers, access, scope, entry });
    if (!caller.adminToken) return;
    const { requestId, path: page } = exchangeOf(req);
    const meta: CallMeta = { caller, client: clientOf(req), audit: true };
    call(broker, "access.usePage", { page }, { meta, requestID: requestId }).catch(warn);
  };
}
