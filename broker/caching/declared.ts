import { createHash } from "node:crypto";
import type { Context, ServiceBroker } from "moleculer";
import { CACHE_SOURCES, type ActionDefinition, type CacheSource } from "../contract/define.ts";
import { toValidatorRules } from "../contract/rules.ts";
import { CACHE_CHANGED, type CachedAction } from "./action-cache.ts";
import { answerCacheOf } from "./middleware.ts";

/**
 * How an action is cached, as its contract says; undefined for one that is not.
 * @throws Error where its answers are not for everybody, or are more than an answer
 */
export function cachedAction(name: string, definition: ActionDefinition): CachedAction | undefined {
  const { cache, idempotent, http = [], params, result } = definition;
  if (cache === undefined) return undefined;
  if (!idempotent) throw new Error(`${name} cannot be cached: it is not idempotent`);
  for (const { access, session, body = "json", answer = "json" } of http) {
    if (access !== "none" || session) throw new Error(`${name} cannot be cached: its route looks at who calls`);
    if (body !== "json" || answer !== "json") throw new Error(`${name} cannot be cached: its route streams`);
  }
  const shape = createHash("sha256").update(JSON.stringify({ params, result })).digest("base64url");
  return { name, sources: cache.sources, ttlMs: cache.ttlSeconds * 1_000, shape };
}

/** What a service with such an action hears: without a Redis, processes tell each other. */
export const cacheEvents = {
  [CACHE_CHANGED]: {
    params: toValidatorRules({ source: { type: "enum", values: CACHE_SOURCES } }),
    handler: (ctx: Context<{ source: CacheSource }>) =>
      answerCacheOf(ctx.broker as ServiceBroker).heard(ctx.params.source, ctx.nodeID),
  },
};
