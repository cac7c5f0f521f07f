import { assertIsUser, type Caller } from "../../broker/contract/context.ts";
import { PartlineError } from "../../mixins/errors.ts";

const FOREIGN = "This checkout belongs to someone else";

/** Who may use a checkout: its user and the guest session of its cart; with neither, everyone who has its id. */
export interface Owner {
  userId?: string;
  sessionId?: string;
}

/** A user's saved cart has no other owner; a guest's cart also belongs to the customer who checks it out. */
export function ownerOf(cart: Owner | null, customerId: string | undefined): Owner {
  const userId = cart?.userId ?? customerId;
  const sessionId = cart?.userId === undefined ? cart?.sessionId : undefined;
  return { ...(userId === undefined ? {} : { userId }), ...(sessionId === undefined ? {} : { sessionId }) };
}

/**
 * Refuses a caller who may not see or repeat a checkout. Source: design, Carts and Checkout; spec, section 5, rule 5.
 * @throws UNAUTHORIZED without the user's token, FORBIDDEN for another's checkout
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
