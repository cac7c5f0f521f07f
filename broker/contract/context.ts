import type { Context } from "moleculer";
import { PartlineError } from "../../mixins/errors.ts";

export type Role = "admin" | "customer";

/** What a verified bearer token says of its bearer. */
export interface TokenUser {
  sub: string;
  email?: string;
  role: Role;
  aud: string;
  azp: string;
}

/** Who calls, as the gateway verified it. */
export interface Caller {
  user?: TokenUser;
  /** The right X-Admin-Token, or a token with role admin. */
  admin: boolean;
  /** X-Session-Id of a guest. */
  sessionId?: string;
}

export interface CallMeta {
  caller?: Caller;
  /** Address that a request is counted for, to share out by it what is scarce: personal data, never logged or kept. */
  client?: string;
  /**
   * Of an answer that is told while it is made: by it the gateway tells that nobody listens any more. A request's id
   * will not do: callers may choose it.
   */
  answerId?: string;
}

export type CallContext<P> = Context<P, CallMeta>;

const NOBODY: Caller = Object.freeze({ admin: false });

/** The caller of an action; a call that did not come through the gateway has no rights of its own. */
export function callerOf(ctx: { meta: CallMeta }): Caller {
  return ctx.meta.caller ?? NOBODY;
}

/** The user of the caller's token. @throws UNAUTHORIZED without one */
export function userOf({ user }: Caller): TokenUser {
  if (!user) throw new PartlineError("UNAUTHORIZED", "Missing Authorization header");
  return user;
}

/**
 * What belongs to a user is that user's and the admins'. Source: spec, section 5, rule 5.
 * @throws UNAUTHORIZED without a token, FORBIDDEN (saying `refusal`) with another user's
 */
export function assertIsUser(caller: Caller, userId: string, refusal: string): void {
  if (!caller.admin && userOf(caller).sub !== userId) throw new PartlineError("FORBIDDEN", refusal);
}

/** Who made a change, as events keep it: an id, never a name or an address. */
export type Actor = `user:${string}` | "admin" | "guest" | "system" | "payment-provider";

export function actorOf(caller: Caller): Actor {
  if (caller.user) return `user:${caller.user.sub}`;
  return caller.admin ? "admin" : "guest";
}
