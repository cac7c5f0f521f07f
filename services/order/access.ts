import type { Caller } from "../../broker/contract/context.ts";
import { PartlineError } from "../../broker/errors.ts";

/**
 * An order's owner and admins may; an order of `guest` belongs to no token.
 * @throws UNAUTHORIZED, FORBIDDEN
 */
export function assertMayUse(caller: Caller, ownerId: string): void {
  if (caller.admin) return;
  if (!caller.user) throw new PartlineError("UNAUTHORIZED", "Missing Authorization header");
  if (caller.user.sub !== ownerId || ownerId === "guest") throw new PartlineError("FORBIDDEN", "This belongs to another user");
}

/** @throws UNAUTHORIZED */
export function assertKnown(caller: Caller): void {
  if (!caller.admin && !caller.user) throw new PartlineError("UNAUTHORIZED", "Missing Authorization header");
}

/** adminNote and forceCancel are for admins. @throws FORBIDDEN */
export function assertMaySetAdminFields(caller: Caller, given: { adminNote?: string; forceCancel: boolean }): void {
  if (caller.admin) return;
  const field = given.adminNote !== undefined ? "adminNote" : given.forceCancel ? "forceCancel" : undefined;
  if (field) throw new PartlineError("FORBIDDEN", `The '${field}' field is for admins`);
}
