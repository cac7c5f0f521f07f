import type { IncomingHttpHeaders } from "node:http";
import type { Caller } from "../../broker/contract/context.ts";
import type { EntryPoint, HttpRoute } from "../../broker/contract/define.ts";
import { hasScope } from "../../broker/contract/scopes.ts";
import { memoizeByBroker } from "@partline/moleculer-kit";
import { getRuntime } from "../../broker/runtime.ts";
import type { Settings } from "../../broker/settings.ts";
import { PartlineError } from "../../mixins/errors.ts";
import { getBearerToken, computeDigest, hasAdminToken, getSessionId } from "./headers.ts";
import { createKeySet, type LoadOwnKeys } from "./key-set.ts";
import { createKeyFinder, createKeyLoader, createKnownKeys, isKey, type FindKey } from "./known-keys.ts";
import { createTokenVerifier } from "./token-verifier.ts";
import { toPlainAccess, isForeignPage, requireAccess, requireCredential } from "./access.ts";

export interface AuthenticationInput extends Pick<
  HttpRoute,
  "access" | "scope" | "session" | "credentials" | "refusesKeys"
> {
  headers: IncomingHttpHeaders;
  entry: EntryPoint | "node";
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

interface AuthenticatorDeps {
  logger: { warn(message: string): void };
  findKey: FindKey;
  /** Loads the keys of the shop's own tokens, where no provider has an address. */
  loadOwnKeys: LoadOwnKeys;
  /** For tests. */
  now?: () => number;
  timeoutMs?: number;
}

/** The authenticator of all servers of a process: it verifies a token once, and fetches the keys once. */
export const getAuthenticator = memoizeByBroker((broker) =>
  createAuthenticator(getRuntime(broker).settings, {
    logger: broker.getLogger("auth"),
    findKey: createKeyFinder(broker),
    loadOwnKeys: createKeyLoader(broker),
  }),
);

export function createAuthenticator(
  settings: Pick<Settings, "adminToken" | "loopback" | "production"> & {
    identity: Pick<Settings["identity"], "jwksUrl" | "issuer" | "audience" | "authorizedParties">;
  },
  { logger, findKey, loadOwnKeys, now = Date.now, timeoutMs = 3_000 }: AuthenticatorDeps,
) {
  const { jwksUrl, issuer, audience, authorizedParties } = settings.identity;
  const keys = createKeySet({
    source: jwksUrl ?? loadOwnKeys,
    now,
    timeoutMs,
    onFailure: (reason) => logger.warn(`The identity provider's keys cannot be fetched: ${reason}`),
  });
  const verify = createTokenVerifier({ keys, issuer, audience, authorizedParties, now });
  const keyOf = createKnownKeys(findKey, now);
  const adminTokenDigest = computeDigest(settings.adminToken);

  return {
    /**
     * Returns the caller. A credential is verified, and refused if bad, unless the route is public.
     * @throws UNAUTHORIZED, FORBIDDEN, VALIDATION_FAILED (X-Session-Id), PROVIDER_ERROR (the identity provider's keys
     * are unavailable), SERVICE_UNAVAILABLE or TIMEOUT (the access service)
     */
    async authenticate(input: AuthenticationInput): Promise<Caller> {
      const { headers, access, scope, entry, session, credentials, refusesKeys } = input;
      const needed = toPlainAccess(access, entry, settings);
      const caller: Caller = { admin: false };
      if (needed !== "none") {
        if (hasAdminToken(headers, adminTokenDigest)) caller.adminToken = true;
        const token = getBearerToken(headers);
        if (token !== undefined && isKey(token)) caller.key = await keyOf(token);
        else if (token !== undefined) caller.user = await verify(token);
        if (caller.key && refusesKeys) throw new PartlineError("FORBIDDEN", "A key cannot be used for this");
        caller.admin = hasScope(caller, scope);
        // Programs of this machine need none, but the audit stream names who it was.
        if (needed !== "local" || isForeignPage(headers)) requireAccess(needed, scope, caller);
      }
      const guest = session ? getSessionId(headers) : undefined;
      if (guest !== undefined) caller.sessionId = guest;
      if (credentials) requireCredential(credentials, caller);
      return caller;
    },
  };
}
