import { beforeEach, describe, expect, test } from "@jest/globals";
import { hashKey } from "../../broker/contract/keys.ts";
import { createKnownKeys, type FoundKey } from "../../gateway/auth/known-keys.ts";
import { PartlineError } from "../../mixins/errors.ts";

const KEY = `pl_live_${"k".repeat(43)}`;
const found: FoundKey = { keyId: "key_1", scopes: ["orders:read"], expiresAt: null };
const refusal = (message: string) => ({ code: "UNAUTHORIZED", message });

let now: number;
let asked: string[];
let answer: () => Promise<FoundKey | null>;
let verify: ReturnType<typeof createKnownKeys>;
beforeEach(() => {
  now = 1_000_000;
  asked = [];
  answer = () => Promise.resolve(found);
  verify = createKnownKeys(
    (hash) => {
      asked.push(hash);
      return answer();
    },
    () => now,
  );
});

describe("a key", () => {
  test("is asked for once in four seconds, by its hash", async () => {
    for (const after of [0, 1_000, 3_999]) {
      now = 1_000_000 + after;
      await expect(verify(KEY)).resolves.toEqual({ keyId: "key_1", scopes: ["orders:read"] });
    }
    expect(asked).toEqual([hashKey(KEY)]);
    now = 1_004_000;
    await verify(KEY);
    expect(asked).toHaveLength(2);
  });

  test("that was revoked ends when its answer expires", async () => {
    await verify(KEY);
    answer = () => Promise.resolve(null);
    now += 4_000;
    await expect(verify(KEY)).rejects.toMatchObject(refusal("Invalid key"));
    await expect(verify(KEY)).rejects.toMatchObject(refusal("Invalid key"));
    expect(asked).toHaveLength(3);
  });

  test("ends too while nobody can say whether it was revoked", async () => {
    await verify(KEY);
    answer = () => Promise.reject(new PartlineError("SERVICE_UNAVAILABLE", "Away"));
    now += 3_999;
    await verify(KEY);
    now += 1;
    await expect(verify(KEY)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    answer = () => Promise.resolve(found);
    await expect(verify(KEY)).resolves.toMatchObject({ keyId: "key_1" });
  });

  test("is known from when it was asked for, not from when the answer came", async () => {
    answer = () => {
      now += 2_900;
      return Promise.resolve(found);
    };
    await verify(KEY);
    now += 1_100;
    await verify(KEY);
    expect(asked).toHaveLength(2);
  });

  test("is asked for once by all that come at the same time", async () => {
    await Promise.all(Array.from({ length: 100 }, () => verify(KEY)));
    expect(asked).toHaveLength(1);
  });

  test("ends at its expiry time, also with a known answer", async () => {
    answer = () => Promise.resolve({ ...found, expiresAt: new Date(1_001_000) });
    await verify(KEY);
    now = 1_001_000;
    await expect(verify(KEY)).rejects.toMatchObject(refusal("Key expired"));
  });

  test("serves at once when it is made, although it was unknown before", async () => {
    answer = () => Promise.resolve(null);
    await expect(verify(KEY)).rejects.toMatchObject(refusal("Invalid key"));
    answer = () => Promise.resolve(found);
    await expect(verify(KEY)).resolves.toMatchObject({ keyId: "key_1" });
  });
});
