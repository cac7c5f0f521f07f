import { hash } from "node:crypto";

/** What a system's key begins with. */
export const KEY_PREFIX = "pl_live_";

/** Under this hash a key is kept. */
export function hashKey(key: string): string {
  return hash("sha256", key, "base64url");
}
