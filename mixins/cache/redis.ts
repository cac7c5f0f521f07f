import { randomBytes } from "node:crypto";
import type { Redis } from "ioredis";
import type { RedisConnection } from "../redis/connection.ts";
import { RedisUnavailable } from "../redis/connect.ts";
import { MOST_BYTES, type Cache } from "./port.ts";

/** Longer than anything is kept: what was made from a source whose version is gone is not found any more. Milliseconds. */
const VERSION_MS = 24 * 3_600_000;

/** Ends a claim, where it is still this one. */
const RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end";

/**
 * Shared by all processes with the same Redis and namespace. Versions are random, so that one that Redis dropped never comes again.
 * A change that Redis did not take is told to it as soon as it is back; until then this process finds nothing that was made from that source.
 */
export function redisCache(redis: RedisConnection, namespace: string): Cache {
  const untold = new Set<string>();
  const keyOf = (key: string): string => `${namespace}:cache:${key}`;
  const versionKey = (source: string): string => `${namespace}:cache-version:${source}`;

  const tell = async (source: string): Promise<void> => {
    try {
      await redis.ask((client) => client.set(versionKey(source), randomWord(), "PX", VERSION_MS));
      untold.delete(source);
    } catch (error) {
      untold.add(source);
      throw error;
    }
  };
  redis.whenBack(() => {
    for (const source of untold) tell(source).catch(() => undefined);
  });

  const versionsOf = async (client: Redis, sources: readonly string[]): Promise<void> => {
    await Promise.all(sources.map((source) => client.set(versionKey(source), randomWord(), "PX", VERSION_MS, "NX")));
  };

  return {
    backend: "redis",
    look: (key, sources) => {
      if (sources.some((source) => untold.has(source)))
        return Promise.reject(new RedisUnavailable("it has not heard of a change"));
      const keys = [keyOf(key), ...sources.map(versionKey)];
      return redis.ask(async (client) => {
        let [kept, ...versions] = await client.mgetBuffer(keys);
        if (versions.includes(null)) {
          await versionsOf(client, sources);
          [kept, ...versions] = await client.mgetBuffer(keys);
        }
        const version = versions.map(String).join(" ");
        const bytes = kept && withVersion(kept, version);
        return bytes ? { version, bytes } : { version };
      });
    },
    keep: async (key, { version }, bytes, ttlMs) => {
      if (bytes.length > MOST_BYTES) return false;
      await redis.ask((client) =>
        client.set(keyOf(key), Buffer.concat([Buffer.from(`${version}\n`), bytes]), "PX", ttlMs),
      );
      return true;
    },
    changed: tell,
    claim: async (key, milliseconds) => {
      const [claimKey, owner] = [`${keyOf(key)}:claim`, randomWord()];
      if ((await redis.ask((client) => client.set(claimKey, owner, "PX", milliseconds, "NX"))) === null)
        return undefined;
      return { release: async () => void (await redis.ask((client) => client.eval(RELEASE, 1, claimKey, owner))) };
    },
    forget: () => undefined,
  };
}

function randomWord(): string {
  return randomBytes(9).toString("base64url");
}

/** What stands behind the version, where it is this one. */
function withVersion(kept: Buffer, version: string): Buffer | undefined {
  const head = Buffer.from(`${version}\n`);
  return kept.subarray(0, head.length).equals(head) ? kept.subarray(head.length) : undefined;
}
