import type { ServiceBroker } from "moleculer";
import { createMemoryRateLimitStore, createRedisRateLimitStore, type RateLimitStore } from "@partline/http-edge";
import type { EntryPoint } from "../../broker/contract/define.ts";
import { useRedis } from "../../broker/redis.ts";
import type { Settings } from "../../broker/settings.ts";

/**
 * Creates the counters: in Redis if REDIS_URL is set; in this process otherwise, and while Redis is away.
 * @param scope of a counter: an entry point, or all guests
 */
export function createRateLimitStore(
  broker: ServiceBroker,
  scope: EntryPoint | "guests",
  name: string,
  settings: Settings,
): RateLimitStore {
  const memory = createMemoryRateLimitStore();
  const redis = useRedis(broker);
  if (!redis) return memory;
  const shared = createRedisRateLimitStore(redis, {
    prefix: `${settings.namespace}:rate-limit:${scope}:${name}`,
    secret: settings.adminToken,
  });
  return {
    hit: async (client, windowMs, cost) => {
      try {
        return await shared.hit(client, windowMs, cost);
      } catch {
        return memory.hit(client, windowMs, cost);
      }
    },
  };
}
