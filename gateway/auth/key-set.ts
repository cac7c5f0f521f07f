import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from "jose";
import { PartlineError } from "../../mixins/errors.ts";

/** Loads the public keys of the tokens that the shop signs itself. */
export type LoadOwnKeys = () => Promise<object>;

/** Stands for an address where there is none; nothing is asked there. */
const OWN_KEYS_URL = "http://own-keys.invalid/";

interface KeySetOptions {
  /** Address of a provider's keys, or what loads the shop's own. */
  source: string | LoadOwnKeys;
  now: () => number;
  timeoutMs: number;
  onFailure: (reason: string) => void;
}

/** Older keys are fetched again, so that withdrawn ones stop counting, and serve meanwhile. */
const FRESH_MS = 5 * 60_000;
/** How long keys serve without the identity provider. */
const USABLE_MS = 24 * 3_600_000;
/** Between fetches for an unknown `kid`, and between tries to refresh: a stranger's token can cause no more. */
const COOLDOWN_MS = 30_000;
const RETRY_MS = 1_000;

/**
 * Returns what finds the key of a token's `kid`, for jose. The identity provider's public keys are fetched at first
 * use, and refreshed after five minutes or for an unknown `kid`. Beyond jose, failed fetches count for the cooldown
 * too, and keys outlive an outage. It throws PROVIDER_ERROR if it is not known whether there is such a key.
 */
export function createKeySet({ source, now, timeoutMs, onFailure }: KeySetOptions): JWTVerifyGetKey {
  const remote = createRemoteJWKSet(new URL(typeof source === "string" ? source : OWN_KEYS_URL), {
    timeoutDuration: timeoutMs,
    cooldownDuration: Infinity,
    cacheMaxAge: Infinity,
    ...(typeof source === "function" && { [customFetch]: async () => Response.json(await source()) }),
  });
  let loadedAt = -Infinity;
  let triedAt = -Infinity;
  let lastTryFailed = false;
  let unknownKidAt = -Infinity;
  let loads = 0;
  let pending: Promise<boolean> | undefined;

  async function load(): Promise<boolean> {
    triedAt = now();
    try {
      await remote.reload();
      loadedAt = now();
      loads += 1;
      lastTryFailed = false;
    } catch (error) {
      lastTryFailed = true;
      onFailure(toReason(error));
    }
    return !lastTryFailed;
  }

  /** Returns whether a try, at most `gapMs` ago, fetched the keys. */
  function refresh(gapMs: number): Promise<boolean> {
    if (!pending && now() - triedAt < gapMs) return Promise.resolve(!lastTryFailed);
    return (pending ??= load().finally(() => (pending = undefined)));
  }

  async function refreshForUnknownKid(): Promise<boolean> {
    if (!pending) {
      if (now() - unknownKidAt < COOLDOWN_MS) return !lastTryFailed;
      unknownKidAt = now();
    }
    return refresh(0);
  }

  return async (header, token) => {
    if (!header.kid) throw new errors.JWKSNoMatchingKey();
    const loadsBefore = loads;
    const age = now() - loadedAt;
    if (age > USABLE_MS) {
      if (!(await refresh(RETRY_MS))) throw createUnreachableError();
    } else if (age > FRESH_MS) {
      void refresh(COOLDOWN_MS);
    }
    try {
      return await remote(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || loads !== loadsBefore) throw error;
      if (!(await refreshForUnknownKid())) throw createUnreachableError();
      return remote(header, token);
    }
  };
}

function createUnreachableError(): PartlineError {
  return new PartlineError("PROVIDER_ERROR", "The identity provider's keys cannot be fetched");
}

function toReason(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const cause = error.cause instanceof Error ? error.cause : undefined;
  const code = cause && "code" in cause ? cause.code : "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : error.name;
}
