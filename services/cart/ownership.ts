import { assertIsUser, type Caller } from "../../broker/contract/context.ts";
import { PartlineError } from "../../mixins/errors.ts";

const FOREIGN = "This cart belongs to someone else";
const SESSION_PREFIX = "session:";

/** Whom a saved cart belongs to: its user, else its session, else whoever has its id. */
export interface CartOwner {
  userId?: string;
  sessionId?: string;
}

/**
 * Whether the caller may read, delete or check out a saved cart. Source: design, Carts; spec, section 5, rule 5.
 * @throws UNAUTHORIZED for a user's cart without a token, FORBIDDEN for another's cart
 */
export function assertMayUse(caller: Caller, owner: CartOwner): void {
  if (owner.userId !== undefined) assertIsUser(caller, owner.userId, FOREIGN);
  else if (owner.sessionId !== undefined && owner.sessionId !== caller.sessionId && !caller.admin)
    throw new PartlineError("FORBIDDEN", FOREIGN);
}

/**
 * Whether the caller may save a cart for this owner. Whoever knows a session's id may save for it, so the header need
 * not be sent again; one that contradicts the body is refused.
 * @throws UNAUTHORIZED, FORBIDDEN
 */
export function assertMaySave(caller: Caller, owner: CartOwner): void {
  if (owner.userId !== undefined || caller.sessionId !== undefined) assertMayUse(caller, owner);
}

/** Ids of own carts: the one to work on, and the guest's one whose lines move into it first. */
export interface OwnCartKeys {
  cart: string;
  absorb?: string;
}

/**
 * The own cart of the token's user, else of the session.
 * @throws UNAUTHORIZED with neither
 */
export function ownCartOf({ user, sessionId }: Caller): OwnCartKeys {
  const session = sessionId === undefined ? undefined : sessionCartKey(sessionId);
  if (user) return { cart: userCartKey(user.sub), absorb: session };
  if (session === undefined) throw new PartlineError("UNAUTHORIZED", "Missing Authorization or X-Session-Id header");
  return { cart: session };
}

/** A user's own cart as that user or an admin sees it; only the user's own session moves into it. */
export function userCartOf(caller: Caller, userId: string): OwnCartKeys {
  assertIsUser(caller, userId, FOREIGN);
  return caller.user?.sub === userId ? ownCartOf(caller) : { cart: userCartKey(userId) };
}

export function userCartKey(userId: string): string {
  return `user:${userId}`;
}

function sessionCartKey(sessionId: string): string {
  return `${SESSION_PREFIX}${sessionId}`;
}

/** Whether the own cart of this key is a guest's. */
export function isGuestCart(key: string): boolean {
  return key.startsWith(SESSION_PREFIX);
}
