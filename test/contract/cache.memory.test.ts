import { describe, expect, test } from "@jest/globals";
import { memoryCache } from "../../mixins/cache/memory.ts";
import { MOST_BYTES } from "../../mixins/cache/port.ts";
import { describeCache } from "./cache.contract.ts";

describeCache("the cache in memory", () => {
  const cache = memoryCache();
  return Promise.resolve({ cache, other: cache });
});

describe("the cache in memory", () => {
  test("takes no more than 32 MiB: what was used last stays", async () => {
    const cache = memoryCache();
    const keys = Array.from({ length: 100 }, (_, index) => `k${index}`);
    for (const key of keys) await cache.keep(key, await cache.look(key, []), Buffer.alloc(MOST_BYTES), 60_000);
    const kept = await Promise.all(keys.map(async (key) => (await cache.look(key, [])).bytes !== undefined));
    expect(kept.filter(Boolean)).toHaveLength(63);
    expect(kept.at(-1)).toBe(true);
  });

  test("forgets all, also what is kept after it was read before", async () => {
    const cache = memoryCache();
    const look = await cache.look("k", ["a"]);
    await cache.keep("k", look, Buffer.from("1"), 60_000);
    cache.forget();
    expect((await cache.look("k", ["a"])).bytes).toBeUndefined();
    await cache.keep("k", look, Buffer.from("1"), 60_000);
    expect((await cache.look("k", ["a"])).bytes).toBeUndefined();
  });
});
