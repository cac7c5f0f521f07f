import type { IncomingHttpHeaders } from "node:http";
import type { Caller } from "../../broker/contract/context.ts";
import type { EntryPoint, HttpRoute } from "../../broker/contract/define.ts";
import type { Settings } from "../../broker/settings.ts";
import { isForeignPage, plainAccess, requireAccess, requireOneOf } from "./access.ts";
import { bearerToken, digestOf, hasAdminToken, sessionId } from "./headers.ts";
import { createKeySet } from "./key-set.ts";
import { createTokenVerifier } from "./token-verifier.ts";

export interface AuthenticationInput extends Pick<HttpRoute, "access" | "session" | "credentials"> {
  headers: IncomingHttpHeaders;
  /** `node`: the process's own health port. */
  entry: EntryPoint | "node";
}

export interface Authenticator {
  /**
   * Returns the caller. A credential is verified, and refused if bad, unless the route is public.
   * @throws UNAUTHORIZED, FORBIDDEN, VALIDATION_FAILED (X-Session-Id), PROVIDER_ERROR (the identity provider's keys are
   * unavailable)
   */
  authenticate(input: AuthenticationInput): Promise<Caller>;
  close(): void;
}

interface AuthenticatorDeps {
  logger: { warn(message: string): void };
  /** Milliseconds since 1970; the system's clock unless given. */
  now?: () => number;
  /** Longest wait for the identity provider's keys, milliseconds. */
  timeoutMs?: number;
}

export function createAuthenticator(
  settings: Pick<Settings, "adminToken" | "loopback" | "production"> & {
    identity: Omit<Settings["identity"], "signIn">;
  },
  { logger, now = Date.now, timeoutMs = 3_000 }: AuthenticatorDeps,
): Authenticator {
  const { jwksUrl, issuer, audience, authorizedParties } = settings.identity;
  const keys = createKeySet({
    url: jwksUrl,
    now,
    timeoutMs,
    onFailure: (reason) => logger.warn(`The identity provider's keys cannot be fetched: ${reason}`),
  });
  const verify = createTokenVerifier({ keys, issuer, audience, authorizedParties, now });
  const adminTokenDigest = digestOf(settings.adminToken);

  return {
    authenticate: async ({ headers, access, entry, session, credentials }) => {
      const needed = plainAccess(access, entry, settings);
      const caller: Caller = { admin: false };
      if (needed !== "none" && (needed !== "local" || isForeignPage(headers))) {
        const adminToken = hasAdminToken(headers, adminTokenDigest);
        const token = bearerToken(headers);
        const user = token === undefined ? undefined : await verify(token);
        requireAccess(needed, { user, adminToken });
        caller.admin = adminToken || user?.role === "admin";
        if (user) caller.user = user;
      }
      const guest = session ? sessionId(headers) : undefined;
      if (guest !== undefined) caller.sessionId = guest;
      if (credentials) requireOneOf(credentials, caller);
      return caller;
    },
    close: () => keys.close(),
  };
}
