import { hash } from "node:crypto";

export const KEY_PREFIX = "pl_live_";

export function digestOfKey(key: string): string {
  return hash("sha256", key, "base64url");
}
