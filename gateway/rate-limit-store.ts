import { createHmac } from "node:crypto";
import type { ServiceBroker } from "moleculer";
import type { EntryPoint } from "../broker/contract/define.ts";
import { useRedis } from "../broker/redis.ts";
import type { Settings } from "../broker/settings.ts";
import type { RedisConnection } from "../mixins/redis/connection.ts";
import { createMemoryRateLimitStore, type RateLimitStore } from "./rate-limit.ts";

/** One step, so that no count is left without an end. */
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
    hit: async (client, windowMs, by = 1) => {
      const key = `${prefix}:${createHmac("sha256", secret).update(`rate-limit ${client}`).digest("base64url")}`;
      const found = await redis.ask((commands) => commands.eval(HIT, 1, key, windowMs, by));
      const [count, resetMs] = found as [number, number];
      return { count, resetMs: Math.max(0, resetMs) };
    },
  };
}

/** In Redis if REDIS_URL is set; in this process otherwise and while Redis is away. */
export function createRateLimitStore(
  broker: ServiceBroker,
  entry: EntryPoint,
  name: string,
  settings: Settings,
): RateLimitStore {
  const memory = createMemoryRateLimitStore();
  const redis = useRedis(broker);
  if (!redis) return memory;
  const shared = createRedisRateLimitStore(redis, {
    prefix: `${settings.namespace}:rate-limit:${entry}:${name}`,
    secret: settings.adminToken,
  });
  return {
    hit: async (client, windowMs, by) => {
      try {
        return await shared.hit(client, windowMs, by);
      } catch {
        return memory.hit(client, windowMs, by);
      }
    },
  };
}
