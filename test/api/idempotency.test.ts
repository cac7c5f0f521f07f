import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { createClient, type Partline } from "../../packages/client/src/index.ts";
import { eventually } from "../support/eventually.ts";
import { useSystem } from "../support/use-started.ts";

const system = useSystem();
let items: object[];
let partline: Partline;
const sessionId = randomUUID();
beforeAll(async () => {
  partline = createClient({
    baseUrl: system.url("gateway"),
    entryPoints: { cart: system.url("cart") },
    sessionId,
  });
  const { parts } = await partline.search.search({ q: "15964-8141" });
  items = parts.slice(0, 1).map((part) => ({ ...part, quantity: 1 }));
});

describe("an Idempotency-Key", () => {
  test("adds a line to a cart once, and is the client's own for each call", async () => {
    const add = (idempotencyKey?: string) =>
      partline.cart.addItem({ item: items[0] as never }, idempotencyKey === undefined ? {} : { idempotencyKey });
    const key = randomUUID();
    const first = await add(key);
    expect(first.itemCount).toBe(1);
    expect(await add(key)).toEqual(first);
    await add();
    await add();
    expect(await eventually(async () => (await partline.cart.current()).itemCount)).toBe(3);
  });
});
