import { describe, expect, it } from "@jest/globals";
import { ulid } from "ulid";
import { useSystem } from "../support/use-started.ts";
import { type RequestOptions } from "../support/system.ts";

const item = { productId: "p1", partNumber: "PN-1", title: "Spark plug", quantity: 2, unitPrice: 19.99 };
const newId = (): string => `cart_${Date.now()}_${ulid()}`;

const system = useSystem();

type Entry = "payment" | "cart" | "gateway";
const save = (entry: Entry, body: object, options: RequestOptions = {}) =>
  system.request(entry, "POST", "/api/cart", { body, ...options });
const read = (entry: Entry, cartId: string, options?: RequestOptions) =>
  system.request(entry, "GET", `/api/cart/${cartId}`, options);
const remove = (entry: Entry, cartId: string, options?: RequestOptions) =>
  system.request(entry, "DELETE", `/api/cart/${cartId}`, options);

describe.each<Entry>(["payment", "cart", "gateway"])("Saved carts on the %s address", (entry) => {
  it("are saved, read on every address, and deleted", async () => {
    const cartId = newId();
    const saved = await save(entry, { cartId, items: [{ ...item, currency: "EUR", availability: "out_of_stock" }] });
    expect(saved.status).toBe(201);
    expect(saved.body).toEqual({
      success: true,
      data: {
        cartId,
        subtotal: 39.98,
        currency: "usd",
        items: [{ ...item, currency: "usd", availability: "out_of_stock" }],
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    });
    const { createdAt, expiresAt } = saved.body.data;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe((entry === "cart" ? 90 : 1) * 86_400_000);
    for (const other of ["payment", "cart", "gateway"] as const) {
      expect(await read(other, cartId)).toMatchObject({ status: 200, body: saved.body });
    }
    expect(await remove(entry, cartId)).toMatchObject({
      status: 200,
      body: { success: true, data: { deleted: true } },
    });
    for (const gone of [await read(entry, cartId), await remove(entry, cartId)]) {
      expect(gone).toMatchObject({ status: 404, body: { success: false, error: { code: "NOT_FOUND" } } });
    }
  });

  it.each<[string, object, string]>([
    ["no cartId", { cartId: undefined }, "cartId"],
    ["a cartId with a dot", { cartId: "cart.1700000000000.abc" }, "cartId"],
    ["three decimals", { items: [{ ...item, unitPrice: 1.001 }] }, "unitPrice"],
    ["an imageUrl that is no URL", { items: [{ ...item, imageUrl: "javascript:alert(1)" }] }, "imageUrl"],
    ["an unknown field in an item", { items: [{ ...item, subtotal: 1 }] }, "subtotal"],
    ["one product at two prices", { items: [item, { ...item, unitPrice: 5 }] }, "unitPrice"],
  ])("are refused with %s, naming the field", async (_name, change, field) => {
    const answer = await save(entry, { cartId: newId(), items: [item], ...change });
    expect(answer).toMatchObject({
      status: 400,
      body: { success: false, error: { code: "VALIDATION_FAILED", message: expect.stringContaining(field) } },
    });
    expect(answer.body.error.details).toEqual(
      expect.arrayContaining([expect.objectContaining({ field: expect.stringContaining(field) })]),
    );
  });

  it("take 100 lines, 9,999 of one, and the highest price", async () => {
    const items = Array.from({ length: 100 }, (_, index) => ({
      ...item,
      productId: `p${index}`,
      quantity: 9_999,
      unitPrice: 999_999.99,
    }));
    expect(await save(entry, { cartId: newId(), items })).toMatchObject({
      status: 201,
      body: { data: { subtotal: 999_899_990_001 } },
    });
  });

  it("do not find an id that cannot exist", async () => {
    for (const id of ["short", "a".repeat(300), "cart%20with%20spaces%20in%20it", "__proto__"]) {
      expect(await read(entry, id)).toMatchObject({ status: 404, body: { error: { code: "NOT_FOUND" } } });
      expect(await remove(entry, id)).toMatchObject({ status: 404 });
    }
  });

  it("of a session answer to that session alone", async () => {
    const cartId = newId();
    const sessionId = crypto.randomUUID();
    const other = { sessionId: crypto.randomUUID() };
    expect(await save(entry, { cartId, items: [item], sessionId }, other)).toMatchObject({ status: 403 });
    expect(await save(entry, { cartId, items: [item], sessionId })).toMatchObject({ status: 201 });
    for (const call of [read, remove]) {
      const refusal = { code: "UNAUTHORIZED", message: "Missing X-Session-Id header" };
      expect(await call(entry, cartId)).toMatchObject({ status: 401, body: { error: refusal } });
      expect(await call(entry, cartId, other)).toMatchObject({ status: 403 });
    }
    expect(await read(entry, cartId, { sessionId })).toMatchObject({ status: 200 });
    expect(await remove(entry, cartId, { sessionId })).toMatchObject({ status: 200 });
  });
});
