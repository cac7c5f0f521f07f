import { createHmac, createSecretKey, hkdfSync, timingSafeEqual, type KeyObject } from "node:crypto";

/** Stands in for a secret while nodes get their first one: unsigned messages are sent (as the first) or accepted. */
export const UNSIGNED = "unsigned";

export const MAC_BYTES = 32;

/** Signs messages with the first secret, and checks them with any of the secrets. */
export interface ClusterSecret {
  /** Undefined: messages are sent unsigned. */
  sign: ((...parts: readonly (Buffer | string)[]) => Buffer) | undefined;
  acceptsUnsigned: boolean;
  isValid(mac: Uint8Array, ...parts: readonly (Buffer | string)[]): boolean;
}

/**
 * Returns the keys of one purpose. Two secrets at once are a rotation: the new one is added as the second, then made
 * the first, then the old one is dropped, each time on all nodes.
 * @param secrets without any, nothing is signed or checked
 */
export function createClusterSecret(secrets: readonly string[], namespace: string, purpose: string): ClusterSecret {
  // Of a key's bytes, each HMAC would make an object of its own, which takes four times as long.
  const toKey = (secret: string): KeyObject =>
    createSecretKey(Buffer.from(hkdfSync("sha256", secret, namespace, `partline ${purpose}`, MAC_BYTES)));
  const keys = secrets.filter((secret) => secret !== UNSIGNED).map(toKey);
  const computeMac = (key: KeyObject, parts: readonly (Buffer | string)[]): Buffer => {
    const mac = createHmac("sha256", key);
    for (const part of parts) mac.update(part);
    return mac.digest();
  };
  const [first] = keys;
  return {
    sign: first && secrets[0] !== UNSIGNED ? (...parts) => computeMac(first, parts) : undefined,
    acceptsUnsigned: secrets.length === 0 || secrets.includes(UNSIGNED),
    isValid: (mac, ...parts) =>
      mac.length === MAC_BYTES && keys.some((key) => timingSafeEqual(mac, computeMac(key, parts))),
  };
}
