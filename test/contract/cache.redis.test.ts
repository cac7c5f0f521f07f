import { afterEach, describe, expect, test } from "@jest/globals";
import { redisCache } from "../../mixins/cache/redis.ts";
import type { RedisConnection } from "../../mixins/redis/connection.ts";
import { eventually } from "../support/eventually.ts";
import { connectTestRedis, REDIS_URL, redisTestNamespace } from "../support/redis.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { describeCache } from "./cache.contract.ts";

const open: RedisConnection[] = [];
let proxy: TcpProxy | undefined;
afterEach(async () => {
  await Promise.all(open.splice(0).map((redis) => redis.close()));
  await proxy?.close();
  proxy = undefined;
});

async function connected(namespace: string, url?: string) {
  const { redis } = await connectTestRedis(url, namespace);
  open.push(redis);
  return { redis, cache: redisCache(redis, namespace) };
}

if (REDIS_URL) {
  describeCache("the cache in Redis", async () => {
    const namespace = redisTestNamespace();
    const [{ cache }, { cache: other }] = await Promise.all([connected(namespace), connected(namespace)]);
    return { cache, other };
  });

  describe("the cache in Redis", () => {
    test("is each system's own", async () => {
      const [{ cache }, { cache: ofAnother }] = await Promise.all([
        connected(redisTestNamespace()),
        connected(redisTestNamespace()),
      ]);
      await cache.keep("k", await cache.look("k", []), Buffer.from("1"), 60_000);
      expect((await ofAnother.look("k", [])).bytes).toBeUndefined();
    });

    test("gives a claim to one of many, and again when its time is over", async () => {
      const namespace = redisTestNamespace();
      const [one, two] = await Promise.all([connected(namespace), connected(namespace)]);
      const told = await Promise.all(
        Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? one : two).cache.claim("k", 50)),
      );
      expect(told.filter(Boolean)).toHaveLength(1);
      await eventually(() => two.cache.claim("k", 50), 5_000);
    });

    test("takes back a claim that is released before its time, and leaves another's alone that came after it", async () => {
      const namespace = redisTestNamespace();
      const [{ cache: one }, { cache: two }] = await Promise.all([connected(namespace), connected(namespace)]);
      const first = (await one.claim("k", 60_000))!;
      expect(await two.claim("k", 60_000)).toBeUndefined();
      await first.release();
      const second = await two.claim("k", 60_000);
      expect(second).toBeDefined();
      await first.release();
      expect(await one.claim("k", 60_000)).toBeUndefined();
      await second!.release();
      expect(await one.claim("k", 60_000)).toBeDefined();
    });

    test("what Redis dropped is not found, nor is what was made before it dropped a version", async () => {
      const namespace = redisTestNamespace();
      const { redis, cache } = await connected(namespace);
      await cache.keep("k", await cache.look("k", ["a"]), Buffer.from("1"), 60_000);
      expect((await cache.look("k", ["a"])).bytes).toBeDefined();
      expect(await redis.ask((client) => client.del(`${namespace}:cache-version:a`))).toBe(1);
      expect((await cache.look("k", ["a"])).bytes).toBeUndefined();
    });

    test("a change that Redis did not take is told to it when it is back, and until then nothing older is found here", async () => {
      proxy = await startTcpProxy(REDIS_URL);
      const namespace = redisTestNamespace();
      const { redis, cache } = await connected(namespace, proxy.url);
      const { cache: other } = await connected(namespace);
      await cache.keep("k", await cache.look("k", ["a"]), Buffer.from("old"), 60_000);
      await proxy.cut();
      await expect(cache.changed("a")).rejects.toMatchObject({ name: "RedisUnavailable" });
      await expect(cache.look("k", ["a"])).rejects.toMatchObject({ name: "RedisUnavailable" });
      await proxy.restore();
      await eventually(() => redis.isUp);
      expect((await eventually(() => cache.look("k", ["a"]).catch(() => undefined))).bytes).toBeUndefined();
      expect((await other.look("k", ["a"])).bytes).toBeUndefined();
    });
  });
} else {
  test.skip("the cache in Redis (REDIS_URL is not set)", () => undefined);
}
