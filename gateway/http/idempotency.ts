import type { Caller } from "../../broker/contract/context.ts";
import type { OnceRequest } from "@partline/moleculer-kit";
import { computeDigest } from "@partline/toolkit";
import { validationFailed } from "../../mixins/errors.ts";
import type { EdgeRequest } from "@partline/http-edge";
import type { Route } from "./routes.ts";

const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Returns what an Idempotency-Key makes of a request; undefined without a key, and for routes that take none. Keys of
 * different callers have nothing in common; all without a credential or a session are one. @throws VALIDATION_FAILED
 */
export function toOnceRequest(
  { headers }: EdgeRequest,
  { definition, action }: Route,
  caller: Caller,
  params: unknown,
): OnceRequest | undefined {
  const key = headers["idempotency-key"];
  if (!definition.once || key === undefined) return undefined;
  if (typeof key !== "string" || !KEY.test(key))
    throw validationFailed({
      field: "Idempotency-Key",
      message: "The 'Idempotency-Key' header must have 1 to 255 visible ASCII characters.",
    });
  const scope = [
    caller.user?.sub ?? caller.key?.keyId ?? null,
    caller.admin,
    caller.user ? null : (caller.sessionId ?? null),
    key,
  ];
  return {
    id: computeDigest(["id", ...scope]),
    secret: computeDigest(["secret", ...scope]),
    request: computeDigest([action, params]),
  };
}
