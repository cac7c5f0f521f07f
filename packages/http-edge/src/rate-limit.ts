import { createHmac } from "node:crypto";
import { CodedError, type RedisConnection } from "@partline/toolkit";
import type { ClientAddress } from "./client-address.ts";
import { getExchange, type EdgeRequest } from "./edge-request.ts";

interface RateLimitWindow {
  count: number;
  resetMs: number;
}

export interface RateLimitStore {
  hit(client: string, windowMs: number, cost?: number): RateLimitWindow | Promise<RateLimitWindow>;
}

/** Ended windows are removed as others begin. */
export function createMemoryRateLimitStore(now: () => number = Date.now): RateLimitStore {
  const windows = new Map<string, { count: number; endsAt: number }>();
  return {
    hit: (client, windowMs, cost = 1) => {
      const time = now();
      let window = windows.get(client);
      if (!window || window.endsAt <= time) {
        // Insertion order is the order of the ends.
        for (const [otherClient, { endsAt }] of windows) {
          if (endsAt > time) break;
          windows.delete(otherClient);
        }
        window = { count: 0, endsAt: time + windowMs };
        windows.set(client, window);
      }
      window.count += cost;
      return { count: window.count, resetMs: window.endsAt - time };
    },
  };
}

export type RateLimiter = (req: EdgeRequest) => Promise<void>;

/** Counts a request for its client and sets the RateLimit headers. @throws RATE_LIMITED */
export function createRateLimiter(
  limit: { requests: number; seconds: number },
  store: RateLimitStore,
  clientOf: ClientAddress,
): RateLimiter {
  return async (req) => {
    const { count, resetMs } = await store.hit(clientOf(req), limit.seconds * 1_000);
    const reset = toSeconds(resetMs);
    const { headers } = getExchange(req);
    headers["RateLimit-Limit"] = String(limit.requests);
    headers["RateLimit-Remaining"] = String(Math.max(0, limit.requests - count));
    headers["RateLimit-Reset"] = reset;
    if (count <= limit.requests) return;
    headers["Retry-After"] = reset;
    throw new CodedError("RATE_LIMITED", `More than ${limit.requests} requests in ${limit.seconds} s`);
  };
}

export function toSeconds(milliseconds: number): string {
  return String(Math.max(1, Math.ceil(milliseconds / 1_000)));
}

/** One step, so that no count is left without an end. Returns the count and the milliseconds left. */
const HIT = `
local count = redis.call('INCRBY', KEYS[1], ARGV[2])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { count, redis.call('PTTL', KEYS[1]) }`;

/**
 * Shared by all processes with the same Redis, prefix and secret. Keys are HMACs: they do not reveal addresses. `hit`
 * throws RedisUnavailable.
 */
export function createRedisRateLimitStore(
  redis: RedisConnection,
  { prefix, secret }: { prefix: string; secret: string },
): RateLimitStore {
  return {
    hit: async (client, windowMs, cost = 1) => {
      const key = `${prefix}:${createHmac("sha256", secret).update(`rate-limit ${client}`).digest("base64url")}`;
      const reply = await redis.ask((commands) => commands.eval(HIT, 1, key, windowMs, cost));
      const [count, resetMs] = reply as [number, number];
      return { count, resetMs: Math.max(0, resetMs) };
    },
  };
}
