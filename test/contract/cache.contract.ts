import { beforeEach, describe, expect, test } from "@jest/globals";
import { randomBytes } from "node:crypto";
import { MOST_BYTES, type Cache } from "../../mixins/cache/port.ts";
import { eventually } from "../support/eventually.ts";

const TTL = 60_000;

/** What every cache must do. @param open two that share what they keep, where processes do */
export function describeCache(name: string, open: () => Promise<{ cache: Cache; other: Cache }>): void {
  describe(name, () => {
    let cache: Cache;
    let other: Cache;
    beforeEach(async () => {
      ({ cache, other } = await open());
    });
    const bytesOf = async (key: string, sources = ["a"], from = other): Promise<string | undefined> =>
      (await from.look(key, sources)).bytes?.toString();
    const keep = async (key: string, text: string, sources = ["a"], ttl = TTL): Promise<boolean> =>
      cache.keep(key, await cache.look(key, sources), Buffer.from(text), ttl);

    test("finds what was kept, to the byte, under its key alone", async () => {
      const bytes = randomBytes(10_000);
      const look = await cache.look("k", ["a", "b"]);
      expect(look.bytes).toBeUndefined();
      await cache.keep("k", look, bytes, TTL);
      expect((await other.look("k", ["a", "b"])).bytes!.equals(bytes)).toBe(true);
      expect(await bytesOf("k2", ["a", "b"])).toBeUndefined();
      expect(await bytesOf("empty")).toBeUndefined();
      await keep("empty", "");
      expect(await bytesOf("empty")).toBe("");
    });

    test("finds nothing that was made from a source before it changed, and all else", async () => {
      await keep("of-a", "1", ["a"]);
      await keep("of-b", "2", ["b"]);
      await keep("of-both", "3", ["a", "b"]);
      await other.changed("a");
      expect(await bytesOf("of-a", ["a"], cache)).toBeUndefined();
      expect(await bytesOf("of-both", ["a", "b"], cache)).toBeUndefined();
      expect(await bytesOf("of-b", ["b"], cache)).toBe("2");
      await keep("of-a", "4", ["a"]);
      expect(await bytesOf("of-a")).toBe("4");
    });

    test("never finds what was read before a change and kept after it", async () => {
      const look = await cache.look("k", ["a"]);
      await other.changed("a");
      await cache.keep("k", look, Buffer.from("old"), TTL);
      expect(await bytesOf("k")).toBeUndefined();
      expect(await bytesOf("k", ["a"], cache)).toBeUndefined();
      await keep("k", "new");
      // Who is later still with the old does not bring it back either.
      await cache.keep("k", look, Buffer.from("old"), TTL);
      expect(await bytesOf("k")).not.toBe("old");
    });

    test("whatever the order of reads, keeps and changes, nothing is found that is older than what was told before the look", async () => {
      let truth = 0;
      let told = 0;
      let found = 0;
      const reader = async (from: Cache): Promise<void> => {
        for (let turn = 0; turn < 60; turn += 1) {
          const before = told;
          const look = await from.look("k", ["a"]);
          if (look.bytes) {
            found += 1;
            expect(Number(look.bytes.toString())).toBeGreaterThanOrEqual(before);
          } else {
            const value = truth;
            // Somebody who is slow to keep what was read.
            await new Promise((resolve) => setTimeout(resolve, turn % 3));
            await from.keep("k", look, Buffer.from(String(value)), TTL);
          }
        }
      };
      const writer = async (): Promise<void> => {
        for (let turn = 0; turn < 20; turn += 1) {
          truth += 1;
          await cache.changed("a");
          told = truth;
          await new Promise((resolve) => setTimeout(resolve, 2));
        }
      };
      await Promise.all([reader(cache), reader(other), reader(cache), writer()]);
      await keep("k", String(truth));
      expect(await bytesOf("k")).toBe(String(truth));
      expect(found).toBeGreaterThan(0);
    });

    test("keeps nothing longer than it is told, and nothing that is too large", async () => {
      await keep("short", "1", ["a"], 30);
      await eventually(async () => (await bytesOf("short")) === undefined, 5_000);
      await cache.keep("large", await cache.look("large", ["a"]), Buffer.alloc(MOST_BYTES + 1), TTL);
      expect(await bytesOf("large")).toBeUndefined();
    });
  });
}
