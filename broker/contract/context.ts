import type { Context } from "moleculer";
import type { OnceRequest } from "@partline/moleculer-kit";
import { ulid } from "@partline/toolkit";
import { PartlineError } from "../../mixins/errors.ts";
import type { Role, Scope, ScopeHolder } from "./scopes.ts";

/** The claims of a verified bearer token. */
export interface TokenUser {
  sub: string;
  email?: string;
  /** The identity provider has verified the address. */
  emailVerified?: true;
  role: Role;
  aud: string;
  azp: string;
}

/** A system's key. */
export interface ApiKey {
  keyId: string;
  scopes: readonly Scope[];
}

/** Caller of an action, as verified by the gateway. */
export interface Caller extends ScopeHolder {
  user?: TokenUser;
  key?: ApiKey;
  sessionId?: string;
}

export interface CallMeta {
  caller?: Caller;
  once?: OnceRequest | undefined;
  /** Id of the run of a request with an Idempotency-Key; see `createId`. */
  runId?: string;
  /** The action's use goes into the audit stream: see broker/audit/. */
  audit?: true | undefined;
  /** True if the answer is that of an earlier request. */
  replayed?: true;
  /**
   * The client's address, by which scarce resources are shared: personal data, never logged, and kept in the audit
   * stream alone.
   */
  client?: string;
  /** Id of a streamed answer, for the report that its client left: the caller may have chosen the request's id. */
  answerId?: string;
}

export type CallContext<P> = Context<P, CallMeta>;

const NOBODY: Caller = Object.freeze({ admin: false });

/** Returns the caller of an action; a call from outside the gateway has no rights of its own. */
export function getCaller(ctx: { meta: CallMeta }): Caller {
  return ctx.meta.caller ?? NOBODY;
}

/** @throws UNAUTHORIZED without a token */
export function requireUser({ user }: Caller): TokenUser {
  if (!user) throw new PartlineError("UNAUTHORIZED", "Missing Authorization header");
  return user;
}

/**
 * A user's data is open to that user and to admins. Source: spec, section 5, rule 5.
 * @throws UNAUTHORIZED without a token, FORBIDDEN (with `refusal`) for another user's
 */
export function assertIsUser(caller: Caller, userId: string, refusal: string): void {
  if (!caller.admin && requireUser(caller).sub !== userId) throw new PartlineError("FORBIDDEN", refusal);
}

/** Author of a change in events: an id, never a name or an address. */
export type Actor = `user:${string}` | `key:${string}` | "admin" | "guest" | "system" | "payment-provider";

export function toActor(caller: Caller): Actor {
  if (caller.user) return `user:${caller.user.sub}`;
  if (caller.key) return `key:${caller.key.keyId}`;
  return caller.admin ? "admin" : "guest";
}

/**
 * Returns an id, without its prefix, for what an action makes: the same for a request with an Idempotency-Key that runs
 * again after its process died.
 */
export function createId({ meta }: { meta: CallMeta }): string {
  return meta.runId ?? ulid();
}
