import type { Caller } from "../../broker/contract/context.ts";
import { PartlineError } from "../../broker/errors.ts";

/** A customer belongs to its user; an admin may. @throws FORBIDDEN. Source: spec, section 5, rule 5. */
export function assertOwner(caller: Caller, { userId }: { userId: string }): void {
  if (!caller.admin && caller.user?.sub !== userId) throw new PartlineError("FORBIDDEN", "This customer belongs to another user");
}

/** The user of the caller's token. @throws UNAUTHORIZED without one */
export function userIdOf({ user }: Caller): string {
  if (!user) throw new PartlineError("UNAUTHORIZED", "Missing Authorization header");
  return user.sub;
}
