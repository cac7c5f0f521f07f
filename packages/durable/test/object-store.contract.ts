import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { usedMemory } from "../../../test/support/used-memory.ts";
import { readObject } from "../src/object-store/open.ts";
import type { ObjectFacts, ObjectStore } from "../src/object-store/port.ts";

const sha256 = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");
const bodyOf = (...chunks: (string | Uint8Array)[]): Readable =>
  Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

/** A body of so many bytes that is never held whole, and its hash. */
export function longBody(bytes: number): { body: AsyncIterable<Uint8Array>; sha256(): string } {
  const hash = createHash("sha256");
  const chunk = randomBytes(64 * 1024);
  const body = async function* () {
    for (let left = bytes; left > 0; left -= chunk.length) {
      const piece = chunk.subarray(0, Math.min(left, chunk.length));
      hash.update(piece);
      yield piece;
    }
  };
  return { body: body(), sha256: () => hash.digest("hex") };
}

interface ContractOptions {
  /** How many random cases are tried. */
  runs: number;
  /** Puts an object past the store, under any name. */
  putByOthers(key: string, content: string): Promise<unknown>;
  close(): Promise<void>;
}

/** What every object store does. */
export function objectStoreContract(
  name: string,
  open: () => Promise<ObjectStore>,
  { runs, putByOthers, close }: ContractOptions,
): void {
  describe(`${name} object store`, () => {
    let store: ObjectStore;
    beforeAll(async () => {
      store = await open();
    });
    afterAll(async () => {
      store.close();
      await close();
    });

    const listed = async (...which: Parameters<ObjectStore["list"]>): Promise<ObjectFacts[]> => {
      const facts: ObjectFacts[] = [];
      for await (const object of store.list(...which)) facts.push(object);
      return facts;
    };
    const keys = async (...which: Parameters<ObjectStore["list"]>): Promise<string[]> =>
      (await listed(...which)).map(({ key }) => key);

    test("returns what was put, with its size and hash", async () => {
      const content = Buffer.from("a carburetor, drawn");
      expect(
        await store.put("basic/one.bin", bodyOf("a carbu", "retor, ", "drawn"), { contentType: "text/plain" }),
      ).toEqual({ bytes: 19, sha256: sha256(content) });
      expect(await readObject(store, "basic/one.bin")).toEqual(content);
      expect(await store.head("basic/one.bin")).toEqual({
        key: "basic/one.bin",
        bytes: 19,
        modifiedAt: expect.any(Date),
      });
    });

    test("an empty object is one", async () => {
      expect(await store.put("basic/empty", bodyOf())).toEqual({ bytes: 0, sha256: sha256(Buffer.alloc(0)) });
      expect(await readObject(store, "basic/empty")).toEqual(Buffer.alloc(0));
      expect((await store.head("basic/empty"))?.bytes).toBe(0);
    });

    test("putting again replaces, also with something shorter", async () => {
      await store.put("basic/again", bodyOf("the first and longer one"));
      expect(await store.put("basic/again", bodyOf("second"))).toMatchObject({ bytes: 6 });
      expect((await readObject(store, "basic/again")).toString()).toBe("second");
      expect(await keys("basic/again")).toEqual(["basic/again"]);
    });

    test("what is not there is not found, and deleting it is no error", async () => {
      await expect(store.get("none/such")).rejects.toMatchObject({ name: "ObjectStoreError", code: "NOT_FOUND" });
      await expect(store.get("none/such", { from: 0, to: 3 })).rejects.toMatchObject({ code: "NOT_FOUND" });
      expect(await store.head("none/such")).toBeUndefined();
      await store.delete("none/such");
      await store.put("gone/soon", bodyOf("x"));
      await store.delete("gone/soon");
      expect([await store.head("gone/soon"), await keys("gone")]).toEqual([undefined, []]);
    });

    test("any range of bytes", async () => {
      const content = randomBytes(3_000);
      await store.put("ranges/some", bodyOf(content.subarray(0, 1_234), content.subarray(1_234)));
      await fc.assert(
        fc.asyncProperty(fc.nat(3_100), fc.nat(3_100), async (from, length) => {
          const asked = store.get("ranges/some", { from, to: from + length });
          if (from >= content.length) return expect(asked).rejects.toMatchObject({ code: "BAD_RANGE" });
          const { bytes, body } = await asked;
          const chunks: Buffer[] = [];
          for await (const chunk of body) chunks.push(chunk as Buffer);
          expect(bytes).toBe(3_000);
          expect(Buffer.concat(chunks).equals(content.subarray(from, from + length + 1))).toBe(true);
        }),
        { numRuns: runs },
      );
      for (const range of [
        { from: -1, to: 3 },
        { from: 4, to: 3 },
        { from: 0.5, to: 3 },
        { from: 0, to: Number.NaN },
      ]) {
        await expect(store.get("ranges/some", range)).rejects.toMatchObject({ code: "BAD_RANGE" });
      }
    });

    test("lists what begins so, in the order of the keys", async () => {
      const all = ["list/a", "list/a-b/1", "list/a.b", "list/ab/2", "list/ab/10", "list/B", "list/a_/x/y/z", "listed"];
      for (const key of all) await store.put(key, bodyOf(key));
      const inOrder = (prefix: string): string[] => all.filter((key) => key.startsWith(prefix)).sort();
      for (const prefix of ["list/", "list", "list/a", "list/ab/", "list/ab/1", "list/a_/x", "list/none"])
        expect(await keys(prefix)).toEqual(inOrder(prefix));
      expect(await keys("")).toEqual(expect.arrayContaining(all));
      const below = inOrder("list/");
      for (const [at, key] of below.entries()) expect(await keys("list/", key)).toEqual(below.slice(at + 1));
      expect(await keys("list/a", "list/a/none")).toEqual(["list/a_/x/y/z", "list/ab/10", "list/ab/2"]);
      expect((await listed("list/ab/2"))[0]).toEqual({ key: "list/ab/2", bytes: 9, modifiedAt: expect.any(Date) });
    });

    test.each(["a b", "ü", "%2e%2e/x", "a+b&c=d?e#f", "x".repeat(201), "incoming/GT-2254 Parts Manual (2).pdf"])(
      "%j is read where others have put it, and never written",
      async (key) => {
        await expect(store.put(key, bodyOf("x"))).rejects.toMatchObject({ code: "BAD_KEY" });
        await expect(store.delete(key)).rejects.toMatchObject({ code: "BAD_KEY" });
        await putByOthers(key, "x");
        expect((await readObject(store, key)).toString()).toBe("x");
        expect(await store.head(key)).toMatchObject({ key, bytes: 1 });
        expect(await keys(key)).toEqual([key]);
        await expect(store.get(`${key} `)).rejects.toMatchObject({ code: "NOT_FOUND" });
        expect(await store.head(`${key} `)).toBeUndefined();
      },
    );

    test.each([
      "",
      "/",
      "a//b",
      "/etc/passwd",
      "../up",
      "a/../../up",
      "a/..",
      ".",
      "a/.hidden",
      ".arriving/x",
      "a\\b",
      "..\\..\\up",
      "a\0b",
      "a\nb",
      "a\u0085b",
      "a\ud800",
      "a/",
      "x".repeat(1_025),
      "ü".repeat(513),
    ])("%j is no key", async (key) => {
      const refusal = { name: "ObjectStoreError", code: "BAD_KEY" };
      await expect(store.put(key, bodyOf("x"))).rejects.toMatchObject(refusal);
      await expect(store.get(key)).rejects.toMatchObject(refusal);
      await expect(store.head(key)).rejects.toMatchObject(refusal);
      await expect(store.delete(key)).rejects.toMatchObject(refusal);
      if (key !== "" && key !== "a/") await expect(keys(key)).rejects.toMatchObject(refusal);
    });

    test("a body that breaks off leaves what was there, and its own error is thrown", async () => {
      await store.put("broken/off", bodyOf("as it was"));
      const breaking = (bytes: number) =>
        async function* () {
          yield randomBytes(bytes);
          throw new Error("the client hung up");
        };
      await expect(store.put("broken/off", breaking(100)())).rejects.toThrow("the client hung up");
      await expect(store.put("broken/new", breaking(20_000_000)())).rejects.toThrow("the client hung up");
      expect((await readObject(store, "broken/off")).toString()).toBe("as it was");
      expect(await keys("broken")).toEqual(["broken/off"]);
    });

    test("of writers of one key at the same moment one wins whole", async () => {
      const contents = Array.from({ length: 8 }, (_, n) => Buffer.alloc(100_000, n));
      await Promise.all(contents.map((content) => store.put("raced/key", bodyOf(content))));
      const kept = await readObject(store, "raced/key");
      expect(contents.some((content) => content.equals(kept))).toBe(true);
    });

    test("puts and deletes beside each other in one folder", async () => {
      await Promise.all(
        Array.from({ length: 20 }, async (_, n) => {
          await store.put(`crowd/${n % 3}/${n}`, bodyOf(String(n)));
          await store.delete(`crowd/${n % 3}/${n}`);
        }),
      );
      expect(await keys("crowd")).toEqual([]);
    });

    test("a reader goes on reading what it has begun, or fails; it never gets something else", async () => {
      const content = randomBytes(1_000_000);
      await store.put("read/while-replaced", bodyOf(content));
      const { body } = await store.get("read/while-replaced");
      await store.put("read/while-replaced", bodyOf("new"));
      const chunks: Buffer[] = [];
      for await (const chunk of body) chunks.push(chunk as Buffer);
      expect(Buffer.concat(chunks).equals(content)).toBe(true);
    });

    test("an object of any size passes through little memory", async () => {
      const size = 200_000_000;
      const before = usedMemory();
      let most = 0;
      const watch = setInterval(() => (most = Math.max(most, usedMemory() - before)), 1_000);
      const long = longBody(size);
      const stored = await store.put("long/one", long.body);
      expect(stored).toEqual({ bytes: size, sha256: long.sha256() });
      const hash = createHash("sha256");
      for await (const chunk of (await store.get("long/one")).body) hash.update(chunk as Buffer);
      clearInterval(watch);
      expect(hash.digest("hex")).toBe(stored.sha256);
      expect(most).toBeLessThan(size / 4);
      await store.delete("long/one");
    }, 120_000);

    test("a reader that goes away holds nothing", async () => {
      await store.put("left/early", bodyOf(randomBytes(2_000_000)));
      for (let n = 0; n < 200; n += 1) {
        const { body } = await store.get("left/early");
        body.destroy();
      }
      expect((await readObject(store, "left/early")).length).toBe(2_000_000);
    });

    test("answers a ping", () => store.ping());
  });
}
