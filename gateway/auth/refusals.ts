import { PartlineError } from "../../mixins/errors.ts";

/** Every reason for a 401, from the design's table. */
export type UnauthorizedReason =
  | "Missing Authorization header"
  | "Missing Authorization or X-Session-Id header"
  | "Invalid token"
  | "Token expired"
  | "Invalid token origin"
  | "Invalid token audience"
  | "Missing Authorization or X-Admin-Token header"
  | "Missing X-Admin-Token header"
  | "Invalid admin token";

export function unauthorized(reason: UnauthorizedReason): PartlineError {
  return new PartlineError("UNAUTHORIZED", reason);
}

export function forbidden(reason = "This needs the role admin"): PartlineError {
  return new PartlineError("FORBIDDEN", reason);
}
