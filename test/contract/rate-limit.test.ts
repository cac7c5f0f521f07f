import { afterEach, describe, expect, test } from "@jest/globals";
import { createMemoryRateLimitStore, type RateLimitStore, createRedisRateLimitStore } from "@partline/http-edge";
import type { RedisConnection } from "../../packages/toolkit/src/redis.ts";
import { startNode } from "../../bin/node.ts";
import { eventually } from "../support/eventually.ts";
import { freePorts } from "../support/ports.ts";
import { connectTestRedis, REDIS_URL, redisTestNamespace } from "../support/redis.ts";
import { testSettings } from "../support/test-settings.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { startEdge, type Edge } from "./gateway/edge-client.ts";

const connections: RedisConnection[] = [];
const edges: Edge[] = [];
let proxy: TcpProxy | undefined;
afterEach(async () => {
  await Promise.all(edges.splice(0).map((edge) => edge.stop()));
  await Promise.all(connections.splice(0).map((redis) => redis.close()));
  await proxy?.close();
  proxy = undefined;
});

/** @param open two stores that count together, where processes do */
function describeStore(name: string, open: () => Promise<[RateLimitStore, RateLimitStore]>): void {
  describe(`the rate limit's store ${name}`, () => {
    test("counts each client by itself, and none of thirty hits at once is lost", async () => {
      const [one, two] = await open();
      const hits = await Promise.all(
        Array.from({ length: 30 }, async (_, index) => (index % 2 === 0 ? one : two).hit("a", 60_000)),
      );
      expect(hits.map(({ count }) => count).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 30 }, (_, index) => index + 1),
      );
      for (const { resetMs } of hits) expect(resetMs).toBeLessThanOrEqual(60_000);
      for (const { resetMs } of hits) expect(resetMs).toBeGreaterThan(50_000);
      expect(await two.hit("b", 60_000)).toMatchObject({ count: 1 });
    });

    test("a window ends when its time is over, however many come in it, and the next begins with the next hit", async () => {
      const [one] = await open();
      const startedAt = performance.now();
      const first = await one.hit("a", 200);
      expect(first.count).toBe(1);
      let last = first;
      await eventually(async () => {
        const hit = await one.hit("a", 200);
        const isNew = hit.count < last.count;
        last = hit;
        return isNew || (hit.count === 1 && performance.now() - startedAt > 150);
      });
      expect(performance.now() - startedAt).toBeGreaterThan(100);
      expect(last.count).toBe(1);
      expect(last.resetMs).toBeGreaterThan(0);
    });
  });
}

describeStore("in memory", () => {
  const store = createMemoryRateLimitStore();
  return Promise.resolve([store, store]);
});

/** Entry points of a process of their own, that share a Redis with others of the same namespace. */
async function edgeWith(namespace: string, url: string, limit: string): Promise<Edge> {
  const edge = await startEdge(["payment", "cart"], {
    env: { RATE_LIMIT: limit, REDIS_URL: url, NATS_NAMESPACE: namespace },
  });
  edges.push(edge);
  return edge;
}
const statuses = async (asked: Promise<{ status: number }>[]): Promise<Record<number, number>> => {
  const answers = await Promise.all(asked);
  return Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]),
  );
};
const ask = (edge: Edge, entry: "payment" | "cart" = "payment") => edge.ask(entry, "GET", "/api/things");

if (REDIS_URL) {
  describeStore("in Redis", async () => {
    const namespace = redisTestNamespace();
    const opened = await Promise.all([connectTestRedis(REDIS_URL, namespace), connectTestRedis(REDIS_URL, namespace)]);
    connections.push(...opened.map(({ redis }) => redis));
    return opened.map(({ redis }) =>
      createRedisRateLimitStore(redis, { prefix: `${namespace}:limit`, secret: "secret" }),
    ) as [RateLimitStore, RateLimitStore];
  });

  describe("the rate limit over Redis", () => {
    test("two gateways together let through as many as are allowed, at each entry point, and keep no address", async () => {
      // A hit that a busy machine lets wait too long for Redis is counted in its process alone.
      const { namespace, two } = await eventually(async () => {
        const namespace = redisTestNamespace();
        const [one, two] = [await edgeWith(namespace, REDIS_URL, "5/60"), await edgeWith(namespace, REDIS_URL, "5/60")];
        expect(await statuses(Array.from({ length: 20 }, (_, index) => ask(index % 2 === 0 ? one : two)))).toEqual({
          200: 5,
          429: 15,
        });
        return { namespace, two };
      });
      const refused = await ask(two);
      expect(refused.headers).toMatchObject({ "ratelimit-limit": "5", "ratelimit-remaining": "0" });
      expect(Number(refused.headers["retry-after"])).toBeGreaterThan(50);
      expect(await statuses([ask(two, "cart")])).not.toHaveProperty("429");

      const { redis } = await connectTestRedis();
      connections.push(redis);
      const keys = await redis.ask((client) => client.keys(`${namespace}:rate-limit:*`));
      expect(keys.map((key) => key.split(":").slice(0, 4))).toEqual(
        expect.arrayContaining([[namespace, "rate-limit", "payment", "5/60"]]),
      );
      for (const key of keys) {
        expect(key).not.toMatch(/127\.0\.0\.1/);
        expect(await redis.ask((client) => client.pttl(key))).toBeGreaterThan(0);
      }
    });

    test("is connected by a whole node, which creates its entry points while it starts", async () => {
      const port = await freePorts(1);
      const CART_PORT = String(port);
      const NATS_NAMESPACE = redisTestNamespace();
      const node = await startNode(
        testSettings({ SERVICES: "cart,http:cart", CART_PORT, REDIS_URL, RATE_LIMIT: "100/60", NATS_NAMESPACE }),
      );
      try {
        const health = await fetch(`http://127.0.0.1:${port}/health`);
        expect(await health.json()).toMatchObject({ dependencies: { redis: { status: "ok" } } });
      } finally {
        await node.stop();
      }
    });

    test("counts on in each process while Redis is away, which costs nobody an answer, and together again when it is back", async () => {
      proxy = await startTcpProxy(REDIS_URL);
      const namespace = redisTestNamespace();
      const [one, two] = [await edgeWith(namespace, proxy.url, "3/60"), await edgeWith(namespace, proxy.url, "3/60")];
      const health = async (edge: Edge) => (await edge.ask("payment", "GET", "/health")).json;
      const metrics = async (edge: Edge) => (await edge.ask("cart", "GET", "/metrics")).text;
      expect(await health(one)).toMatchObject({ status: "ok", dependencies: { redis: { status: "ok" } } });
      expect(await statuses([ask(one), ask(two)])).toEqual({ 200: 2 });
      expect(await metrics(one)).toMatch(/^partline_redis_up 1$/m);

      await proxy.cut();
      expect(await statuses(Array.from({ length: 8 }, (_, index) => ask(index % 2 === 0 ? one : two)))).toEqual({
        200: 6,
        429: 2,
      });
      expect(await health(one)).toMatchObject({ status: "ok", dependencies: { redis: { status: "error" } } });
      expect((await one.ask("payment", "GET", "/health/ready")).status).toBe(200);
      expect(await metrics(one)).toMatch(/^partline_redis_up 0$/m);

      await proxy.restore();
      await eventually(
        async () =>
          (await health(one)).dependencies.redis.status === "ok" &&
          (await health(two)).dependencies.redis.status === "ok",
      );
      expect(await statuses([ask(one), ask(two)])).toEqual({ 200: 1, 429: 1 });
    });
  });
} else {
  test.skip("the rate limit over Redis (REDIS_URL is not set)", () => undefined);
}
