import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { newCartId } from "../contract/payment.shop.ts";
import { startSystem, type System } from "../support/system.ts";

const CLIENTS = 50;
/** Acknowledged writes after which the lights go out. */
const ENOUGH = 200;

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

const item = { productId: "p-1", partNumber: "1", title: "Belt", quantity: 1, unitPrice: 12.5 };

it(`keeps every cart write that it acknowledged to ${CLIENTS} clients before a kill -9`, async () => {
  const saved: { cartId: string; quantity: number }[] = [];
  const own = Array.from({ length: CLIENTS / 2 }, (_, n) => ({
    sessionId: `session-crash-${n}`,
    sent: 0,
    acknowledged: 0,
  }));
  let writes = 0;
  let enough!: () => void;
  const reached = new Promise<void>((resolve) => (enough = resolve));

  const untilCut = async (write: () => Promise<void>): Promise<void> => {
    for (;;) {
      try {
        await write();
      } catch {
        // The connection broke: nobody answers any more.
        return;
      }
      if (++writes === ENOUGH) enough();
    }
  };
  const saver = (quantity: number) =>
    untilCut(async () => {
      const cartId = newCartId();
      const { status } = await system.request("payment", "POST", "/api/cart", {
        body: { cartId, items: [{ ...item, quantity }] },
      });
      if (status === 201) saved.push({ cartId, quantity });
    });
  const adder = (cart: (typeof own)[number]) =>
    untilCut(async () => {
      cart.sent += 1;
      const { status } = await system.request("cart", "POST", "/api/cart/items", {
        sessionId: cart.sessionId,
        body: { item },
      });
      if (status === 200) cart.acknowledged += 1;
    });

  const clients = [...own.map(adder), ...Array.from({ length: CLIENTS / 2 }, (_, n) => saver(n + 1))];
  await reached;
  await system.kill();
  await Promise.all(clients);
  await system.start();

  expect(saved.length).toBeGreaterThan(0);
  const found = await Promise.all(
    saved.map(
      async ({ cartId }) =>
        (await system.request("payment", "GET", `/api/cart/${cartId}`)).body.data?.items[0].quantity,
    ),
  );
  expect(found).toEqual(saved.map(({ quantity }) => quantity));
  for (const { sessionId, sent, acknowledged } of own) {
    const { itemCount } = (await system.request("cart", "GET", "/api/cart", { sessionId })).body.data;
    expect(itemCount).toBeGreaterThanOrEqual(acknowledged);
    expect(itemCount).toBeLessThanOrEqual(sent);
  }
});
