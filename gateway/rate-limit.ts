import { PartlineError } from "../mixins/errors.ts";
import type { ClientAddress } from "./client-address.ts";
import { exchangeOf, type EdgeRequest } from "./request/edge-request.ts";

export interface RateLimitWindow {
  /** Requests of this client in its window, this one included. */
  count: number;
  /** Until the window ends and the count begins anew; milliseconds. */
  resetMs: number;
}

/** Counts requests by client in windows of a fixed length. */
export interface RateLimitStore {
  hit(client: string, windowMs: number): RateLimitWindow | Promise<RateLimitWindow>;
}

/** A store of this process; the clients whose window is over are forgotten as others come. */
export function memoryRateLimitStore(now: () => number = Date.now): RateLimitStore {
  const windows = new Map<string, { count: number; endsAt: number }>();
  return {
    hit: (client, windowMs) => {
      const time = now();
      let window = windows.get(client);
      if (!window || window.endsAt <= time) {
        // Insertion order is the order in which windows end.
        for (const [other, { endsAt }] of windows) {
          if (endsAt > time) break;
          windows.delete(other);
        }
        window = { count: 0, endsAt: time + windowMs };
        windows.set(client, window);
      }
      window.count += 1;
      return { count: window.count, resetMs: window.endsAt - time };
    },
  };
}

export type RateLimiter = (req: EdgeRequest) => Promise<void>;

/** Counts a request for its client and notes the RateLimit headers of its answer. @throws RATE_LIMITED */
export function createRateLimiter(
  limit: { requests: number; seconds: number },
  store: RateLimitStore,
  clientOf: ClientAddress,
): RateLimiter {
  return async (req) => {
    const { count, resetMs } = await store.hit(clientOf(req), limit.seconds * 1_000);
    const reset = String(Math.max(1, Math.ceil(resetMs / 1_000)));
    const { headers } = exchangeOf(req);
    headers["RateLimit-Limit"] = String(limit.requests);
    headers["RateLimit-Remaining"] = String(Math.max(0, limit.requests - count));
    headers["RateLimit-Reset"] = reset;
    if (count <= limit.requests) return;
    headers["Retry-After"] = reset;
    throw new PartlineError("RATE_LIMITED", `More than ${limit.requests} requests in ${limit.seconds} s`);
  };
}
