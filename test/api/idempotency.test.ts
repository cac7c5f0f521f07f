import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { createClient, type Partline } from "../../packages/client/src/index.ts";
import { eventually } from "../support/eventually.ts";
import { useSystem } from "../support/use-started.ts";
import type { Answer } from "../support/system.ts";

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
  const open = (key: string, entry: "gateway" | "payment"): Promise<Answer> =>
    system.request(entry, "POST", "/api/checkout/session", {
      body: { cartId: `cart_${key}`, items },
      sessionId,
      headers: { "Idempotency-Key": key },
    });

  test("opens one checkout session on either of two gateways, however often at once", async () => {
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => open(key, n % 2 === 0 ? "gateway" : "payment")),
    );
    const opened = answers.filter(({ status }) => status === 200);
    expect(opened.length).toBeGreaterThan(0);
    for (const { status, body } of answers)
      expect([status, body.error?.code]).toEqual(status === 200 ? [200, undefined] : [409, "IDEMPOTENCY_KEY_IN_USE"]);
    const later = await open(key, "payment");
    expect(later.headers.get("idempotent-replayed")).toBe("true");
    expect(new Set([...opened, later].map(({ text }) => text)).size).toBe(1);
    expect(opened.filter(({ headers }) => headers.get("idempotent-replayed") === null)).toHaveLength(1);
  });

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
