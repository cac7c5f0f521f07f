import { expect } from "@jest/globals";
import { RedisConnection } from "../../packages/toolkit/src/redis.ts";

/** The tests' Redis; without it, tests of it are skipped. */
export const REDIS_URL = process.env.REDIS_URL ?? "";

/** A namespace that no other test has; what is written there is gone by itself. */
export function redisTestNamespace(): string {
  return `partline_test_${process.pid}_${Date.now()}_${Math.random().toString(36).slice(2)}`;
}

export interface TestRedis {
  redis: RedisConnection;
  /** What was logged, level and message. */
  lines: string[];
}

/** A connection that has been tried. */
export async function connectTestRedis(url = REDIS_URL, namespace = redisTestNamespace()): Promise<TestRedis> {
  const lines: string[] = [];
  const logger = {
    info: (message: string) => lines.push(`info ${message}`),
    warn: (message: string) => lines.push(`warn ${message}`),
  };
  const redis = new RedisConnection({ url, namespace, logger, meanwhile: "tests wait" });
  await redis.start();
  expect(redis.isUp).toBe(lines.length === 0);
  return { redis, lines };
}
