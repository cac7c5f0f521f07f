import type { Middleware, ServiceBroker } from "moleculer";
import { RedisConnection } from "../mixins/redis/connection.ts";
import { metricsOf } from "./metrics/metrics.ts";
import type { Settings } from "./settings.ts";
import { middlewareOf } from "./moleculer/internals.ts";

interface Held {
  redis: RedisConnection;
  isUsed: boolean;
}

const connections = new WeakMap<ServiceBroker, Held>();

/** The Redis of a process, connected only if a part uses it. */
export function redisMiddleware({ redisUrl, namespace }: Pick<Settings, "redisUrl" | "namespace">): Middleware {
  const whileUsed = async (broker: ServiceBroker, work: (redis: RedisConnection) => Promise<void>): Promise<void> => {
    const held = connections.get(broker);
    if (held?.isUsed) await work(held.redis);
  };
  return middlewareOf({
    name: "Redis",
    created: (broker: ServiceBroker): void => {
      if (redisUrl === undefined) return;
      const meanwhile = "each process counts requests for itself until it can";
      connections.set(broker, {
        redis: new RedisConnection({ url: redisUrl, namespace, logger: broker.getLogger("redis"), meanwhile }),
        isUsed: false,
      });
    },
    // A node creates its services while it starts.
    started: (broker: ServiceBroker) =>
      whileUsed(broker, async (redis) => {
        metricsOf(broker).read(
          "partline_redis_up",
          "Whether Redis could be used when this process last asked it",
          () => (redis.isUp ? 1 : 0),
        );
        await redis.start();
      }),
    stopped: (broker: ServiceBroker) => whileUsed(broker, (redis) => redis.close()),
  });
}

/** Returns Redis for a part that is created before the broker starts; undefined without REDIS_URL. */
export function useRedis(broker: ServiceBroker): RedisConnection | undefined {
  const held = connections.get(broker);
  if (held) held.isUsed = true;
  return held?.redis;
}

/** Redis among a node's dependencies. Status and readiness do not depend on it. */
export function redisHealth(broker: ServiceBroker): { redis?: { status: "ok" | "error" } } {
  const held = connections.get(broker);
  return held?.isUsed ? { redis: { status: held.redis.isUp ? "ok" : "error" } } : {};
}
