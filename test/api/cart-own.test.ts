import { describe, expect, it } from "@jest/globals";
import { ulid } from "ulid";
import { useSystem } from "../support/use-started.ts";
import { ADMIN_TOKEN, type RequestOptions } from "../support/system.ts";

const item = (productId: string, quantity = 1, unitPrice = 12.5) => ({
  productId,
  partNumber: "PN-1",
  title: "Part",
  quantity,
  unitPrice,
});
const guest = (): RequestOptions => ({ sessionId: crypto.randomUUID() });
const empty = { items: [], total: 0, itemCount: 0 };

const system = useSystem();

const current = (who: RequestOptions) => system.request("cart", "GET", "/api/cart", who);
const sync = (who: RequestOptions, body: unknown) => system.request("cart", "PUT", "/api/cart/sync", { ...who, body });
const clear = (who: RequestOptions) => system.request("cart", "POST", "/api/cart/clear", who);
const add = (who: RequestOptions, added: unknown) =>
  system.request("cart", "POST", "/api/cart/items", { ...who, body: { item: added } });
const patch = (who: RequestOptions, productId: string, body: unknown) =>
  system.request("cart", "PATCH", `/api/cart/items/${encodeURIComponent(productId)}`, { ...who, body });
const ofUser = (method: "GET" | "PUT" | "DELETE", userId: string, who: RequestOptions, body?: unknown) =>
  system.request("cart", method, `/api/cart/user/${userId}`, { ...who, body });
const newUser = async () => {
  const userId = `user_${ulid()}`;
  return { userId, token: await system.token("customer", { sub: userId }) };
};

describe("The caller's own cart", () => {
  it("says nothing of a body to who sends no credential", async () => {
    const { userId } = await newUser();
    const bad = { items: "none", item: 7, quantity: -1 };
    for (const answer of [
      await current({}),
      await current({ adminToken: ADMIN_TOKEN }),
      await clear({}),
      await sync({}, bad),
      await add({}, bad),
      await patch({}, "a", bad),
      await ofUser("PUT", userId, {}, bad),
      await ofUser("PUT", userId, guest(), bad),
    ]) {
      expect(answer).toMatchObject({ status: 401, body: { error: { code: "UNAUTHORIZED" } } });
    }
    expect(await sync(guest(), bad)).toMatchObject({ status: 400 });
  });

  it("is replaced by a sync, and added to by one that merges", async () => {
    const who = guest();
    const synced = await sync(who, { items: [item("a", 2, 0.1), item("b", 1, 0.2)] });
    expect(synced.body).toEqual({
      success: true,
      data: {
        items: [
          { ...item("a", 2, 0.1), currency: "usd" },
          { ...item("b", 1, 0.2), currency: "usd" },
        ],
        total: 0.4,
        itemCount: 3,
        lastSyncedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    });
    expect((await current(who)).body).toEqual(synced.body);
    expect(await sync(who, { items: [item("a", 3, 0.1)], strategy: "merge" })).toMatchObject({
      status: 200,
      body: { data: { total: 0.7, itemCount: 6 } },
    });
    expect(await sync(who, { items: [], strategy: "replace" })).toMatchObject({ status: 200, body: { data: empty } });
  });

  it("takes back what any route of carts answers, and what a cart is saved as", async () => {
    const { userId, token } = await newUser();
    const synced = (await sync({ token }, { items: [item("a", 2), item("b")] })).body.data;
    const users = (await ofUser("GET", userId, { token })).body.data;
    const cartId = `cart_${ulid()}`;
    const saving = { cartId, items: synced.items, userId };
    const saved = (await system.request("cart", "POST", "/api/cart", { token, body: saving })).body.data;
    for (const body of [synced, users, saving, saved]) {
      expect(await sync({ token }, body)).toMatchObject({ status: 200, body: { data: { items: synced.items } } });
      expect(await ofUser("PUT", userId, { token }, body)).toMatchObject({ status: 200, body: { data: { userId } } });
      const again = { ...body, cartId: `cart_${ulid()}` };
      expect(await system.request("cart", "POST", "/api/cart", { token, body: again })).toMatchObject({ status: 201 });
      expect(await patch({ token }, "a", { ...body.items[0], quantity: 2 })).toMatchObject({ status: 200 });
    }
    const others = { ...users, userId: "user_other" };
    expect(await ofUser("PUT", userId, { token }, others)).toMatchObject({
      status: 400,
      body: { error: { message: "The 'userId' field must have the same value as in the path." } },
    });
  });

  it("adds, sets and removes lines of products with any id", async () => {
    const who = guest();
    for (const productId of ["__proto__", "constructor", "a.b/c", "$set", "50% off?#", "ü ß", "x".repeat(200)]) {
      expect(await add(who, item(productId))).toMatchObject({
        status: 200,
        body: { data: { items: [{ productId, quantity: 1 }] } },
      });
      expect(await patch(who, productId, { quantity: 7 })).toMatchObject({
        status: 200,
        body: { data: { items: [{ productId, quantity: 7 }] } },
      });
      expect(await patch(who, productId, { quantity: 0 })).toMatchObject({ status: 200, body: { data: empty } });
    }
  });
});

describe("A user's cart", () => {
  it("is the user's own cart under the user's id", async () => {
    const { userId, token } = await newUser();
    expect((await ofUser("GET", userId, { token })).body).toEqual({
      success: true,
      data: { userId, items: [], subtotal: 0, currency: "usd", updatedAt: null },
    });
    expect(await ofUser("PUT", userId, { token }, { items: [item("a", 2, 19.99)] })).toMatchObject({
      status: 200,
      body: {
        data: {
          userId,
          items: [{ productId: "a" }],
          subtotal: 39.98,
          currency: "usd",
          updatedAt: expect.stringMatching(/^\d{4}-/),
        },
      },
    });
    expect(await current({ token })).toMatchObject({ body: { data: { total: 39.98 } } });
    expect(await ofUser("DELETE", userId, { token })).toMatchObject({
      status: 200,
      body: { success: true, data: { deleted: true } },
    });
    expect(await ofUser("DELETE", userId, { token })).toMatchObject({ status: 200, body: { data: { deleted: true } } });
    expect(await ofUser("GET", userId, { token })).toMatchObject({ status: 200, body: { data: { items: [] } } });
  });
});
