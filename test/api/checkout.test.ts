import { beforeAll, describe, expect, it } from "@jest/globals";
import { ulid } from "ulid";
import { formsOf, submit } from "../contract/payment-sandbox.support.ts";
import { eventually } from "../support/eventually.ts";
import { useSystem } from "../support/use-started.ts";
import { ADMIN_TOKEN, type RequestOptions } from "../support/system.ts";
import { importParts } from "../support/requests.ts";

const system = useSystem();
beforeAll(async () => {
  await sell({ "100-001": 10, "100-002": 2.5 });
});

async function sell(prices: Record<string, number>) {
  const rows = Object.entries(prices).map(([number, price]) => `${number},Part ${number},${price}`);
  const answer = await importParts(system, "bns", ["part_number,title,list_price", ...rows].join("\n"));
  expect(answer).toMatchObject({ status: 200, body: { refused: [] } });
}

const item = (partNumber: string, unitPrice: number, quantity = 1) => ({
  productId: `bns-${partNumber.replace("-", "")}`,
  partNumber,
  title: `Part ${partNumber}`,
  quantity,
  unitPrice,
});
const items = [item("100-001", 10, 2), item("100-002", 2.5)];
const newCartId = () => `cart_${Date.now()}_${ulid().toLowerCase()}`;

