import type { Context } from "moleculer";

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
}

export type CallContext<P> = Context<P, CallMeta>;

const NOBODY: Caller = Object.freeze({ admin: false });

/** The caller of an action; a call that did not come through the gateway has no rights of its own. */
export function callerOf(ctx: { meta: CallMeta }): Caller {
  return ctx.meta.caller ?? NOBODY;
}

/** Who made a change, as events keep it: an id, never a name or an address. */
export type Actor = `user:${string}` | "admin" | "guest" | "system" | "payment-provider";

export function actorOf(caller: Caller): Actor {
  if (caller.user) return `user:${caller.user.sub}`;
  return caller.admin ? "admin" : "guest";
}
