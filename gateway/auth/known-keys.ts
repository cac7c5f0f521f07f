import { LRUCache } from "lru-cache";
import type { ServiceBroker } from "moleculer";
import type { ApiKey } from "../../broker/contract/context.ts";
import { hashKey, KEY_PREFIX } from "../../broker/contract/keys.ts";
import { call } from "../../services/contracts.ts";
import { createUnauthorizedError } from "./headers.ts";
import type { LoadOwnKeys } from "./key-set.ts";

export type FoundKey = ApiKey & { expiresAt: Date | null };

/** Finds a key by its hash; null if it does not exist or is revoked. */
export type FindKey = (hash: string) => Promise<FoundKey | null>;

const WITHIN_MS = 3_000;

/** Loads the keys of tokens that the shop signs itself (IDENTITY_MODE=mail). */
export function createKeyLoader(broker: ServiceBroker): LoadOwnKeys {
  return () => call(broker, "user.listSigningKeys", {}, { timeout: WITHIN_MS });
}

/** Finds keys by the access service. */
export function createKeyFinder(broker: ServiceBroker): FindKey {
  return async (hash) => (await call(broker, "access.findKey", { hash }, { timeout: WITHIN_MS })).key;
}

/**
 * How long a found key is trusted, in milliseconds from when the question was sent; a revoked key ends so within five
 * seconds on every node.
 */
const KNOWN_MS = 4_000;
const REMEMBERED_KEYS = 10_000;

export function isKey(token: string): boolean {
  return token.startsWith(KEY_PREFIX);
}

/**
 * Returns what verifies a key. Only a key that was found is remembered: a new one serves at once, and a revoked one
 * ends also while the access service is away.
 */
export function createKnownKeys(find: FindKey, now: () => number): (token: string) => Promise<ApiKey> {
  const cachedKeys = new LRUCache<string, { key: FoundKey; until: number }>({ max: REMEMBERED_KEYS });
  const pendingKeys = new Map<string, Promise<FoundKey>>();

  async function ask(hash: string): Promise<FoundKey> {
    const until = now() + KNOWN_MS;
    const key = await find(hash);
    if (!key) {
      cachedKeys.delete(hash);
      throw createUnauthorizedError("Invalid key");
    }
    cachedKeys.set(hash, { key, until });
    return key;
  }

  function askOnce(hash: string): Promise<FoundKey> {
    const asking = pendingKeys.get(hash) ?? ask(hash).finally(() => pendingKeys.delete(hash));
    pendingKeys.set(hash, asking);
    return asking;
  }

  return async (token) => {
    const hash = hashKey(token);
    const cachedKey = cachedKeys.get(hash);
    const { keyId, scopes, expiresAt } = cachedKey && now() < cachedKey.until ? cachedKey.key : await askOnce(hash);
    if (expiresAt && now() >= expiresAt.getTime()) throw createUnauthorizedError("Key expired");
    return { keyId, scopes };
  };
}
