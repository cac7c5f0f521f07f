import type { Middleware, ServiceBroker } from "moleculer";
import { RedisConnection } from "@partline/toolkit";
import { getMetrics, toMiddleware } from "@partline/moleculer-kit";
import { getRuntime } from "./runtime.ts";

/** Connections of processes in which a part uses Redis. */
const connections = new WeakMap<ServiceBroker, RedisConnection>();

export function createRedisMiddleware(): Middleware {
  return toMiddleware({
    name: "Redis",
    // A node creates its services while it starts.
    started: async (broker: ServiceBroker) => {
      const redis = connections.get(broker);
      if (!redis) return;
      getMetrics(broker).read("partline_redis_up", "1 if Redis answered this process's last request", () =>
        redis.isUp ? 1 : 0,
      );
      await redis.start();
    },
    stopped: (broker: ServiceBroker) => connections.get(broker)?.close(),
  });
}

/** Returns Redis for a part that is created before the broker has started; undefined without REDIS_URL. */
export function useRedis(broker: ServiceBroker): RedisConnection | undefined {
  const { redisUrl, namespace } = getRuntime(broker).settings;
  if (redisUrl === undefined) return undefined;
  const meanwhile = "each process counts requests for itself until it can";
  const redis =
    connections.get(broker) ??
    new RedisConnection({ url: redisUrl, namespace, logger: broker.getLogger("redis"), meanwhile });
  connections.set(broker, redis);
  return redis;
}

/** Redis among a node's dependencies. Status and readiness do not depend on it. */
export function getRedisHealth(broker: ServiceBroker): { redis?: { status: "ok" | "error" } } {
  const redis = connections.get(broker);
  return redis ? { redis: { status: redis.isUp ? "ok" : "error" } } : {};
}
