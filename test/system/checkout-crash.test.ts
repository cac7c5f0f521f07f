import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import Stripe from "stripe";
import { formsOf, submit } from "../contract/payment-sandbox.support.ts";
import { newCartId } from "../contract/payment.shop.ts";
import { eventually } from "../support/eventually.ts";
import { ADMIN_TOKEN, startSystem, type System } from "../support/system.ts";

const CARTS = 80;
const AT_ONCE = 16;
const CLIENTS = 50;
/** Acknowledged writes after which the lights go out. */
const ENOUGH = 100;

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

async function inParallel<T, R>(inputs: readonly T[], work: (input: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < inputs.length) {
      const index = next++;
      results[index] = await work(inputs[index]!, index);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}

async function control(path: string, body?: object, method = "POST"): Promise<unknown> {
  const answer = await fetch(`${system.sandboxUrl("payment")}/sandbox${path}`, {
    method,
    headers: { "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
  return answer.json();
}

async function parts(count: number) {
  const answer = await system.request("search", "GET", `/api/search?limit=${count}&minPrice=1`);
  return answer.body.parts.map(({ productId, partNumber, title, unitPrice }: Record<string, unknown>) => ({
    productId,
    partNumber,
    title,
    unitPrice,
    quantity: 2,
  }));
}

async function pay(url: string): Promise<number> {
  return (await submit(formsOf(await (await fetch(url)).text(), url)[0]!)).status;
}

describe(`${CARTS} carts`, () => {
  it("become as many orders, with each webhook delivered three times and a kill -9 on the way", async () => {
    const items = await parts(20);
    const carts = await inParallel(Array.from({ length: CARTS }, newCartId), async (cartId, index) => {
      const body = { cartId, items: [items[index % items.length], items[(index + 7) % items.length]] };
      expect((await system.request("payment", "POST", "/api/cart", { body })).status).toBe(201);
      const opened = await system.request("payment", "POST", "/api/checkout/session", { body });
      expect(opened.status).toBe(200);
      return { cartId, sessionId: opened.body.data.sessionId as string, url: opened.body.data.url as string };
    });
    expect(new Set(carts.map(({ sessionId }) => sessionId)).size).toBe(CARTS);

    // The lights go out while the first half's webhooks are on their way.
    await inParallel(carts.slice(0, CARTS / 2), async ({ url }) => expect(await pay(url)).toBe(303));
    await system.kill();
    await system.start();
    await inParallel(carts.slice(CARTS / 2), async ({ url }) => expect(await pay(url)).toBe(303));

    const sandbox = new URL(system.sandboxUrl("payment"));
    const stripe = new Stripe("sk_test_partline_sandbox", {
      protocol: "http",
      host: sandbox.hostname,
      port: Number(sandbox.port),
    });
    const events: string[] = [];
    for await (const { id } of stripe.events.list({ type: "checkout.session.completed", limit: 100 })) events.push(id);
    expect(events).toHaveLength(CARTS);
    await inParallel(events, (id) => control(`/events/${id}/deliver`, { times: 2 }));

    const orderIds = await inParallel(carts, ({ sessionId }) =>
      eventually(async () => {
        const answer = await system.request("payment", "GET", `/api/orders/by-session/${sessionId}`);
        return answer.status === 200 && (answer.body.data.orderId as string);
      }, 60_000),
    );
    await eventually(async () => {
      const histories = await inParallel(events, (id) =>
        fetch(`${system.sandboxUrl("payment")}/sandbox/events/${id}/deliveries`).then((answer) => answer.json()),
      );
      return (histories as { deliveries: { outcome: string | null }[] }[]).every(
        ({ deliveries }) => deliveries.length === 3 && deliveries.every(({ outcome }) => outcome === "delivered"),
      );
    }, 60_000);

    expect(new Set(orderIds).size).toBe(CARTS);
    const stats = (await system.request("payment", "GET", "/api/admin/orders/stats", { adminToken: ADMIN_TOKEN })).body
      .data;
    const ledger = (await control("/ledger", undefined, "GET")) as { received: number };
    expect(stats).toMatchObject({ totalOrders: CARTS, byPaymentStatus: { paid: CARTS } });
    expect(Math.round(stats.revenue.gross * 100)).toBe(ledger.received);
    await inParallel(orderIds, async (orderId) => {
      const recorded = async () =>
        (await system.request("eventstore", "GET", `/events?aggregate_id=${orderId}`)).body.events as {
          event_type: string;
        }[];
      await eventually(async () => (await recorded()).length > 0, 30_000);
      expect((await recorded()).map(({ event_type }) => event_type)).toEqual(["ORDER_CREATED"]);
    });
    await inParallel(carts, async ({ cartId }) => {
      await eventually(
        async () => (await system.request("payment", "GET", `/api/cart/${cartId}`)).body.data.items.length === 0,
      );
    });
  }, 240_000);
});

describe("A provider on a bad day", () => {
  const open = async (cartId: string) => {
    const [item] = await parts(1);
    return system.request("payment", "POST", "/api/checkout/session", { body: { cartId, items: [item] } });
  };

  it("that does not answer in time is 502, and the cart gets its one session afterwards", async () => {
    const cartId = newCartId();
    await control("/faults", { match: "POST /v1/checkout/sessions", hang: true, afterWork: true, times: 1 });
    await control("/faults", { match: "POST /v1/checkout/sessions", hang: true, times: 1 });
    const answer = await open(cartId);
    expect([answer.status, answer.body.error.code]).toEqual([502, "PROVIDER_ERROR"]);
    const again = await open(cartId);
    expect(again.status).toBe(200);
    expect(await pay(again.body.data.url)).toBe(303);
  }, 60_000);
});

const item = { productId: "p-1", partNumber: "1", title: "Belt", quantity: 1, unitPrice: 12.5 };

it(`keeps every cart write that it acknowledged to ${CLIENTS} clients before a kill -9`, async () => {
  const saved: { cartId: string; quantity: number }[] = [];
  const carts = Array.from({ length: CLIENTS / 2 }, (_, n) => ({
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
  const adder = (cart: (typeof carts)[number]) =>
    untilCut(async () => {
      cart.sent += 1;
      const { status } = await system.request("cart", "POST", "/api/cart/items", {
        sessionId: cart.sessionId,
        body: { item },
      });
      if (status === 200) cart.acknowledged += 1;
    });

  const clients = [...carts.map(adder), ...Array.from({ length: CLIENTS / 2 }, (_, n) => saver(n + 1))];
  await reached;
  await system.kill();
  await Promise.all(clients);
  await system.start();

  expect(saved.length).toBeGreaterThan(0);
  const quantities = await Promise.all(
    saved.map(
      async ({ cartId }) =>
        (await system.request("payment", "GET", `/api/cart/${cartId}`)).body.data?.items[0].quantity,
    ),
  );
  expect(quantities).toEqual(saved.map(({ quantity }) => quantity));
  for (const { sessionId, sent, acknowledged } of carts) {
    const { itemCount } = (await system.request("cart", "GET", "/api/cart", { sessionId })).body.data;
    expect(itemCount).toBeGreaterThanOrEqual(acknowledged);
    expect(itemCount).toBeLessThanOrEqual(sent);
  }
});
