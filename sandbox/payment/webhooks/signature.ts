import { createHmac } from "node:crypto";

/**
 * The `Stripe-Signature` header of a payload: `t` is the unix second of signing, `v1` the HMAC-SHA-256 of
 * `{t}.{payload}` in hex.
 */
export function signatureHeader(payload: string, secret: string, unixSeconds: number): string {
  const signature = createHmac("sha256", secret).update(`${unixSeconds}.${payload}`).digest("hex");
  return `t=${unixSeconds},v1=${signature}`;
}
