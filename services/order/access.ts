import { type Caller, assertIsUser, requireUser } from "../../broker/contract/context.ts";
import { hasScope } from "../../broker/contract/scopes.ts";
import { PartlineError } from "../../mixins/errors.ts";

/** Lets an order's owner and admins pass; no token owns an order of `guest`. @throws UNAUTHORIZED, FORBIDDEN */
export function assertMayUse(caller: Caller, ownerId: string): void {
  const refusal = "This belongs to another user";
  assertIsUser(caller, ownerId, refusal);
  if (!caller.admin && ownerId === "guest") throw new PartlineError("FORBIDDEN", refusal);
}

/** @throws UNAUTHORIZED */
export function assertKnown(caller: Caller): void {
  if (!caller.admin) requireUser(caller);
}

/** An update that cancels refunds too, which its route's scope does not say. @throws FORBIDDEN */
export function assertMayRefund(caller: Caller): void {
  if (!hasScope(caller, "orders:refund"))
    throw new PartlineError("FORBIDDEN", "Cancelling needs the role admin or the scope orders:refund");
}

/** Asserts that only admins set adminNote and forceCancel; an empty note and false count as unset. @throws FORBIDDEN */
export function assertMaySetAdminFields(caller: Caller, fields: { adminNote?: string; forceCancel: boolean }): void {
  if (caller.admin) return;
  const field = fields.adminNote ? "adminNote" : fields.forceCancel ? "forceCancel" : undefined;
  if (field) throw new PartlineError("FORBIDDEN", `The '${field}' field is for admins`);
}
