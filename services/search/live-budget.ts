import { LRUCache } from "lru-cache";
import { type CallMeta, getCaller } from "../../broker/contract/context.ts";

/** Parts of a client in a minute, on each node: fifty pages of a list. */
export const MOST_LIVE_PARTS = 1_000;
const WINDOW_MS = 60_000;
const MOST_CLIENTS = 10_000;

/**
 * Bounds the parts of which one client may have the dealer asked: a rate limit counts requests, which have a hundred parts
 * each. Staff, and systems with a key, have no bound.
 */
export function createLiveBudget(now: () => number = Date.now) {
  const spentByClient = new LRUCache<string, { parts: number; endsAt: number }>({ max: MOST_CLIENTS });

  return {
    /** Returns whether the dealer may be asked about so many parts. */
    spend(ctx: { meta: CallMeta }, parts: number): boolean {
      const { client } = ctx.meta;
      const { key, admin } = getCaller(ctx);
      if (client === undefined || key || admin) return true;
      const time = now();
      const current = spentByClient.get(client);
      const spent = current && current.endsAt > time ? current : { parts: 0, endsAt: time + WINDOW_MS };
      if (spent.parts + parts > MOST_LIVE_PARTS) return false;
      spentByClient.set(client, { ...spent, parts: spent.parts + parts });
      return true;
    },
  };
}
