import { hash } from "node:crypto";

/** Prefix of a system's key. */
export const KEY_PREFIX = "pl_live_";

/** Hashes a key; the hash is its id in the store. */
export function hashKey(key: string): string {
  return hash("sha256", key, "base64url");
}