describe("Checkout", () => {
  const post = (path: string, body: object, options: RequestOptions = {}) =>
    system.request("gateway", "POST", path, { body, ...options });
  const get = (path: string, options: RequestOptions = {}) => system.request("gateway", "GET", path, options);
  const bySession = (sessionId: string) => get(`/api/orders/by-session/${sessionId}`);

  it("goes from the cart over the hosted page to the order", async () => {
    const userId = `user_${ulid()}`;
    const token = await system.token("customer", { sub: userId });
    const cartId = newCartId();
    expect(await post("/api/cart", { cartId, items })).toMatchObject({ status: 201 });
    const shippingRate = { provider: "ups", serviceType: "ground", cost: 5, estimatedDays: 3 };
    const shippingAddress = {
      name: "Ada Lovelace",
      street: "12 St James's Square",
      city: "London",
      postalCode: "SW1Y 4LE",
      country: "GB",
    };
    const opened = await post(
      "/api/checkout/session",
      {
        items,
        cartId,
        customerId: userId,
        shippingRate,
        shippingAddress,
        currency: "eur",
        successUrl: "http://shop.test/thanks?s={CHECKOUT_SESSION_ID}",
      },
      { token },
    );
    expect(opened).toMatchObject({
      status: 200,
      body: { success: true, data: { sessionId: expect.stringMatching(/^cs_/), url: expect.stringMatching(/^http/) } },
    });
    const { sessionId, url } = opened.body.data;
    expect((await bySession(sessionId)).status).toBe(404);

    const [form] = formsOf(await (await fetch(url)).text(), url);
    const paid = await submit(form!);
    expect([paid.status, paid.headers.get("location")]).toEqual([303, `http://shop.test/thanks?s=${sessionId}`]);

    const found = await eventually(async () => {
      const answer = await bySession(sessionId);
      return answer.status === 200 ? answer : undefined;
    });
    const { orderId } = found.body.data;
    expect(await get(`/api/orders/${orderId}`, { token })).toMatchObject({
      status: 200,
      body: {
        data: {
          userId,
          subtotal: 22.5,
          shipping: 5,
          tax: 0,
          total: 27.5,
          currency: "usd",
          status: "pending",
          paymentStatus: "paid",
          shippingAddress,
        },
      },
    });
    await eventually(async () => (await get(`/api/cart/${cartId}`)).body.data.items.length === 0);
    // The order keeps the session's place: submitting the cart again never pays twice.
    const again = await eventually(async () => {
      const { data } = (await post("/api/checkout/session", { items, cartId }, { token })).body;
      return data.status === "complete" && data;
    });
    expect(again).toMatchObject({ sessionId, orderId });

    const verified = await eventually(async () => {
      const { paymentIntentId } = (
        await system.request("payment", "GET", `/api/admin/orders/${orderId}`, { adminToken: ADMIN_TOKEN })
      ).body.data;
      const answer = await get(`/api/payment/verify/${paymentIntentId}`, { token });
      return answer.body.data.orderId === null ? undefined : answer;
    });
    expect(verified).toMatchObject({
      status: 200,
      body: { success: true, data: { status: "succeeded", paid: true, amount: 2_750, currency: "usd", orderId } },
    });
  });

  it("sells search hits as they come, with the quantity added", async () => {
    const userId = `user_${ulid()}`;
    const token = await system.token("customer", { sub: userId });
    const found = await system.request("search", "GET", "/api/search?q=100-001");
    const [hit] = found.body.parts;
    expect(hit).toMatchObject({ manufacturer: { name: "Briggs & Stratton" }, imageUrl: null });
    const object = await system.request("search", "GET", `/1/indexes/parts/${hit.id}`);
    for (const part of [hit, object.body]) {
      const cartId = newCartId();
      const items = [{ ...part, quantity: 2 }];
      const own = (method: "PUT" | "POST", path: string, body: object) =>
        system.request("cart", method, path, { body, token });
      for (const { status, body } of [
        await post("/api/cart", { cartId, items }),
        await own("PUT", "/api/cart/sync", { items }),
        await own("PUT", `/api/cart/user/${userId}`, { items }),
        await own("POST", "/api/cart/items", { item: items[0] }),
      ]) {
        expect(status).toBeLessThan(300);
        const { quantity: _quantity, ...kept } = body.data.items[0];
        expect(kept).toEqual({
          productId: "bns-100001",
          partNumber: "100-001",
          title: "Part 100-001",
          unitPrice: 10,
          currency: "usd",
          manufacturer: "Briggs & Stratton",
          availability: part.availability,
        });
      }
      expect(await post("/api/checkout/session", { cartId, items })).toMatchObject({ status: 200 });
    }
  });

  it("names what replaces a discontinued part, which one call puts into the cart in its place", async () => {
    const file =
      "part_number,title,list_price,status,superseded_by\n100-008,Old blade,7,discontinued,100-009\n100-009,New blade,8,,\n";
    await importParts(system, "bns", file);
    const answer = await post("/api/checkout/session", { items: [item("100-008", 7, 2), item("100-001", 9)] });
    expect(answer.status).toBe(400);
    const message =
      '"Part 100-008" (100-008) is discontinued, replaced by "New blade" (100-009) at 8.00, stock unknown';
    expect(answer.body.error).toEqual({
      code: "VALIDATION_FAILED",
      message: `${message}; Price changed for "Part 100-001" (100-001): was 9.00, now 10.00`,
      details: [
        {
          field: "items[0]",
          message,
          successor: {
            productId: "bns-100009",
            partNumber: "100-009",
            title: "New blade",
            price: 8,
            availability: "unknown",
          },
        },
        { partNumber: "100-001", oldPrice: 9, newPrice: 10 },
      ],
    });

    const who = { sessionId: crypto.randomUUID() };
    await system.request("cart", "PUT", "/api/cart/sync", {
      ...who,
      body: { items: [item("100-008", 7, 2), items[0]] },
    });
    const replace = (productId: string) =>
      system.request("cart", "POST", `/api/cart/items/${productId}/replace`, { ...who, body: {} });
    const replaced = await replace("bns-100008");
    expect(replaced).toMatchObject({
      status: 200,
      body: {
        data: {
          items: [{ productId: "bns-100009", title: "New blade", quantity: 2, unitPrice: 8 }, items[0]],
          total: 36,
        },
      },
    });
    expect(await post("/api/checkout/session", { items: replaced.body.data.items })).toMatchObject({ status: 200 });
    expect(await replace("bns-100008")).toMatchObject({
      status: 404,
      body: { error: { message: "Cart item not found" } },
    });
    expect(await replace("bns-100001")).toMatchObject({
      status: 404,
      body: { error: { message: "No active part with a price replaces 100-001" } },
    });
  });
});
