import type { Context, Middleware, Service, ServiceBroker } from "moleculer";
import { memoryCache } from "../../mixins/cache/memory.ts";
import { redisCache } from "../../mixins/cache/redis.ts";
import { metricsOf } from "../metrics/metrics.ts";
import { whenReconnected } from "../nats-connection.ts";
import { useRedis } from "../redis.ts";
import type { Settings } from "../settings.ts";
import { ActionCache, type CachedAction } from "./action-cache.ts";

type Handler = (ctx: Context<unknown, object>) => Promise<unknown>;
/** What `implement` adds to the schema of an action whose contract says that it is cached. */
type Definition = { answerCache?: CachedAction };

const caches = new WeakMap<ServiceBroker, ActionCache>();

/** Behind the check of params, whose defaults are filled in by then, and behind the bulkhead. */
export function cachingMiddleware(settings: Pick<Settings, "namespace" | "version">): Middleware {
  const middleware = {
    name: "AnswerCache",
    serviceCreated: (service: Service): void => {
      const { broker, schema } = service as Service & { broker: ServiceBroker };
      const actions = Object.values(schema.actions ?? {}) as (Definition | undefined)[];
      if (!caches.has(broker) && actions.some((action) => action?.answerCache))
        caches.set(broker, openCache(broker, settings));
    },
    started: (broker: ServiceBroker): void => {
      const cache = caches.get(broker);
      if (!cache) return;
      whenReconnected(broker, () => cache.rejoined());
      // A node that was taken for gone is told nothing, though it may have been there.
      broker.localBus.on("$node.connected", ({ reconnected }: { reconnected: boolean }) => {
        if (reconnected) cache.tellAgain();
      });
    },
    localAction: (next: Handler, { answerCache }: Definition): Handler =>
      answerCache === undefined
        ? next
        : (ctx) => answerCacheOf(ctx.broker as ServiceBroker).answer(answerCache, ctx, next),
  };
  return middleware as unknown as Middleware;
}

/** The cache of a process that runs an action whose contract says that it is cached. */
export function answerCacheOf(broker: ServiceBroker): ActionCache {
  const cache = caches.get(broker);
  if (!cache) throw new Error("No service of this broker has an action that is cached");
  return cache;
}

function openCache(
  broker: ServiceBroker,
  { namespace, version }: Pick<Settings, "namespace" | "version">,
): ActionCache {
  const redis = useRedis(broker);
  const cache = new ActionCache(broker, redis ? redisCache(redis, namespace) : memoryCache(), version);
  metricsOf(broker).contribute("cache", () => [cache.requests.family()]);
  return cache;
}
