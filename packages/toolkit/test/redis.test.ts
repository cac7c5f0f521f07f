import { afterEach, describe, expect, test } from "@jest/globals";
import { createServer, type AddressInfo, type Server } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { connectRedis, type RedisConnection } from "../src/redis.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { connectTestRedis, REDIS_URL, redisTestNamespace } from "../../../test/support/redis.ts";
import { startTcpProxy, type TcpProxy } from "../../../test/support/tcp-proxy.ts";

let redis: RedisConnection | undefined;
let proxy: TcpProxy | undefined;
let server: Server | undefined;
afterEach(async () => {
  await redis?.close();
  await proxy?.close();
  server?.close();
  redis = proxy = server = undefined;
});

/** Milliseconds until the question is answered or refused. */
async function timed(question: Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await question.catch(() => undefined);
  return performance.now() - startedAt;
}

/** A server that answers every command so. */
async function answering(answer: string): Promise<string> {
  server = createServer((socket) => socket.on("data", () => socket.write(answer)).on("error", () => undefined));
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  return `redis://somebody:hunter2@127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("an unusable server is reported by its reason, and never by a credential", () => {
  test.each([
    ["-WRONGPASS invalid username-password pair or user somebody is disabled.\r\n", "WRONGPASS"],
    ["-NOAUTH Authentication required.\r\n", "NOAUTH"],
    ["HTTP/1.1 400 Bad Request\r\n\r\n", "the connection broke"],
  ])("%j", async (answer, reason) => {
    const url = await answering(answer);
    const attempt = connectRedis(url, "ns");
    await expect(attempt).rejects.toMatchObject({ name: "RedisUnavailable", message: reason });
  });

  test("a server that takes connections and says nothing, and one that is not there", async () => {
    server = createServer((socket) => socket.resume());
    await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await expect(connectRedis(`redis://127.0.0.1:${port}`, "ns")).rejects.toMatchObject({
      message: "no answer in 250 ms",
    });
    await expect(connectRedis("redis://127.0.0.1:1", "ns")).rejects.toMatchObject({ message: "ECONNREFUSED" });
  });
});

if (REDIS_URL) {
  describe("a Redis that goes away", () => {
    const connect = async () => {
      proxy = await startTcpProxy(REDIS_URL);
      const connected = await connectTestRedis(proxy.url);
      redis = connected.redis;
      return connected;
    };
    const question = (): Promise<unknown> => redis!.ask((client) => client.ping());

    test("is logged once when it goes and once when it is back, however many ask", async () => {
      const { lines } = await connect();
      // On a machine that is busy with something else it may seem to hang before.
      await eventually(question);
      await proxy!.cut();
      await eventually(() => !redis!.isUp);
      for (let index = 0; index < 20; index += 1)
        await expect(question()).rejects.toMatchObject({ name: "RedisUnavailable" });
      const gone = "warn Redis cannot be used (the connection broke): tests wait";
      const since = lines.indexOf(gone);
      expect(lines.slice(since)).toEqual([gone]);
      await proxy!.restore();
      await eventually(() => redis!.isUp);
      expect(lines.slice(since + 1)).toEqual(["info Redis can be used again"]);
      expect(await eventually(question)).toBe("PONG");
    });

    test("keeps nobody waiting when it hangs: the first for a moment, the next not at all", async () => {
      const { lines } = await connect();
      proxy!.freeze();
      const together = await Promise.all(Array.from({ length: 20 }, () => timed(question())));
      // One after another they would take twenty times a quarter of a second.
      expect(Math.max(...together)).toBeLessThan(4_000);
      expect(redis!.isUp).toBe(false);
      // Not for the server's answer, nor until the next turn of the event loop.
      await expect(Promise.race([question(), nextTurn("It waits")])).rejects.toMatchObject({
        name: "RedisUnavailable",
        message: "it is away",
      });
      expect(lines).toEqual(["warn Redis cannot be used (no answer in 250 ms): tests wait"]);
      await proxy!.restore();
      await eventually(() => redis!.isUp);
    });

    test("may be away from the start", async () => {
      proxy = await startTcpProxy(REDIS_URL);
      await proxy.cut();
      const connected = await connectTestRedis(proxy.url);
      redis = connected.redis;
      expect(connected.lines).toEqual(["warn Redis cannot be used (ECONNREFUSED): tests wait"]);
      await proxy.restore();
      await eventually(() => redis!.isUp);
      expect(await question()).toBe("PONG");
    });

    test("leaves no key behind that stays", async () => {
      const namespace = redisTestNamespace();
      ({ redis } = await connectTestRedis(REDIS_URL, namespace));
      const ttl = await redis.ask((client) => client.pttl(`${namespace}:trial`));
      expect(ttl).toBeLessThanOrEqual(1_000);
    });
  });
} else {
  test.skip("a Redis that goes away (REDIS_URL is not set)", () => undefined);
}
