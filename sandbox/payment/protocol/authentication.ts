import { createHash, timingSafeEqual } from "node:crypto";

import { ApiError } from "./errors.ts";

/**
 * Throws 401 unless the `Authorization` header carries the account's secret key, as Bearer or as the user name of
 * Basic.
 */
export function assertSecretKey(header: string | undefined, secretKey: string): void {
  const given = keyIn(header);
  if (given === undefined) {
    const message =
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').";
    throw new ApiError(401, { type: "invalid_request_error", message }, "validation");
  }
  if (timingSafeEqual(digest(given), digest(secretKey))) return;
  const message = `Invalid API Key provided: ${masked(given)}`;
  throw new ApiError(401, { type: "invalid_request_error", message }, "validation");
}

function keyIn(header: string | undefined): string | undefined {
  const [, scheme = "", credentials = ""] = /^(\w+)\s+(\S+)$/.exec(header?.trim() ?? "") ?? [];
  if (scheme.toLowerCase() === "bearer") return credentials;
  if (scheme.toLowerCase() === "basic")
    return Buffer.from(credentials, "base64").toString("utf8").split(":")[0] || undefined;
  return undefined;
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function masked(key: string): string {
  const shown = key.startsWith("sk_test_") ? "sk_test_" : "";
  return (
    shown +
    "*".repeat(Math.max(4, Math.min(key.length - shown.length - 4, 24))) +
    (key.length > 12 ? key.slice(-4) : "")
  );
}
