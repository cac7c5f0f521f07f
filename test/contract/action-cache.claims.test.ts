import { afterEach, describe, expect, test } from "@jest/globals";
import { ServiceBroker, type Context } from "moleculer";
import { ActionCache, type CachedAction } from "../../broker/caching/action-cache.ts";
import { MOST_BYTES, type Cache } from "../../mixins/cache/port.ts";
import { redisCache } from "../../mixins/cache/redis.ts";
import type { RedisConnection } from "../../mixins/redis/connection.ts";
import { eventually } from "../support/eventually.ts";
import { connectTestRedis, REDIS_URL, redisTestNamespace } from "../support/redis.ts";

const READ: CachedAction = { name: "shelf.read", sources: ["search.index"], ttlMs: 60_000, shape: "1" };

const open: RedisConnection[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((redis) => redis.close()));
});

/** A process's cache, and how often it has looked into Redis. */
async function startProcess(namespace: string) {
  const { redis } = await connectTestRedis(REDIS_URL, namespace);
  open.push(redis);
  const cache = redisCache(redis, namespace);
  let looks = 0;
  const watched: Cache = {
    ...cache,
    look: (key, sources) => {
      looks += 1;
      return cache.look(key, sources);
    },
  };
  const answers = new ActionCache(new ServiceBroker({ logger: false }), watched, "1");
  const ask = <T>(make: () => Promise<T>): Promise<T> =>
    answers.answer(READ, { params: { name: "a" } } as Context<unknown, object>, make);
  return { ask, looks: () => looks };
}

(REDIS_URL ? describe : describe.skip)("the claim to make an answer, over processes", () => {
  test("ends with a making that fails: who asks next makes it without waiting", async () => {
    const { ask, looks } = await startProcess(redisTestNamespace());
    await expect(ask(() => Promise.reject(new Error("given up")))).rejects.toThrow("given up");
    expect(await ask(() => Promise.resolve("made"))).toBe("made");
    expect(looks()).toBe(2);
  });

  test("ends with an answer that is too large to be kept", async () => {
    const { ask, looks } = await startProcess(redisTestNamespace());
    const large = "x".repeat(MOST_BYTES);
    for (let turn = 1; turn <= 3; turn += 1) {
      expect(await ask(() => Promise.resolve(large))).toBe(large);
      expect(looks()).toBe(turn);
    }
  });

  test("goes to one of those who wait when it ends, and what that one makes is everybody's", async () => {
    const namespace = redisTestNamespace();
    const [first, second] = await Promise.all([startProcess(namespace), startProcess(namespace)]);
    const { promise, reject } = Promise.withResolvers<string>();
    let begun = false;
    const failing = first.ask(() => {
      begun = true;
      return promise;
    });
    await eventually(() => begun);
    const waiting = second.ask(() => Promise.resolve("of the second"));
    await eventually(() => second.looks() > 0);
    reject(new Error("given up"));
    await expect(failing).rejects.toThrow("given up");
    expect(await waiting).toBe("of the second");
    await eventually(async () => (await first.ask(() => Promise.resolve("of the first"))) === "of the second");
  });
});
