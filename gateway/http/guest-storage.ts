import type { ServiceBroker } from "moleculer";
import type { Caller } from "../../broker/contract/context.ts";
import type { GuestStorage } from "@partline/api-contracts";
import type { Settings } from "../../broker/settings.ts";
import { PartlineError } from "../../mixins/errors.ts";
import {
  type ClientAddress,
  toSeconds,
  type RateLimitStore,
  BODY_LIMITS,
  getExchange,
  type EdgeRequest,
} from "@partline/http-edge";
import { createRateLimitStore } from "./rate-limit.ts";
import type { Route } from "./routes.ts";

const DAY_MS = 24 * 60 * 60_000;
/** Size of an Idempotency-Key without its answer, bytes. */
const KEY_BYTES = 1_000;

export type GuestLimiter = (req: EdgeRequest, storage: GuestStorage) => Promise<void>;

const budgets = new WeakMap<ServiceBroker, RateLimitStore>();

/** The counters of all entry points of a process, and with Redis of all processes. */
export function getGuestBudget(broker: ServiceBroker, settings: Settings): RateLimitStore {
  const store = budgets.get(broker) ?? createRateLimitStore(broker, "guests", "bytes", settings);
  budgets.set(broker, store);
  return store;
}

/**
 * Counts what a guest's request makes us keep: carts, checkouts, intents, conversations, Idempotency-Keys. A body
 * without a length counts as the largest. So does one that is too large: it is refused, and must not use up the day of
 * all who share the address.
 * @throws RATE_LIMITED
 */
export function createGuestLimiter(store: RateLimitStore, clientOf: ClientAddress, mostMb: number): GuestLimiter {
  return async (req, { copies = 1, bytes = 0 }) => {
    const body = Math.min(Number(req.headers["content-length"] ?? Infinity), BODY_LIMITS.bytes);
    const { count, resetMs } = await store.hit(clientOf(req), DAY_MS, copies * body + bytes);
    if (count <= mostMb * 1_000_000) return;
    getExchange(req).headers["Retry-After"] = toSeconds(resetMs);
    const why = `Guests at this address have stored ${mostMb} MB in 24 hours; users and keys have no such limit`;
    throw new PartlineError("RATE_LIMITED", why);
  };
}

/** Returns what a request makes us keep of a guest; undefined for nothing, and for users, keys and staff. */
export function findGuestStorage(
  { headers }: Pick<EdgeRequest, "headers">,
  { http: { guestStorage }, definition }: Pick<Route, "http" | "definition">,
  { user, key, admin, sessionId }: Caller,
): GuestStorage | undefined {
  if (user || key || admin) return undefined;
  const storage = guestStorage?.ofSession && sessionId === undefined ? undefined : guestStorage;
  if (!definition.once || headers["idempotency-key"] === undefined) return storage;
  const { copies = storage ? 1 : 0, bytes = 0 } = storage ?? {};
  // The answer, which repeats the request, is kept under the key.
  return { copies: copies + 1, bytes: bytes + KEY_BYTES };
}
