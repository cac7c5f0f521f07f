import { assertIsUser, type Caller } from "../../broker/contract/context.ts";
import { PartlineError } from "../../mixins/errors.ts";

const FOREIGN = "This cart belongs to someone else";
const SESSION_PREFIX = "session:";

/** Owner of a saved cart: its user, else its session, else anyone who has its id. */
export interface CartOwner {
  userId?: string;
  sessionId?: string;
}

/**
 * Returns the owner of a cart that is saved. A customer who names a session in the body alone, and so sends no header
 * by which the cart would open later, owns it by their token.
 */
export function decideOwner({ user, sessionId }: Caller, requestedOwner: CartOwner): CartOwner {
  const opensByTokenAlone =
    user?.role === "customer" && sessionId === undefined && requestedOwner.sessionId !== undefined;
  return opensByTokenAlone ? { ...requestedOwner, userId: requestedOwner.userId ?? user.sub } : requestedOwner;
}

/**
 * Refuses a caller who may not read, delete or check out a saved cart. Source: design, Carts; spec, section 5, rule 5.
 * @throws UNAUTHORIZED for a cart of a user or session without any credential, FORBIDDEN for another's cart
 */
export function assertMayUse(caller: Caller, owner: CartOwner): void {
  if (owner.userId !== undefined) assertIsUser(caller, owner.userId, FOREIGN);
  else if (owner.sessionId !== undefined && !caller.admin) assertIsSession(caller, owner.sessionId);
}

/** A client that sends its session's id in bodies alone learns which header it lacks. */
function assertIsSession({ user, sessionId }: Caller, owner: string): void {
  if (sessionId === undefined)
    throw new PartlineError(user ? "FORBIDDEN" : "UNAUTHORIZED", "Missing X-Session-Id header");
  if (sessionId !== owner) throw new PartlineError("FORBIDDEN", FOREIGN);
}

/**
 * Refuses a caller who may not save a cart for this owner. A session's id in the body is enough; a header that
 * contradicts it is refused.
 * @throws UNAUTHORIZED, FORBIDDEN
 */
export function assertMaySave(caller: Caller, owner: CartOwner): void {
  if (owner.userId !== undefined || caller.sessionId !== undefined) assertMayUse(caller, owner);
}

/** Ids: the cart to work on, and the guest's one that is merged into it first. */
export interface OwnCartKeys {
  cart: string;
  absorb?: string;
}

/** Returns the own cart of the token's user, else of the session. @throws UNAUTHORIZED with neither */
export function resolveOwnCart({ user, sessionId }: Caller): OwnCartKeys {
  const session = sessionId === undefined ? undefined : toSessionCartKey(sessionId);
  if (user) return { cart: toUserCartKey(user.sub), absorb: session };
  if (session === undefined) throw new PartlineError("UNAUTHORIZED", "Missing Authorization or X-Session-Id header");
  return { cart: session };
}

/** Returns a user's own cart for that user or an admin; only the user's own session is merged into it. */
export function resolveUserCart(caller: Caller, userId: string): OwnCartKeys {
  assertIsUser(caller, userId, FOREIGN);
  return caller.user?.sub === userId ? resolveOwnCart(caller) : { cart: toUserCartKey(userId) };
}

export const toUserCartKey = (userId: string): string => `user:${userId}`;
export const toSessionCartKey = (sessionId: string): string => `${SESSION_PREFIX}${sessionId}`;
export const isGuestCart = (key: string): boolean => key.startsWith(SESSION_PREFIX);
