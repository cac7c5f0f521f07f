import { assertIsUser, type Caller } from "../../broker/contract/context.ts";
import { PartlineError } from "../../mixins/errors.ts";

const FOREIGN = "This checkout belongs to someone else";

/** Whom a checkout answers to: its user and the guest session of its cart; with neither, whoever has its id. */
export interface Owner {
  userId?: string;
  sessionId?: string;
}

/** A saved cart's user is its only owner; a guest's cart may be checked out for a customer, who then owns it too. */
export function ownerOf(cart: Owner | null, customerId: string | undefined): Owner {
  const userId = cart?.userId ?? customerId;
  const sessionId = cart?.userId === undefined ? cart?.sessionId : undefined;
  return { ...(userId === undefined ? {} : { userId }), ...(sessionId === undefined ? {} : { sessionId }) };
}

/**
 * Whether the caller may see or repeat a checkout. Source: design, Carts and Checkout; spec, section 5, rule 5.
 * @throws UNAUTHORIZED without a token where a user's is needed, FORBIDDEN for another's
 */
export function assertMayUse(caller: Caller, owner: Owner): void {
  if (caller.admin) return;
  if (owner.sessionId !== undefined && owner.sessionId === caller.sessionId) return;
  if (owner.userId !== undefined) assertIsUser(caller, owner.userId, FOREIGN);
  else if (owner.sessionId !== undefined) throw new PartlineError("FORBIDDEN", FOREIGN);
}

/** A checkout is made for its user by that user, or by an admin. @throws UNAUTHORIZED, FORBIDDEN */
export function assertMayPayFor(caller: Caller, userId: string): void {
  assertIsUser(caller, userId, FOREIGN);
}
